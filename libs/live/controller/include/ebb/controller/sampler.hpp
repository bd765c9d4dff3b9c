// SPDX-License-Identifier: Apache-2.0
//
// Port counters of live switches as the samples that policies take: what the simulator measures,
// measured on real ports. A switch counts what its ports sent and received; the channel from a host
// is what its switch received there.
//
// A counter that was not read is not a counter that did not grow: load is what was sent between the
// two latest readings that are a window apart, a channel without a new reading is taken to send as
// it did, and how old its reading is can be asked.
#pragma once

#include "ebb/controller/order.hpp"
#include "ebb/forwarding/reachability.hpp"
#include "ebb/policy/sample.hpp"
#include "ebb/power/port_watts.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/units/energy.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace ebb::controller {

struct PortCount {
  End end{};
  std::uint64_t sent_bytes = 0;
  std::uint64_t received_bytes = 0;
  std::uint64_t sent_frames = 0;
};

// By how much a counter has grown. One that is smaller than before began again at zero.
[[nodiscard]] constexpr std::uint64_t growth(std::uint64_t before, std::uint64_t now) {
  return now >= before ? now - before : now;
}

// What a policy is told of a channel and does not change.
struct ChannelFacts {
  std::uint8_t tier = 0;
  std::vector<Power> level_power;  // by rate level
};
// Links that may sleep are of tier 1, all others of tier 0; a channel draws what its port does.
[[nodiscard]] std::vector<ChannelFacts> channel_facts(const topology::Graph& graph,
                                                      const forwarding::SleepableLinks& sleepable,
                                                      const power::PortWatts& port);

// What a policy is told of the tables: by which outputs a frame may leave a switch whatever sleeps.
// These are the output of its rule and those that take over without the rerouted tag, as parallel
// links and the other uplinks of a leaf. A frame that gets the tag makes a detour: what it takes is
// for failures and for links that sleep by themselves, and no equal choice. Satisfies
// policy::check. A destination is the node of one host of those that no table tells apart.
[[nodiscard]] std::vector<policy::NextHopSet> next_hops_of(const forwarding::TableWalker& walker);

class Sampler {
 public:
  // Facts by channel.
  Sampler(const topology::Graph& graph, std::vector<ChannelFacts> facts);

  // Counters as they stand. One that is smaller than before began again at zero.
  void count(TimePoint now, const PortCount& ports);

  // What was sent since the last sample; states by channel. The sample is valid until the next.
  // `stall` is how long each channel was waited for, where that is known.
  using Stall = std::function<Duration(topology::ChannelId)>;
  [[nodiscard]] policy::Sample sample(
      TimePoint now, std::span<const policy::State> states,
      const Stall& stall = [](topology::ChannelId) { return Duration{}; });

  // Share of its rate that a channel sent in the last window.
  [[nodiscard]] double utilisation(topology::ChannelId channel) const;
  // And what that was, in bit/s.
  [[nodiscard]] double load(topology::ChannelId channel) const { return loads_[index(channel)]; }
  // The reading at which the window of that load began; none: it was not measured.
  [[nodiscard]] std::optional<TimePoint> load_since(topology::ChannelId channel) const {
    return counters_[index(channel)].load_since;
  }
  // How long ago its counter was read; none: never.
  [[nodiscard]] std::optional<Duration> age(TimePoint now, topology::ChannelId channel) const;

 private:
  struct Counter {
    std::optional<TimePoint> read_at;  // the last reading
    std::uint64_t last = 0;
    TimePoint window_at{};  // the reading that was the last in the sample before
    std::uint64_t in_window = 0;
    std::optional<TimePoint> load_since;
  };
  void add(TimePoint now, topology::ChannelId channel, std::uint64_t bytes);
  [[nodiscard]] DataSize sent_in(Duration window, topology::ChannelId channel);

  const topology::Graph& graph_;
  std::vector<ChannelFacts> facts_;
  std::vector<Counter> counters_;  // by channel
  std::vector<double> loads_;      // by channel, bit/s
  std::vector<policy::ChannelSample> channels_;
  TimePoint last_{};
  bool first_ = true;
};

}  // namespace ebb::controller
