// SPDX-License-Identifier: Apache-2.0
//
// Files that say which interface is which end: rows, and tables of LLDP. What a file is shows in
// its first line.
#include "line_source.hpp"
#include "node_names.hpp"

#include "ebb/core/text_lines.hpp"
#include "ebb/counters/lldp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace ebb::counters {
namespace {

// Of a device; more is no table.
constexpr std::size_t kLargestTable = std::size_t{64} << 20;

class FilesOfMapping {
 public:
  explicit FilesOfMapping(const topology::Graph& graph) : graph_(graph), names_(graph) {}

  void read(LineSource& lines) {
    bool found = false;
    while (!found && lines.next()) found = !trimmed(lines.line()).empty();
    if (!found) return problems_.add("an empty file", {.file = lines.path()});
    const std::string_view first = trimmed(lines.line());
    const bool is_table = first.starts_with('{');
    const bool is_walk = first.starts_with('#') && first.find(',') == std::string_view::npos;
    lines.put_back();
    if (is_table) {
      read_table(lines);
    } else if (is_walk || first.find(" = ") != std::string_view::npos) {
      read_lldp_walks(lines, names_, files_, problems_);
    } else {
      read_rows(lines);
    }
  }
  void report(const Error& error) { problems_.add(error.message, error.where); }

  Result<MappingFiles> take() {
    if (!problems_.empty()) return fail(problems_.take());
    return std::move(files_);
  }

 private:
  void read_table(LineSource& lines) {
    std::string text;
    while (lines.next()) {
      text += lines.line();
      text += '\n';
      if (text.size() > kLargestTable)
        return problems_.add("larger than a table of neighbours", lines.where());
    }
    read_lldpcli(text, lines.path(), names_, files_, problems_);
  }

  void read_rows(LineSource& lines) {
    auto rows = read_mapping_rows(lines, graph_);
    if (!rows) {
      for (const Error& error : rows.error()) report(error);
      return;
    }
    for (const auto& [interface, end] : *rows) {
      if (!files_.rows.emplace(interface, end).second) {
        problems_.add(fmt::format("'{}' is in another file, too", shown(interface)),
                      {.file = lines.path()});
      }
    }
  }

  const topology::Graph& graph_;
  NodeNames names_;
  MappingFiles files_;
  Problems problems_;
};

}  // namespace

Result<MappingFiles> read_mappings(const std::vector<std::string>& paths,
                                   const topology::Graph& graph) {
  FilesOfMapping files(graph);
  for (const std::string& path : paths) {
    const std::vector<std::string> all = files_below(path);
    if (all.empty()) files.report({"a folder without files", {.file = path}});
    for (const std::string& file : all) {
      auto lines = LineSource::open(file);
      if (lines) {
        files.read(*lines);
      } else {
        files.report(lines.error()[0]);
      }
    }
  }
  return files.take();
}

Result<MappingFiles> read_mapping_text(std::string_view text, const std::string& name,
                                       const topology::Graph& graph) {
  FilesOfMapping files(graph);
  LineSource lines = LineSource::of(text, name);
  files.read(lines);
  return files.take();
}

}  // namespace ebb::counters
