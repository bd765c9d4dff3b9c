// SPDX-License-Identifier: Apache-2.0
#include "ebb/simulated/cables.hpp"

#include "ebb/units/text.hpp"

#include <algorithm>

namespace ebb::simulated {

namespace {

constexpr int kMostWaits = 1000;  // for a channel that drains

}  // namespace

using topology::ChannelId;

Cables::Cables(netsim::Network& network, const topology::Graph& graph, Pace pace)
    : network_(network), graph_(graph), pace_(pace), down_(2 * std::size_t{graph.link_count()}) {}

void Cables::pass_time() { network_.run_until(network_.now() + pace_.question); }

std::string Cables::apply(ChannelId channel, const policy::Order& order) {
  const policy::Action action{policy::ChannelId{index(channel)}, order};
  policy::Outcome outcome = network_.apply(action);
  // It must have arrived where it is going before it can turn round.
  for (int i = 0; outcome.reason == policy::Reason::changing && i < kMostWaits; ++i) {
    network_.run_until(std::max(network_.state(channel).until, network_.now() + pace_.question));
    outcome = network_.apply(action);
  }
  if (outcome.reason == policy::Reason::done) return "";
  return std::string(policy::to_text(outcome.reason));
}

std::string Cables::set_end(ChannelId end, bool up) {
  down_[index(end)] = !up;
  const bool whole = !down_[index(end)] && !down_[index(topology::reverse(end))];
  const policy::Order order =
      whole ? policy::Order{policy::Wake{}} : policy::Order{policy::Sleep{}};
  for (const ChannelId channel : {end, topology::reverse(end)}) {
    if (std::string why = apply(channel, order); !why.empty()) return why;
  }
  return "";
}

std::span<const DataRate> Cables::ladder(ChannelId channel) const {
  return graph_.ladder(graph_.link(topology::link_of(channel)));
}

std::string Cables::set_rate(ChannelId end, DataRate rate) {
  const auto rates = ladder(end);
  const auto step = std::find(rates.begin(), rates.end(), rate);
  if (step == rates.end()) return to_text(rate) + " is not on the ladder of the link";
  return apply(end,
               policy::SetStep{policy::RateStep{static_cast<std::uint8_t>(step - rates.begin())}});
}

bool Cables::carries(ChannelId channel) const {
  const policy::State state = network_.state(channel);
  return state.mode == policy::Mode::active && !state.changing;
}

drivers::PortFound Cables::found(ChannelId end) const {
  return {down_[index(end)], !down_[index(end)] && !down_[index(topology::reverse(end))] &&
                                 carries(end) && carries(topology::reverse(end))};
}

DataRate Cables::rate(ChannelId end) const { return ladder(end)[index(network_.state(end).step)]; }

drivers::PortTraffic Cables::traffic(ChannelId end) const {
  constexpr std::int64_t kBitsPerByte = 8;
  const DataSize sent = network_.use(end).sent;
  const DataSize received = network_.use(topology::reverse(end)).sent;
  const std::int64_t packets = (sent.count() + pace_.packet.count() - 1) / pace_.packet.count();
  return {0, static_cast<std::uint64_t>(sent.count() / kBitsPerByte),
          static_cast<std::uint64_t>(received.count() / kBitsPerByte),
          static_cast<std::uint64_t>(packets)};
}

}  // namespace ebb::simulated
