// SPDX-License-Identifier: Apache-2.0
//
// Files of counters. What a file is shows in its first line:
//
//   {"status":"success","data":...       the answer of a Prometheus server to query_range
//   interface,time,in_bytes,out_bytes    a CSV file with a header; docs/replay.md lists the columns
//   unix time,rx,tx                      an interface of Hypnos and SWITCH, in bytes per second
//   node1,node2,interface,rx,tx          a step of SURFnet, in bit/s; its file's name has the time
//   # 1703858100 s0                      walks by snmpwalk, each after a line with time and device
//   ts,te,td,...  or firstSeen,...       flow records of nfdump (NetFlow, IPFIX, sFlow)
//
// A folder stands for the files in it and below it, in the order of their names.
//
//   const auto loads = read_counters({"week.csv"}, {});
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/counters/collector.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::counters {

struct ReadOptions {
  // None: the usual time between two readings; five minutes for flow records.
  std::optional<UnixTime> step;
  Width csv_width = Width::unknown;  // of counters in CSV files whose header does not tell it
  std::uint64_t most_loads = CollectorOptions{}.most_loads;
};

class FlowSums;
class LineSource;
class Problems;

// Several sources, one after the other.
class CounterReader {
 public:
  explicit CounterReader(const ReadOptions& options);
  ~CounterReader();
  CounterReader(const CounterReader&) = delete;
  CounterReader& operator=(const CounterReader&) = delete;

  // A file, or all files of a folder and below it.
  void file(const std::string& path);
  // What would stand in a file; errors name it `name`.
  void text(std::string_view text, const std::string& name);

  // So far, flow records not counted.
  [[nodiscard]] std::uint64_t readings() const { return collector_.readings(); }
  [[nodiscard]] bool has_errors() const { return !errors_.empty(); }
  // All errors of all sources.
  [[nodiscard]] Result<Loads> finish() &&;

 private:
  void read_lines(LineSource& lines, Problems& problems);

  ReadOptions options_;
  Collector collector_;
  std::unique_ptr<FlowSums> flows_;
  Errors errors_;
  std::string first_;  // source
};

// All errors of all files.
[[nodiscard]] Result<Loads> read_counters(const std::vector<std::string>& paths,
                                          const ReadOptions& options);

// "1703858100", "1703858100.25", milliseconds from 10^11 on, "2023-12-29T13:55:00Z",
// "2023-12-29 13:55:00" (UTC). Nothing: it is no time.
[[nodiscard]] std::optional<UnixTime> parse_time(std::string_view text);

}  // namespace ebb::counters
