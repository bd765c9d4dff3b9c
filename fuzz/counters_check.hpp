// SPDX-License-Identifier: Apache-2.0
//
// What must hold of any counters and any mapping that were accepted, whatever kind of file they
// came from; each kind has a fuzzer of its own.
#pragma once

#include "ebb/core/check.hpp"
#include "ebb/counters/lldp.hpp"
#include "ebb/counters/reader.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/units/data.hpp"

#include <cmath>
#include <string>
#include <string_view>
#include <utility>

namespace ebb::fuzz {

inline const topology::Graph& triangle() {
  static const topology::Graph graph =
      *topology::build("complete", {{"switches", "3"}, {"hosts", "1"}}, {megabits_per_second(100)});
  return graph;
}

// Refused with an error, or loads of channels that are not known or not negative.
inline void check_counters(std::string_view text, const std::string& name) {
  counters::CounterReader reader({.most_loads = 1'000'000});
  reader.text(text, name);
  auto loads = std::move(reader).finish();
  if (!loads) {
    EBB_CHECK(!loads.error().empty(), "what is refused has an error");
    return;
  }
  EBB_CHECK(loads->step > counters::UnixTime{}, "a step is longer than nothing");
  for (const counters::Track& track : loads->tracks) {
    for (const float load : track.loads)
      EBB_CHECK(!counters::is_known(load) || (std::isfinite(load) && load >= 0),
                "a load is a rate");
  }
  for (const counters::Anomaly& one : loads->anomalies)
    EBB_CHECK(one.times > 0, "an anomaly was seen");
  const auto mapping = counters::propose(*loads, triangle(), {});
  if (!mapping) return;
  const auto channels = counters::channel_loads(std::move(*loads), *mapping, triangle(), 0.05);
  for (const auto& of_channel : channels.loads)
    EBB_CHECK(of_channel.empty() || of_channel.size() == channels.steps, "a load for each step");
}

// Refused with an error, or a mapping whose rows are read back.
inline void check_mapping(std::string_view text, const std::string& name) {
  const auto files = counters::read_mapping_text(text, name, triangle());
  if (!files) {
    EBB_CHECK(!files.error().empty(), "what is refused has an error");
    return;
  }
  counters::Loads loads{.step = std::chrono::minutes(5), .tracks = {}, .anomalies = {}};
  for (const counters::Neighbour& one : files->neighbours) {
    const std::string interface = triangle().name(one.device) + ":" + one.interface.front();
    loads.tracks.push_back({interface, counters::Direction::out, 0, {1}});
  }
  const counters::LldpMapping lldp = counters::propose_by_lldp(*files, triangle(), loads);
  for (const auto& [interface, end] : lldp.mapping) {
    EBB_CHECK(index(end) < triangle().channel_count(), "an end is a channel");
    EBB_CHECK(!lldp.unknown.contains(interface), "an interface is known, or not");
  }
  const std::string rows = counters::mapping_text(files->rows, triangle());
  const auto again = counters::read_mapping_text(rows, name, triangle());
  EBB_CHECK(again && again->rows == files->rows, "rows survive their text");
}

}  // namespace ebb::fuzz
