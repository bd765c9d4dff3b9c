// SPDX-License-Identifier: Apache-2.0
#include "ebb/counters/reader.hpp"

#include "flow_records.hpp"
#include "line_source.hpp"

#include "ebb/core/text_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace ebb::counters {
namespace {

namespace fs = std::filesystem;

// How often nfcapd and sfcapd begin a new file.
constexpr UnixTime kStepOfFlows = std::chrono::minutes(5);
constexpr std::size_t kLookedAt = 64;  // of a text, to see what it is

bool to_first_line(LineSource& lines) {
  while (lines.next()) {
    if (!trimmed(lines.line()).empty()) return true;
  }
  return false;
}

void append(Errors& errors, Errors more) {
  errors.insert(errors.end(), std::make_move_iterator(more.begin()),
                std::make_move_iterator(more.end()));
}

}  // namespace

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

CounterReader::CounterReader(const ReadOptions& options)
    : options_(options),
      collector_({.step = options.step, .most_loads = options.most_loads}),
      flows_(std::make_unique<FlowSums>(options.step.value_or(kStepOfFlows))) {}

CounterReader::~CounterReader() = default;

// What a text is shows in its first line that is not empty.
void CounterReader::read_lines(LineSource& lines, Problems& problems) {
  const std::string_view first = trimmed(lines.line());
  const bool is_walk = first.starts_with('#') || first.find(" = ") != std::string_view::npos;
  const bool is_flows = !is_walk && names_flow_records(first);
  lines.put_back();
  if (is_walk) return read_snmp_walks(lines, collector_, problems);
  if (is_flows) return read_flow_records(lines, *flows_, problems);
  read_csv(lines, options_, collector_, problems);
}

void CounterReader::file(const std::string& path) {
  if (first_.empty()) first_ = path;
  const std::vector<std::string> files = files_below(path);
  if (files.empty()) errors_.push_back({"a folder without files", {.file = path}});
  for (const std::string& file : files) {
    Problems problems;
    auto source = LineSource::open(file);
    if (!source) {
      append(errors_, source.error());
    } else if (!to_first_line(*source)) {
      problems.add("an empty file", {.file = file});
    } else if (trimmed(source->line()).starts_with('{')) {
      read_prometheus(file, collector_, problems);
    } else {
      read_lines(*source, problems);
    }
    append(errors_, problems.take());
  }
}

void CounterReader::text(std::string_view text, const std::string& name) {
  if (first_.empty()) first_ = name;
  Problems problems;
  if (trimmed(text.substr(0, kLookedAt)).starts_with('{')) {
    read_prometheus_text(text, name, collector_, problems);
  } else {
    LineSource source = LineSource::of(text, name);
    if (to_first_line(source)) {
      read_lines(source, problems);
    } else {
      problems.add("an empty file", {.file = name});
    }
  }
  append(errors_, problems.take());
}

Result<Loads> CounterReader::finish() && {
  if (!flows_->empty()) {
    if (auto done = flows_->hand_over(collector_); !done) append(errors_, done.error());
  }
  if (!errors_.empty()) return fail(errors_);
  auto loads = std::move(collector_).finish();
  if (loads) return loads;
  for (Error& error : loads.error()) error.where.file = first_;
  return loads;
}

Result<Loads> read_counters(const std::vector<std::string>& paths, const ReadOptions& options) {
  CounterReader reader(options);
  for (const std::string& path : paths) reader.file(path);
  return std::move(reader).finish();
}

}  // namespace ebb::counters
