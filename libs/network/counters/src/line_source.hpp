// SPDX-License-Identifier: Apache-2.0
//
// A text file line by line, read in pieces: a year of counters is larger than memory. And the
// readers by kind of file: each goes on after an error, so that all of a file are reported.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/counters/collector.hpp"
#include "ebb/counters/mapping.hpp"
#include "ebb/counters/reader.hpp"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::counters {

class LineSource {
 public:
  [[nodiscard]] static Result<LineSource> open(const std::string& path);
  // Of a text that is in memory; `name` is the path of its places.
  [[nodiscard]] static LineSource of(std::string_view text, std::string name);

  // To the next line. False at the end of the file.
  bool next();
  [[nodiscard]] std::string_view line() const { return line_; }  // without its end
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] Location where() const { return {.file = path_, .line = number_}; }
  // The line again with the next call of next().
  void put_back() { is_put_back_ = true; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { (void)std::fclose(file); }
  };
  LineSource(std::string path, std::unique_ptr<std::FILE, Close> file)
      : path_(std::move(path)), file_(std::move(file)) {}
  [[nodiscard]] bool read_more();

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // of what was not taken yet
  std::size_t end_ = 0;
  std::string_view line_;
  int number_ = 0;
  bool is_put_back_ = false;
};

// The files of a folder and below it, in the order of their names; else the path itself.
[[nodiscard]] std::vector<std::string> files_below(const std::string& path);

// What a reader of one file reports. After kMost errors it may stop.
class Problems {
 public:
  static constexpr std::size_t kMost = 100;
  void add(std::string message, Location where) {
    if (errors_.size() < kMost) errors_.push_back({std::move(message), std::move(where)});
  }
  [[nodiscard]] bool full() const { return errors_.size() >= kMost; }
  [[nodiscard]] bool empty() const { return errors_.empty(); }
  [[nodiscard]] std::size_t count() const { return errors_.size(); }
  [[nodiscard]] Errors take() { return std::move(errors_); }

 private:
  Errors errors_;
};

void read_csv(LineSource& lines, const ReadOptions& options, Collector& collector,
              Problems& problems);
void read_snmp_walks(LineSource& lines, Collector& collector, Problems& problems);
void read_prometheus(const std::string& path, Collector& collector, Problems& problems);
void read_prometheus_text(std::string_view text, const std::string& name, Collector& collector,
                          Problems& problems);

class NodeNames;
struct MappingFiles;

// `lldpcli show neighbors -f json`. The device is named by the file, or by its folder.
void read_lldpcli(std::string_view text, const std::string& path, const NodeNames& names,
                  MappingFiles& files, Problems& problems);
// Walks of LLDP-MIB (IEEE 802.1AB-2005, clause 12).
void read_lldp_walks(LineSource& lines, const NodeNames& names, MappingFiles& files,
                     Problems& problems);
// Of a file with interface,from,to.
[[nodiscard]] Result<Mapping> read_mapping_rows(LineSource& lines, const topology::Graph& graph);

}  // namespace ebb::counters
