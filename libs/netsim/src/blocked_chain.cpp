// SPDX-License-Identifier: Apache-2.0
//
// Why nothing moves: from a packet that waits to the buffer it waits for, to a packet in that
// buffer, and so on until the chain closes or ends at a channel that cannot send.
#include "ebb/netsim/network.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::netsim {
namespace {

constexpr std::size_t kLongestChain = 64;

}  // namespace

// The first packet in line of a channel, and the one whose input buffer is (channel, vc): both as
// (channel, virtual channel) of the queue in which they wait.
std::optional<Network::Place> Network::first_waiting() const {
  for (std::uint32_t which = 0; which < channels_.size(); ++which) {
    for (std::uint8_t vc = 0; vc < virtual_channels_; ++vc) {
      if (queues_[which * virtual_channels_ + vc].head != kNone) return Place{which, vc};
    }
  }
  return std::nullopt;
}

std::optional<Network::Place> Network::waiting_in_buffer(Place buffer) const {
  const topology::NodeId node{channels_[buffer.channel].target};
  for (const topology::ChannelId output : build_.graph.outputs(node)) {
    for (std::uint8_t vc = 0; vc < virtual_channels_; ++vc) {
      PacketIndex packet = queues_[index(output) * virtual_channels_ + vc].head;
      for (; packet != kNone; packet = packets_[packet].next) {
        if (packets_[packet].input_channel != buffer.channel) continue;
        if (packets_[packet].input_vc == buffer.vc) return Place{index(output), vc};
      }
    }
  }
  return std::nullopt;
}

std::string Network::why_waiting(Place place) const {
  const topology::Graph& graph = build_.graph;
  const topology::ChannelId id{place.channel};
  const std::string where = fmt::format("{} -> {} virtual channel {}", graph.name(graph.source(id)),
                                        graph.name(graph.target(id)), place.vc);
  const policy::State now = state(id);
  if (now.mode == policy::Mode::asleep) return where + " sleeps and nothing wakes it";
  if (now.changing) return where + " is changing its state";
  if (channels_[place.channel].credits_dark) {
    return where + " gets no credits: the reverse channel carries nothing";
  }
  const VcQueue& queue = queues_[place.channel * virtual_channels_ + place.vc];
  return fmt::format("{} has {} of credit for a packet of {}", where,
                     to_text(bits(queue.credit_bits)), to_text(bits(packets_[queue.head].bits)));
}

std::vector<std::string> Network::blocked_chain() const {
  std::vector<std::string> chain;
  std::vector<Place> seen;
  for (auto place = first_waiting(); place && chain.size() < kLongestChain;) {
    if (std::find(seen.begin(), seen.end(), *place) != seen.end()) {
      chain.push_back("and so round again");
      break;
    }
    seen.push_back(*place);
    chain.push_back(why_waiting(*place));
    place = waiting_in_buffer(*place);
  }
  return chain;
}

}  // namespace ebb::netsim
