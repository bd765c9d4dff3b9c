// SPDX-License-Identifier: Apache-2.0
//
// SQLite as values: a connection, prepared statements, transactions that roll back unless they are
// committed. Everything that fails throws DatabaseError, which does not leave this folder: Store
// turns it into an error with the name of the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <sqlite3.h>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ebb::results {

struct DatabaseError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Blob = std::span<const std::byte>;

class Statement {
 public:
  // Fills the next `?`, in order. Text and bytes must live until the statement has run.
  Statement& bind(std::int64_t value);
  Statement& bind(double value);
  Statement& bind(std::string_view value);
  Statement& bind(Blob value);

  // True while there is a row. After the last one the statement can be bound again.
  [[nodiscard]] bool next();
  // For statements without rows.
  void run();

  // Of the present row. Text and bytes are valid until the next one.
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] double real(int column) const;
  [[nodiscard]] std::string_view text(int column) const;
  [[nodiscard]] Blob bytes(int column) const;

 private:
  friend class Database;
  Statement(sqlite3* connection, std::string_view sql);
  void check(int code) const;

  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  sqlite3* connection_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int bound_ = 0;
};

class Database {
 public:
  enum class Access { read, write };
  Database(std::string path, Access access);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  // A writer leaves one file without companions, unless somebody else has it open.
  ~Database();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] Statement prepare(std::string_view sql) const;
  // Statements without values and results, separated by ';'.
  void execute(const char* sql) const;
  // The same for one statement that another connection can refuse at once: SQLite does not wait
  // where two might wait for each other, as when both change the journal mode.
  void execute_patiently(const char* sql) const;
  // The value that a PRAGMA or a SELECT of one number gives.
  [[nodiscard]] std::int64_t number(std::string_view sql) const;

 private:
  void open(const std::string& name, int flags);

  struct Close {
    void operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }
  };
  std::string path_;
  Access access_;
  std::unique_ptr<sqlite3, Close> connection_;
};

class Transaction {
 public:
  explicit Transaction(const Database& database) : database_(database) {
    database_.execute("BEGIN IMMEDIATE");
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();
  void commit();

 private:
  const Database& database_;
  bool open_ = true;
};

// The tables of a results file, and how a file is told from others. docs/results.md describes each
// column; a change here is a new kSchemaVersion.
//
// Makes the tables in an empty file. Throws DatabaseError for a file of another program or of
// another version of the schema.
void prepare_to_write(const Database& database);

// Throws likewise, and for an empty file.
void check_schema(const Database& database);

}  // namespace ebb::results
