// SPDX-License-Identifier: Apache-2.0
#include "ebb/counters/reader.hpp"

#include "line_source.hpp"

#include "ebb/core/text_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace ebb::counters {
namespace {

namespace fs = std::filesystem;

// The files of a folder and below, in the order of their names.
std::vector<std::string> files_below(const std::string& path) {
  std::error_code problem;
  if (!fs::is_directory(path, problem)) return {path};
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path, problem)) {
    if (entry.is_regular_file(problem)) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void read_one(const std::string& path, const ReadOptions& options, Collector& collector,
              Problems& problems) {
  auto lines = LineSource::open(path);
  if (!lines) return problems.add(lines.error()[0].message, lines.error()[0].where);
  bool found = false;
  while (!found && lines->next()) found = !trimmed(lines->line()).empty();
  if (!found) return problems.add("an empty file", {.file = path});
  const std::string_view first = trimmed(lines->line());
  if (first.starts_with('{')) return read_prometheus(path, collector, problems);
  lines->put_back();
  const bool is_walk = first.starts_with('#') || first.find(" = ") != std::string_view::npos;
  if (is_walk) return read_snmp_walks(*lines, collector, problems);
  read_csv(*lines, options, collector, problems);
}

}  // namespace

Result<Loads> read_counters(const std::vector<std::string>& paths, const ReadOptions& options) {
  Collector collector({.step = options.step});
  Errors errors;
  for (const std::string& path : paths) {
    const std::vector<std::string> files = files_below(path);
    if (files.empty()) errors.push_back({"a folder without files", {.file = path}});
    for (const std::string& file : files) {
      Problems problems;
      read_one(file, options, collector, problems);
      for (Error& error : problems.take()) errors.push_back(std::move(error));
    }
  }
  if (!errors.empty()) return fail(errors);
  auto loads = std::move(collector).finish();
  if (loads) return loads;
  for (Error& error : loads.error())
    error.where.file = paths.empty() ? std::string() : paths.front();
  return loads;
}

}  // namespace ebb::counters
