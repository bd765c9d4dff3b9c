// SPDX-License-Identifier: Apache-2.0
//
// Which interface is which end of which link, and what the channels of a graph carried.
//
//   s0-s1            the end at s0 of the link between s0 and s1; s0-s1.2: the second of parallel
//   s0:s1, s0->s1    links. Every mark between the names means the same
//   s0:p3, s0:3      the third output of s0, counted from 1, as in rules and drivers
//
// Names are proposed by these forms; a mapping file says what they do not, or says it otherwise:
//
//   interface,from,to
//   core1:Ethernet1/4,s0,s1
//
// Both ends of a link count the same frames. Where both are there a load is their mean, and links
// whose ends differ by more than the tolerance over the whole time are listed, with the shift in
// steps that would make them agree better.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/counters/collector.hpp"
#include "ebb/topology/graph.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::counters {

// The end of a link by interface: the channel that leaves the device there.
using Mapping = std::map<std::string, topology::ChannelId>;

// Says more than names do; may leave out interfaces that names tell.
[[nodiscard]] Result<Mapping> read_mapping(const std::string& path, const topology::Graph& graph);

// By names, and by `given` where that has the interface. Errors: two interfaces for one end, and
// names of `given` that no track has. Names of interfaces in `not_by_name` mean nothing.
[[nodiscard]] Result<Mapping> propose(const Loads& loads, const topology::Graph& graph,
                                      const Mapping& given,
                                      const std::set<std::string>& not_by_name = {});

// Two ends that do not agree: octets that went in at one are not those that came out at the other.
struct Disagreement {
  topology::ChannelId channel{};
  double sent = 0;  // bits in all, as its sender counted in the steps that both know
  double received = 0;
  int shift = 0;  // in steps, of the receiver's clock, with which the two differ least
};

// By channel: bit/s by step from `first` on, kUnknown where it is not known.
struct ChannelLoads {
  UnixTime step{};
  std::int64_t first = 0;  // steps since 1970
  std::size_t steps = 0;
  std::vector<std::vector<float>> loads;  // by channel; empty: nobody counts it

  std::vector<std::string> unmapped;        // interfaces that are no end of a link
  std::vector<topology::LinkId> uncounted;  // links between switches that nobody counts
  std::vector<Disagreement> disagreements;
  std::uint64_t too_fast = 0;  // loads above the rate of their link: not known
  std::uint64_t unknown = 0;   // loads of counted channels between switches

  [[nodiscard]] UnixTime begin() const { return step * first; }
};

// Takes the tracks: they are as large as what is made of them. Tolerance is a share of the load.
[[nodiscard]] ChannelLoads channel_loads(Loads loads, const Mapping& mapping,
                                         const topology::Graph& graph, double tolerance);

}  // namespace ebb::counters
