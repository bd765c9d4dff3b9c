// SPDX-License-Identifier: Apache-2.0
//
// Files of counters. What a file is shows in its first line:
//
//   {"status":"success","data":...       the answer of a Prometheus server to query_range
//   interface,time,in_bytes,out_bytes    a CSV file with a header; docs/replay.md lists the columns
//   unix time,rx,tx                      an interface of Hypnos and SWITCH, in bytes per second
//   node1,node2,interface,rx,tx          a step of SURFnet, in bit/s; the time is in the file's
//   name # 1703858100 s0                      walks by snmpwalk, each after a line with time and
//   device
//
// A folder stands for the files in it and below it, in the order of their names.
//
//   const auto loads = read_counters({"week.csv"}, {});
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/counters/collector.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::counters {

struct ReadOptions {
  std::optional<UnixTime> step;      // none: the usual time between two readings
  Width csv_width = Width::unknown;  // of counters in CSV files whose header does not tell it
};

// All errors of all files.
[[nodiscard]] Result<Loads> read_counters(const std::vector<std::string>& paths,
                                          const ReadOptions& options);

// "1703858100", "1703858100.25", milliseconds from 10^11 on, "2023-12-29T13:55:00Z",
// "2023-12-29 13:55:00" (UTC). Nothing: it is no time.
[[nodiscard]] std::optional<UnixTime> parse_time(std::string_view text);

}  // namespace ebb::counters
