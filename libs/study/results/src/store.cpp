// SPDX-License-Identifier: Apache-2.0
#include "ebb/results/store.hpp"

#include "database.hpp"
#include "rows.hpp"

#include "ebb/results/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace ebb::results {
namespace {

// Shorter ones are typing mistakes rather than names.
constexpr std::size_t kShortestPrefix = 4;

Failure failed(const std::string& path, const DatabaseError& problem) {
  return fail(problem.what(), {.file = path});
}

// What `read` gives, or the error that it throws.
template <class Read>
auto guarded(const Database& database, Read read) -> Result<decltype(read())> {
  try {
    return read();
  } catch (const DatabaseError& problem) {
    return failed(database.path(), problem);
  }
}

}  // namespace

Store::Store(std::unique_ptr<Database> database) : database_(std::move(database)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

namespace {

// SQLite would call it a disk I/O error.
bool is_folder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

Failure is_a_directory(const std::string& path) {
  return fail("is a directory; a results file is meant", {.file = path});
}

}  // namespace

Result<Store> Store::open_to_write(const std::string& path) {
  if (is_folder(path)) return is_a_directory(path);
  try {
    auto database = std::make_unique<Database>(path, Database::Access::write);
    prepare_to_write(*database);
    return Store(std::move(database));
  } catch (const DatabaseError& problem) {
    return failed(path, problem);
  }
}

Result<Store> Store::open_to_read(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return fail("there is no such file", {.file = path});
  if (is_folder(path)) return is_a_directory(path);
  try {
    auto database = std::make_unique<Database>(path, Database::Access::read);
    check_schema(*database);
    return Store(std::move(database));
  } catch (const DatabaseError& problem) {
    return failed(path, problem);
  }
}

Result<std::int64_t> Store::put(const Record& record, std::optional<double> wall_seconds) {
  return guarded(*database_, [&] {
    Transaction transaction(*database_);
    const std::int64_t id = write_record(*database_, record, wall_seconds);
    transaction.commit();
    return id;
  });
}

Result<std::vector<Run>> Store::runs() const {
  return guarded(*database_, [&] {
    std::vector<Run> runs = read_runs(*database_);
    std::sort(runs.begin(), runs.end(), shown_before);
    return runs;
  });
}

Result<std::vector<Histogram>> Store::histograms(std::int64_t run) const {
  return guarded(*database_, [&] { return read_histograms(*database_, run); });
}

Result<std::vector<StateTime>> Store::residency(std::int64_t run) const {
  return guarded(*database_, [&] { return read_residency(*database_, run); });
}

Result<std::vector<Channel>> Store::channels(std::int64_t run) const {
  return guarded(*database_, [&] { return read_channels(*database_, run); });
}

Result<std::optional<Series>> Store::series(std::int64_t run) const {
  return guarded(*database_, [&] { return read_series(*database_, run); });
}

Result<Record> Store::record(const Run& run) const {
  return guarded(*database_, [&] {
    return Record{run, read_histograms(*database_, run.id), read_residency(*database_, run.id),
                  read_channels(*database_, run.id), read_series(*database_, run.id)};
  });
}

Result<std::vector<Store::Known>> Store::keys() const {
  return guarded(*database_, [&] {
    std::vector<Known> keys;
    Statement row = database_->prepare("SELECT key, status FROM runs ORDER BY key");
    while (row.next()) {
      keys.push_back(
          {std::string(row.text(0)), row.text(1) == "done" ? Status::done : Status::failed});
    }
    return keys;
  });
}

Result<std::optional<Status>> Store::status_of(const std::string& key) const {
  return guarded(*database_, [&]() -> std::optional<Status> {
    Statement row = database_->prepare("SELECT status FROM runs WHERE key = ?");
    row.bind(key);
    if (!row.next()) return std::nullopt;
    return row.text(0) == "done" ? Status::done : Status::failed;
  });
}

Result<const Run*> find_run(const std::vector<Run>& runs, std::string_view text) {
  for (const Run& run : runs) {
    if (std::to_string(run.id) == text) return &run;
  }
  const Run* found = nullptr;
  std::size_t matches = 0;
  for (const Run& run : runs) {
    if (text.size() < kShortestPrefix || !run.key.starts_with(text)) continue;
    found = &run;
    ++matches;
  }
  if (matches == 1) return found;
  if (matches > 1) return fail(fmt::format("'{}' begins the keys of {} runs", text, matches));
  return fail(fmt::format("no run has the number or the key '{}' (ebb results list)", text));
}

}  // namespace ebb::results
