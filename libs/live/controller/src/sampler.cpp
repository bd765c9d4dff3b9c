// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/sampler.hpp"

#include <algorithm>
#include <utility>

namespace ebb::controller {

using topology::ChannelId;

std::vector<ChannelFacts> channel_facts(const topology::Graph& graph,
                                        const forwarding::SleepableLinks& sleepable,
                                        const power::PortWatts& port) {
  std::vector<ChannelFacts> facts;
  for (std::uint32_t which = 0; which < graph.channel_count(); ++which) {
    const topology::LinkId link = topology::link_of(topology::ChannelId{which});
    facts.push_back({static_cast<std::uint8_t>(sleepable.may_sleep[index(link)] ? 1 : 0),
                     port.at(graph.rate_table(graph.link(link)))});
  }
  return facts;
}

Sampler::Sampler(const topology::Graph& graph, std::vector<ChannelFacts> facts)
    : graph_(graph),
      facts_(std::move(facts)),
      counters_(2 * std::size_t{graph.link_count()}),
      loads_(counters_.size()) {
  for (std::uint32_t which = 0; which < counters_.size(); ++which) {
    const ChannelId channel{which};
    const ChannelFacts& fact = facts_[which];
    channels_.push_back({.id = policy::ChannelId{which},
                         .reverse = policy::ChannelId{which ^ 1U},
                         .device = index(graph.source(channel)),
                         .to_host = graph.is_host(graph.target(channel)),
                         .tier = fact.tier,
                         .rate_levels = static_cast<std::uint8_t>(fact.level_power.size()),
                         .slowest = fact.level_power.front(),
                         .full = fact.level_power.back()});
  }
}

void Sampler::count(TimePoint now, const PortCount& ports) {
  add(now, ports.end, ports.sent_bytes);
  // What arrives from another switch has been counted there.
  const ChannelId back = topology::reverse(ports.end);
  if (graph_.is_host(graph_.source(back))) add(now, back, ports.received_bytes);
}

void Sampler::add(TimePoint now, ChannelId channel, std::uint64_t bytes) {
  Counter& counter = counters_[index(channel)];
  if (counter.read_at) {
    counter.in_window += growth(counter.last, bytes);
  } else {
    counter.window_at = now;
  }
  counter.read_at = now;
  counter.last = bytes;
}

// What a channel sent between the two readings that are nearest to the ends of the window, as much
// of it as the window is long.
DataSize Sampler::sent_in(Duration window, ChannelId channel) {
  Counter& counter = counters_[index(channel)];
  if (counter.read_at && *counter.read_at > counter.window_at) {
    const std::chrono::duration<double> between = *counter.read_at - counter.window_at;
    const DataSize sent = bytes(static_cast<std::int64_t>(std::exchange(counter.in_window, 0)));
    loads_[index(channel)] = static_cast<double>(sent.count()) / between.count();
    const bool is_whole = *counter.read_at - counter.window_at == window;
    counter.load_since = std::exchange(counter.window_at, *counter.read_at);
    if (is_whole) return sent;
  }
  const double seconds = std::chrono::duration<double>(window).count();
  return DataSize::from_count(static_cast<std::int64_t>(loads_[index(channel)] * seconds));
}

policy::Sample Sampler::sample(TimePoint now, std::span<const policy::State> states,
                               const Stall& stall) {
  const Duration window = first_ ? Duration{} : now - last_;
  for (std::uint32_t which = 0; which < channels_.size(); ++which) {
    policy::ChannelSample& channel = channels_[which];
    const topology::Link& link = graph_.link(topology::link_of(ChannelId{which}));
    const DataRate rate = graph_.rate_table(link)[index(states[which].rate_level)];
    channel.window = window;
    channel.sent = sent_in(window, ChannelId{which});
    // Counters and the clock are read a little apart, and bursts may pass a shaper: never above 1.
    channel.busy = std::min(window, serialization_time(channel.sent, rate));
    channel.wake_stall = stall(ChannelId{which});
    channel.state = states[which];
  }
  first_ = false;
  last_ = now;
  return {now, channels_};
}

double Sampler::utilisation(ChannelId channel) const {
  const policy::ChannelSample& seen = channels_[index(channel)];
  if (seen.window <= Duration{}) return 0;
  return static_cast<double>(seen.busy.count()) / static_cast<double>(seen.window.count());
}

std::optional<Duration> Sampler::age(TimePoint now, ChannelId channel) const {
  const auto& read_at = counters_[index(channel)].read_at;
  return read_at ? std::optional(now - *read_at) : std::nullopt;
}

}  // namespace ebb::controller
