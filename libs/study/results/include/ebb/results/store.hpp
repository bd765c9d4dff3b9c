// SPDX-License-Identifier: Apache-2.0
//
// The results file: runs in one SQLite database. docs/results.md has its tables; other programs may
// read them.
//
//   auto store = Store::open_to_write("runs.db");   // made when it does not exist
//   store->put(record);                             // one transaction: all of it or nothing
//
//   const auto store = Store::open_to_read("runs.db");
//   for (const Run& run : *store->runs()) ... run.metric("power.relative") ...
//
// Several processes may have one file open; a writer waits for another. A Store is used by one
// thread at a time. What fails comes back as an error that names the file.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/results/run.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::results {

inline constexpr int kSchemaVersion = 1;

class Database;

class Store {
 public:
  [[nodiscard]] static Result<Store> open_to_write(const std::string& path);
  [[nodiscard]] static Result<Store> open_to_read(const std::string& path);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  // Replaces a run of the same key, which keeps its id. `wall_seconds` goes to the log, which is
  // no part of the content.
  [[nodiscard]] Result<std::int64_t> put(const Record& record,
                                         std::optional<double> wall_seconds = std::nullopt);

  // All runs with parameters and metrics, ordered by label, parameters, seed and key: never by the
  // order in which they were stored.
  [[nodiscard]] Result<std::vector<Run>> runs() const;
  [[nodiscard]] Result<std::vector<Histogram>> histograms(std::int64_t run) const;
  [[nodiscard]] Result<std::vector<StateTime>> residency(std::int64_t run) const;
  [[nodiscard]] Result<std::vector<Channel>> channels(std::int64_t run) const;
  [[nodiscard]] Result<std::optional<Series>> series(std::int64_t run) const;
  [[nodiscard]] Result<Record> record(const Run& run) const;

  // Keys of the stored runs, ascending.
  struct Known {
    std::string key;
    Status status = Status::done;
  };
  [[nodiscard]] Result<std::vector<Known>> keys() const;
  // Of the run with that key; none when it is not stored.
  [[nodiscard]] Result<std::optional<Status>> status_of(const std::string& key) const;

 private:
  explicit Store(std::unique_ptr<Database> database);

  std::unique_ptr<Database> database_;
};

// The run that `text` names: its id, its key or the beginning of it.
[[nodiscard]] Result<const Run*> find_run(const std::vector<Run>& runs, std::string_view text);

}  // namespace ebb::results
