// SPDX-License-Identifier: Apache-2.0
//
// Flow records (NetFlow, IPFIX, sFlow) as loads of interfaces. A record says how many bytes came in
// by one interface of a device and left by another one, from its first to its last frame; the bytes
// are spread evenly over that time.
//
// A device that had no record in a whole step may have been silent, or its records were lost: the
// load of all its interfaces is not known there. In the other steps an interface without a record
// carried nothing.
#pragma once

#include "line_source.hpp"

#include "ebb/counters/collector.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace ebb::counters {

struct FlowRecord {
  std::string_view device;   // empty: the only one
  std::uint32_t input = 0;   // ifIndex; 0: none, such as a frame of the device itself
  std::uint32_t output = 0;  // likewise
  std::uint64_t bytes = 0;   // that came in by `input`
  std::uint64_t back = 0;    // that came in by `output`: both directions in one record
  UnixTime from{};
  UnixTime until{};
};

// Of all files: a flow may be cut into records of several.
class FlowSums {
 public:
  explicit FlowSums(UnixTime step) : step_(step) {}

  // False: it lasts longer than records can, so a time of it is wrong.
  [[nodiscard]] bool add(const FlowRecord& flow, const Location& where);
  [[nodiscard]] bool empty() const { return devices_.empty(); }
  // As rates, in the order of time. Fails when other counters came in other steps.
  [[nodiscard]] Result<void> hand_over(Collector& collector) const;

 private:
  using BitsByStep = std::map<std::int64_t, double>;
  struct Interface {
    BitsByStep in;
    BitsByStep out;
    Location first;
  };
  struct Device {
    std::set<std::int64_t> steps;  // with a record
    UnixTime begin{};
    UnixTime end{};
    std::map<std::uint32_t, Interface> interfaces;
  };

  void spread(BitsByStep& sums, const FlowRecord& flow, std::uint64_t bytes) const;
  [[nodiscard]] double seconds_seen(const Device& device, std::int64_t step) const;
  void hand_over(Collector& collector, const Device& device, const std::string& interface,
                 Direction direction, const BitsByStep& sums, const Location& first) const;

  UnixTime step_;
  std::map<std::string, Device, std::less<>> devices_;
};

// CSV files of nfdump.
void read_flow_records(LineSource& lines, FlowSums& sums, Problems& problems);
// Is it the first line of one?
[[nodiscard]] bool names_flow_records(std::string_view header);

}  // namespace ebb::counters
