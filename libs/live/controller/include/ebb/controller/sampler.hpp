// SPDX-License-Identifier: Apache-2.0
//
// Port counters of live switches as the samples that policies take: what the simulator measures,
// measured on real ports. A switch counts what its ports sent and received; the channel from a host
// is what its switch received there.
#pragma once

#include "ebb/controller/link_machine.hpp"
#include "ebb/policy/sample.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/units/energy.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace ebb::controller {

struct PortCount {
  End end{};
  std::uint64_t sent_bytes = 0;
  std::uint64_t received_bytes = 0;
  std::uint64_t sent_frames = 0;
};

// What a policy is told of a channel and does not change.
struct ChannelFacts {
  std::uint8_t tier = 0;
  std::vector<Power> level_power;  // by rate level
};

class Sampler {
 public:
  // Facts by channel.
  Sampler(const topology::Graph& graph, std::vector<ChannelFacts> facts);

  // Counters as they stand. One that is smaller than before began again at zero.
  void count(const PortCount& ports);

  // What was sent since the last sample; states by channel. The sample is valid until the next.
  [[nodiscard]] policy::Sample sample(TimePoint now, std::span<const policy::State> states);

  // Share of its rate that a channel sent in the last window.
  [[nodiscard]] double utilisation(topology::ChannelId channel) const;
  // And what that was, in bit/s.
  [[nodiscard]] double load(topology::ChannelId channel) const;

 private:
  struct Counter {
    bool known = false;
    std::uint64_t last = 0;
    std::uint64_t in_window = 0;
  };
  void add(topology::ChannelId channel, std::uint64_t bytes);

  const topology::Graph& graph_;
  std::vector<ChannelFacts> facts_;
  std::vector<Counter> counters_;  // by channel
  std::vector<policy::ChannelSample> channels_;
  TimePoint last_{};
  bool first_ = true;
};

}  // namespace ebb::controller
