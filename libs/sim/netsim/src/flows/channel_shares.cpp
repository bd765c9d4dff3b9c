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
  channels_[left.channel].rate -= left.rate;
  channels_[left.channel].ahead_bits -= left.sent_bits;
  left.rate = 0;
  review(left.channel);
}

ChannelShares::Carried ChannelShares::take_carried(ChannelId channel, TimePoint now) {
  Sharing& sharing = channels_[channel];
  const Duration time = now - std::exchange(sharing.taken, now);
  const std::int64_t sent = sharing.pending_bits + whole_bits(sharing.rate, time, sharing.fraction);
  const std::int64_t bits = std::max<std::int64_t>(sent, 0);
  sharing.pending_bits = sent - bits;
  sharing.ahead_bits += bits;
  return {bits, sharing.rate, time};
}

std::int64_t ChannelShares::take_correction(ChannelId channel) {
  Sharing& sharing = channels_[channel];
  if (!sharing.flows.empty()) return 0;
  const std::int64_t missing = std::max<std::int64_t>(-sharing.ahead_bits, 0);
  sharing.ahead_bits += missing;
  sharing.pending_bits = -sharing.ahead_bits;
  sharing.fraction = 0;
  return missing;
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
void ChannelShares::divide_fairly(std::span<Demand> demands, std::int64_t& rest) {
  const auto by_share = [](const Demand& a, const Demand& b) {
    const Int128 share_a = static_cast<Int128>(a.most) * b.weight;
    const Int128 share_b = static_cast<Int128>(b.most) * a.weight;
    return share_a != share_b ? share_a < share_b : a.flow < b.flow;
  };
  if (demands.size() > 1) std::sort(demands.begin(), demands.end(), by_share);
  std::int64_t weight = 0;
  for (const Demand& demand : demands) weight += demand.weight;
  for (Demand& demand : demands) {
    demand.most = std::min(demand.most, rest * demand.weight / weight);
    rest -= demand.most;
    weight -= demand.weight;
  }
}

void ChannelShares::divide(ChannelId channel, TimePoint now) {
  Sharing& sharing = channels_[channel];
  sharing.next_turn = kNever;
  demands_.clear();
  std::int64_t wanted = 0;
  for (const auto& [which, hop] : sharing.flows) {
    const Flow& flow = flows_[which];
    demands_.push_back({which, hop, flow.weight, most_of(flow, hop)});
    wanted += std::min(demands_.back().most, sharing.capacity);
  }
  const bool of_switch = !demands_.empty() && demands_.front().hop > 0;
  if (of_switch && wanted > sharing.capacity) return divide_in_order(sharing, now);
  std::int64_t rest = sharing.capacity;
  divide_fairly(demands_, rest);
}

// Data that came within the shortest turn of the flows is as good as at the same time.
Duration ChannelShares::moment_of(const Sharing& sharing) const {
  std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
  for (const auto& [flow, hop] : sharing.flows)
    shortest = std::min(shortest, flows_[flow].turn_bits);
  return serialization_time(bits(shortest), bits_per_second(sharing.capacity));
}

void ChannelShares::divide_in_order(Sharing& sharing, TimePoint now) {
  for (Demand& demand : demands_) demand.came = came(flows_[demand.flow], demand.hop, now);
  std::sort(demands_.begin(), demands_.end(), [](const Demand& a, const Demand& b) {
    return a.came != b.came ? a.came < b.came : a.flow < b.flow;
  });
  sharing.moment = moment_of(sharing);
  std::int64_t rest = sharing.capacity;
  std::size_t first = 0;
  while (first < demands_.size() && rest > 0) {
    std::size_t last = first + 1;
    while (last < demands_.size() && demands_[last].came <= demands_[first].came + sharing.moment)
      ++last;
    divide_fairly(std::span(demands_).subspan(first, last - first), rest);
    first = last;
  }
  if (first < demands_.size()) sharing.next_turn = demands_[first].came;
  for (; first < demands_.size(); ++first) demands_[first].most = 0;
}

// Taken as having come evenly since the first of it did. Flows that are steady have not been
// counted for a while.
TimePoint ChannelShares::came(const Flow& flow, std::size_t hop, TimePoint now) {
  const FlowHop& own = flow.path[hop];
  const FlowHop& before = flow.path[hop - 1];
  const auto sent_by = [&](const FlowHop& one) {
    std::int64_t fraction = one.fraction;
    return one.sent_bits + whole_bits(one.rate, now - flow.counted, fraction);
  };
  const std::int64_t arrived = sent_by(before);
  const std::int64_t sent = std::min(sent_by(own), arrived);
  if (arrived == sent) return now;
  const Duration time = std::min(now, before.ended) - own.joined;
  return own.joined +
         Duration(static_cast<std::int64_t>(static_cast<Int128>(time.count()) * sent / arrived));
}

std::optional<Duration> ChannelShares::next_turn(const Flow& flow, std::size_t hop,
                                                 TimePoint now) const {
  const FlowHop& before = flow.path[hop - 1];
  const FlowHop& own = flow.path[hop];
  const Sharing& sharing = channels_[own.channel];
  if (sharing.next_turn == kNever || own.rate == 0 || own.empty) return std::nullopt;
  const Duration moment = sharing.moment;
  const Duration until = sharing.next_turn - came(flow, hop, now);
  const Duration time = std::min(now, before.ended) - own.joined;
  if (until <= moment || time <= Duration{}) return moment;
  // Its data moves through the time in which it came at rate x time / what came.
  const auto bits_until = static_cast<Int128>(until.count()) * before.sent_bits / time.count();
  return std::max(moment, time_at(static_cast<std::int64_t>(bits_until), own.rate));
}

std::size_t ChannelShares::memory_bytes() const {
  std::size_t bytes = channels_.memory_bytes();
  for (const Sharing& sharing : channels_) {
    bytes += sharing.flows.capacity() * sizeof(sharing.flows[0]);
  }
  return bytes;
}

}  // namespace ebb::netsim
