// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/sampler.hpp"

#include <algorithm>
#include <utility>

namespace ebb::controller {

using topology::ChannelId;

Sampler::Sampler(const topology::Graph& graph, std::vector<ChannelFacts> facts)
    : graph_(graph), facts_(std::move(facts)), counters_(2 * std::size_t{graph.link_count()}) {
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

void Sampler::count(const PortCount& ports) {
  add(ports.end, ports.sent_bytes);
  // What arrives from another switch has been counted there.
  const ChannelId back = topology::reverse(ports.end);
  if (graph_.is_host(graph_.source(back))) add(back, ports.received_bytes);
}

void Sampler::add(ChannelId channel, std::uint64_t bytes) {
  Counter& counter = counters_[index(channel)];
  if (counter.known) counter.in_window += bytes >= counter.last ? bytes - counter.last : bytes;
  counter.known = true;
  counter.last = bytes;
}

policy::Sample Sampler::sample(TimePoint now, std::span<const policy::State> states) {
  const Duration window = first_ ? Duration{} : now - last_;
  for (std::uint32_t which = 0; which < channels_.size(); ++which) {
    policy::ChannelSample& channel = channels_[which];
    const topology::Link& link = graph_.link(topology::link_of(ChannelId{which}));
    const DataRate rate = graph_.rate_table(link)[index(states[which].rate_level)];
    const auto sent = static_cast<std::int64_t>(std::exchange(counters_[which].in_window, 0));
    channel.window = window;
    channel.sent = first_ ? DataSize{} : bytes(sent);
    // Counters and the clock are read a little apart, and bursts may pass a shaper: never above 1.
    channel.busy = std::min(window, serialization_time(channel.sent, rate));
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

double Sampler::load(ChannelId channel) const {
  const policy::ChannelSample& seen = channels_[index(channel)];
  if (seen.window <= Duration{}) return 0;
  return static_cast<double>(seen.sent.count()) /
         std::chrono::duration<double>(seen.window).count();
}

}  // namespace ebb::controller
