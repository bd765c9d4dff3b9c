// SPDX-License-Identifier: Apache-2.0
#include "channel_shares.hpp"

#include <algorithm>
#include <limits>

namespace ebb::netsim {

void ChannelShares::join(FlowIndex which, std::uint32_t hop) {
  FlowHop& joined = flows_[which].path[hop];
  auto& on_channel = channels_[joined.channel].flows;
  joined.place = static_cast<std::uint32_t>(on_channel.size());
  on_channel.emplace_back(which, hop);
  review(joined.channel);
}

void ChannelShares::leave(FlowIndex which, std::uint32_t hop) {
  FlowHop& left = flows_[which].path[hop];
  auto& on_channel = channels_[left.channel].flows;
  const auto moved = on_channel.back();
  on_channel[left.place] = moved;
  flows_[moved.first].path[moved.second].place = left.place;
  on_channel.pop_back();
  left.rate = 0;
  review(left.channel);
}

// What the flow could use of the channel of the hop if that were its own.
std::int64_t ChannelShares::most_of(const Flow& flow, std::uint32_t hop) {
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const FlowHop& own = flow.path[hop];
  if (own.empty && hop > flow.done) most = flow.path[hop - 1].rate;
  const std::size_t next = hop + std::size_t{1};
  if (next < flow.path.size()) {
    if (flow.path[next].full) most = std::min(most, flow.path[next].rate);
  } else if (!flow.arrived && flow.head_full) {
    most = 0;
  }
  return most;
}

// Those that can use less than their share get what they can use, and leave the rest to others.
void ChannelShares::divide(ChannelId channel) {
  const Sharing& sharing = channels_[channel];
  demands_.clear();
  std::int64_t weight = 0;
  for (const auto& [which, hop] : sharing.flows) {
    const Flow& flow = flows_[which];
    demands_.push_back({which, hop, flow.weight, most_of(flow, hop)});
    weight += flow.weight;
  }
  const auto by_share = [](const Demand& a, const Demand& b) {
    const Int128 share_a = static_cast<Int128>(a.most) * b.weight;
    const Int128 share_b = static_cast<Int128>(b.most) * a.weight;
    return share_a != share_b ? share_a < share_b : a.flow < b.flow;
  };
  if (demands_.size() > 1) std::sort(demands_.begin(), demands_.end(), by_share);
  std::int64_t rest = sharing.capacity;
  for (Demand& demand : demands_) {
    demand.most = std::min(demand.most, rest * demand.weight / weight);
    rest -= demand.most;
    weight -= demand.weight;
  }
}

std::size_t ChannelShares::memory_bytes() const {
  std::size_t bytes = channels_.memory_bytes();
  for (const Sharing& sharing : channels_) {
    bytes += sharing.flows.capacity() * sizeof(sharing.flows[0]);
  }
  return bytes;
}

}  // namespace ebb::netsim
