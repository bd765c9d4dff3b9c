// SPDX-License-Identifier: Apache-2.0
#include "schema.hpp"

#include "ebb/results/store.hpp"

#include <fmt/format.h>

namespace ebb::results {
namespace {

constexpr std::int64_t kApplicationId = 0x65626272;  // "ebbr"

constexpr const char* kTables = R"(
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  setup TEXT NOT NULL,
  label TEXT NOT NULL,
  configuration TEXT NOT NULL,
  version TEXT NOT NULL,
  seed INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('done', 'failed')),
  error TEXT NOT NULL) STRICT;
CREATE TABLE parameters (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  position INTEGER NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (run, key)) STRICT, WITHOUT ROWID;
CREATE TABLE metrics (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  unit TEXT NOT NULL,
  value REAL NOT NULL,
  PRIMARY KEY (run, name)) STRICT, WITHOUT ROWID;
CREATE TABLE histograms (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  name TEXT NOT NULL,
  upper_ps INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (run, name, upper_ps)) STRICT, WITHOUT ROWID;
CREATE TABLE residency (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  class TEXT NOT NULL,
  state INTEGER NOT NULL,
  name TEXT NOT NULL,
  ps INTEGER NOT NULL,
  PRIMARY KEY (run, class, state)) STRICT, WITHOUT ROWID;
CREATE TABLE channels (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  channel INTEGER NOT NULL,
  "from" TEXT NOT NULL,
  "to" TEXT NOT NULL,
  class TEXT NOT NULL,
  busy_ps INTEGER NOT NULL,
  sent_bit INTEGER NOT NULL,
  energy_J REAL NOT NULL,
  transitions INTEGER NOT NULL,
  PRIMARY KEY (run, channel)) STRICT, WITHOUT ROWID;
CREATE TABLE channel_residency (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  channel INTEGER NOT NULL,
  state INTEGER NOT NULL,
  ps INTEGER NOT NULL,
  PRIMARY KEY (run, channel, state)) STRICT, WITHOUT ROWID;
CREATE TABLE series (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  quantity TEXT NOT NULL,
  unit TEXT NOT NULL,
  type TEXT NOT NULL,
  frames INTEGER NOT NULL,
  channels INTEGER NOT NULL,
  every_ps INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (run, quantity)) STRICT;
CREATE TABLE log (
  run INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
  wall_s REAL NOT NULL) STRICT;
)";

bool has_tables(const Database& database) {
  return database.number("SELECT count(*) FROM sqlite_master") > 0;
}

}  // namespace

void check_schema(const Database& database) {
  if (!has_tables(database)) throw DatabaseError("it holds no results yet");
  if (database.number("PRAGMA application_id") != kApplicationId)
    throw DatabaseError("a database, but not one of ebb's results");
  const std::int64_t version = database.number("PRAGMA user_version");
  if (version == kSchemaVersion) return;
  throw DatabaseError(
      fmt::format("its schema has version {}, this ebb knows {}; {}", version, kSchemaVersion,
                  version > kSchemaVersion ? "use the newer ebb that wrote it"
                                           : "run the experiments again into a new file"));
}

void prepare_to_write(const Database& database) {
  if (has_tables(database)) check_schema(database);
  database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  database.execute("PRAGMA foreign_keys = ON");
  Transaction transaction(database);
  if (!has_tables(database)) {  // nobody else has made them meanwhile
    database.execute(kTables);
    database.execute(fmt::format("PRAGMA application_id = {}", kApplicationId).c_str());
    database.execute(fmt::format("PRAGMA user_version = {}", kSchemaVersion).c_str());
  }
  transaction.commit();
}

}  // namespace ebb::results
