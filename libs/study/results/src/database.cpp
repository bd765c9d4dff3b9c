// SPDX-License-Identifier: Apache-2.0
#include "database.hpp"

#include "ebb/results/store.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>

namespace ebb::results {
namespace {

// How long a writer waits for another one.
constexpr int kPatienceMilliseconds = 30'000;

[[noreturn]] void raise(sqlite3* connection) { throw DatabaseError(sqlite3_errmsg(connection)); }

// A path as SQLite's URI form wants it.
std::string immutable_uri(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path) {
    if (c == '%') {
      uri += "%25";
    } else if (c == '?') {
      uri += "%3f";
    } else if (c == '#') {
      uri += "%23";
    } else {
      uri += c;
    }
  }
  return uri + "?immutable=1";
}

}  // namespace

Statement::Statement(sqlite3* connection, std::string_view sql) : connection_(connection) {
  sqlite3_stmt* statement = nullptr;
  check(sqlite3_prepare_v2(connection, sql.data(), static_cast<int>(sql.size()), &statement,
                           nullptr));
  statement_.reset(statement);
}

void Statement::check(int code) const {
  if (code != SQLITE_OK) raise(connection_);
}

Statement& Statement::bind(std::int64_t value) {
  check(sqlite3_bind_int64(statement_.get(), ++bound_, value));
  return *this;
}

Statement& Statement::bind(double value) {
  check(sqlite3_bind_double(statement_.get(), ++bound_, value));
  return *this;
}

Statement& Statement::bind(std::string_view value) {
  // Without a pointer SQLite would store NULL.
  check(sqlite3_bind_text64(statement_.get(), ++bound_, value.empty() ? "" : value.data(),
                            value.size(), SQLITE_STATIC, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind(Blob value) {
  if (value.empty()) {
    check(sqlite3_bind_zeroblob(statement_.get(), ++bound_, 0));
  } else {
    check(
        sqlite3_bind_blob64(statement_.get(), ++bound_, value.data(), value.size(), SQLITE_STATIC));
  }
  return *this;
}

bool Statement::next() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  bound_ = 0;
  if (code != SQLITE_DONE) raise(connection_);
  check(sqlite3_reset(statement_.get()));
  return false;
}

void Statement::run() {
  while (next()) {
  }
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

double Statement::real(int column) const { return sqlite3_column_double(statement_.get(), column); }

std::string_view Statement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return text == nullptr ? std::string_view() : std::string_view(text, size);
}

Blob Statement::bytes(int column) const {
  const void* bytes = sqlite3_column_blob(statement_.get(), column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return {static_cast<const std::byte*>(bytes), bytes == nullptr ? 0 : size};
}

// A file in WAL mode on a medium that cannot be written is readable only when SQLite is told that
// nobody changes it. One whose writer was killed must be put right first, which takes writing.
Database::Database(std::string path, Access access) : path_(std::move(path)), access_(access) {
  if (access == Access::write) {
    open(path_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  } else {
    open(path_, SQLITE_OPEN_READONLY);
    const int code =
        sqlite3_exec(connection_.get(), "SELECT 1 FROM sqlite_master", nullptr, nullptr, nullptr);
    if (code == SQLITE_CANTOPEN && !std::filesystem::exists(path_ + "-wal"))
      open(immutable_uri(path_), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
    if (code == SQLITE_READONLY) open(path_, SQLITE_OPEN_READWRITE);
  }
}

void Database::open(const std::string& name, int flags) {
  sqlite3* connection = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &connection, flags, nullptr);
  connection_.reset(connection);
  if (code != SQLITE_OK) raise(connection);
  sqlite3_extended_result_codes(connection, 0);
  sqlite3_busy_timeout(connection, kPatienceMilliseconds);
}

Statement Database::prepare(std::string_view sql) const {
  return Statement(connection_.get(), sql);
}

void Database::execute(const char* sql) const {
  if (sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK)
    raise(connection_.get());
}

void Database::execute_patiently(const char* sql) const {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::milliseconds(kPatienceMilliseconds);
  for (;;) {
    const int code = sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr);
    if (code == SQLITE_OK) return;
    if (code != SQLITE_BUSY || Clock::now() >= until) raise(connection_.get());
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

std::int64_t Database::number(std::string_view sql) const {
  Statement statement = prepare(sql);
  return statement.next() ? statement.integer(0) : 0;
}

Database::~Database() {
  if (access_ == Access::read) return;
  sqlite3_busy_timeout(connection_.get(), 0);
  sqlite3_exec(connection_.get(), "PRAGMA journal_mode = DELETE", nullptr, nullptr, nullptr);
}

Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.execute("ROLLBACK");
  } catch (const DatabaseError&) {  // SQLite has rolled back by itself
  }
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

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
  database.execute_patiently("PRAGMA journal_mode = WAL");
  database.execute("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON");
  Transaction transaction(database);
  if (!has_tables(database)) {  // nobody else has made them meanwhile
    database.execute(kTables);
    database.execute(fmt::format("PRAGMA application_id = {}", kApplicationId).c_str());
    database.execute(fmt::format("PRAGMA user_version = {}", kSchemaVersion).c_str());
  }
  transaction.commit();
}

}  // namespace ebb::results
