// SPDX-License-Identifier: Apache-2.0
#include "blocked_chain.hpp"

#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::netsim {
namespace {

constexpr std::size_t kLongestChain = 64;

}  // namespace

std::optional<BlockedChain::Place> BlockedChain::first_waiting() const {
  for (std::uint32_t number = 0; number < net_.channels.size(); ++number) {
    for (std::uint8_t vc = 0; vc < net_.virtual_channels_of(ChannelId{number}); ++vc) {
      const Place place{ChannelId{number}, vc};
      if (queue(place).head != kNoPacket) return place;
    }
  }
  return std::nullopt;
}

bool BlockedChain::holds_packet_of(Place place, Place buffer) const {
  const PacketPool& packets = packets_of(place);
  for (PacketIndex i = queue(place).head; i != kNoPacket; i = packets[i].next) {
    if (packets[i].input_channel == buffer.channel && packets[i].input_vc == buffer.vc) return true;
  }
  return false;
}

std::optional<BlockedChain::Place> BlockedChain::waiting_in_buffer(Place buffer) const {
  if (!net_.input_vc_states.empty()) {
    const VcPlace requested = net_.input_vc_states[net_.place(buffer.channel, buffer.vc)].requested;
    if (requested != kNoPlace) return Place{net_.channel_of(requested), net_.vc_of(requested)};
  }
  const NodeId node = net_.fixed(buffer.channel).target;
  for (const topology::ChannelId output : net_.config.graph.outputs(node)) {
    for (std::uint8_t vc = 0; vc < net_.virtual_channels_of(output); ++vc) {
      const Place place{output, vc};
      if (holds_packet_of(place, buffer)) return place;
    }
  }
  return std::nullopt;
}

std::string BlockedChain::name(ChannelId channel) const {
  const topology::Graph& graph = net_.config.graph;
  return fmt::format("{} -> {}", graph.name(graph.source(channel)),
                     graph.name(graph.target(channel)));
}

std::string BlockedChain::why_waiting(Place place) const {
  const std::string where = fmt::format("{} virtual channel {}", name(place.channel), place.vc);
  const policy::State state = net_.state(place.channel, now_);
  if (state.mode == policy::Mode::asleep) return where + " sleeps and nothing wakes it";
  if (state.changing) return where + " is changing its state";
  if (net_.channels[place.channel].credit_return_blocked()) {
    return where + " gets no credits: the reverse channel carries nothing";
  }
  if (queue(place).pauses > 0) return where + " is paused";
  return fmt::format("{} has {} of credit for a packet of {}", where,
                     to_text(bits(queue(place).credit_bits)),
                     to_text(bits(packets_of(place)[queue(place).head].bits)));
}

std::optional<BlockedChain::Place> BlockedChain::first_of(const std::optional<Place>& here) const {
  Bytes mine;
  if (here) append(mine, *here);
  std::optional<Place> first;
  for (const Bytes& bytes : net_.config.communicator.all_gather(mine)) {
    if (bytes.empty()) continue;
    const auto place = ByteReader(bytes).take<Place>();
    if (!first || place.channel < first->channel) first = place;
  }
  return first;
}

std::string BlockedChain::text_of(const std::string& here) const {
  Bytes mine;
  append_text(mine, here);
  std::string text;
  for (const Bytes& bytes : net_.config.communicator.all_gather(mine))
    text += ByteReader(bytes).take_text();
  return text;
}

std::vector<std::string> BlockedChain::text() const {
  const auto knows = [&](NodeId node) { return net_.is_here(net_.owner_of(node)); };
  std::vector<std::string> chain;
  std::vector<Place> seen;
  for (auto place = first_of(first_waiting()); place && chain.size() < kLongestChain;) {
    if (std::find(seen.begin(), seen.end(), *place) != seen.end()) {
      chain.emplace_back("and so round again");
      break;
    }
    seen.push_back(*place);
    const NodeId from = net_.source_of(place->channel);
    const NodeId to = net_.fixed(place->channel).target;
    chain.push_back(text_of(knows(from) ? why_waiting(*place) : ""));
    place = first_of(knows(to) ? waiting_in_buffer(*place) : std::nullopt);
  }
  return chain;
}

std::vector<std::string> BlockedChain::closed_channels() const {
  std::vector<std::string> closed;
  for (std::uint32_t number = 0; number < net_.channels.size(); ++number) {
    const ChannelId channel{number};
    if (closed.size() == kLongestChain || !net_.has_waiting(channel, now_)) continue;
    const policy::State state = net_.state(channel, now_);
    if (state.mode == policy::Mode::asleep) {
      closed.push_back(name(channel) + " sleeps and nothing wakes it");
    } else if (state.changing) {
      closed.push_back(name(channel) + " is changing its state");
    }
  }
  return closed;
}

}  // namespace ebb::netsim
