// SPDX-License-Identifier: Apache-2.0
//
// What flows send: their rates, what is counted of it, and when they end.
#include "flow_partition.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace ebb::netsim {
namespace {

// a * b / c. Most products fit into a word, and words are divided much faster.
std::int64_t scaled(std::int64_t a, std::int64_t b, std::int64_t c) {
  std::int64_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product)) return product / c;
  return static_cast<std::int64_t>(static_cast<Int128>(a) * b / c);
}

}  // namespace

DataRate FlowPartition::level_rate(ChannelId channel) const {
  return net_.model_of(channel).rate_levels[net_.channels[channel].rate_level].rate;
}

// A network card also is no faster than its DMA engine brings packets.
std::int64_t FlowPartition::capacity(ChannelId which) const {
  if (net_.channels[which].free_at > part_.now()) return 0;
  const DataRate rate = level_rate(which);
  const FixedChannel& fixed = net_.fixed(which);
  const Duration fetching = net_.config.hardware.nic.dma_time(ebb::bits(packet_bits_));
  if ((!fixed.from_host && !fixed.to_host) || fetching == Duration{}) return rate.count();
  const std::int64_t by_dma = scaled(packet_bits_, kPicosecondsPerSecond, fetching.count());
  return std::min(rate.count(), by_dma);
}

// Rates are computed once for all that happens at one moment. What waits then can trip a trigger,
// which changes capacities again.
void FlowPartition::share() {
  while (shares_.changed() || !queued_.empty()) {
    shares_.solve(
        part_.now(),
        [&](FlowIndex which) {
          if (!flows_[which].steady) count(which);
        },
        [&](FlowIndex which, std::uint32_t hop) {
          count_channel(flows_[which].path[hop].channel);
          count(which);
          mark_changed(which);
          if (hop == 0) mark_changed(flows_[which].transfer);
        });
    tripping_.swap(queued_);
    for (const ChannelId channel : tripping_) act_on(channel, [&] { outputs_.on_queued(channel); });
    tripping_.clear();
  }
  change_rates();
  const TimePoint next = std::min(events_.next(), ends_.next());
  if (next >= next_look_) return;
  next_look_ = next;
  part_.calendar.schedule(net_.config.graph.switch_node(0), next_look_, EventKind::flow_look, 0);
}

void FlowPartition::mark_changed(FlowIndex which) {
  if (!std::exchange(flows_[which].changed, true)) changed_.push_back(which);
}

void FlowPartition::mark_changed(TransferIndex which) {
  Transfer& transfer = transfers_[which];
  if (transfer.changed) return;
  count_open(transfer);
  transfer.changed = true;
  changed_transfers_.push_back(which);
}

// When those are to be looked at whose rates have changed.
void FlowPartition::change_rates() {
  for (const FlowIndex which : changed_) {
    Flow& flow = flows_[which];
    if (!std::exchange(flow.changed, false)) continue;
    count_queued(flow);
    flow.next_event = next_event(flow);
    events_.update(which);
  }
  changed_.clear();
  for (const TransferIndex which : changed_transfers_) {
    Transfer& transfer = transfers_[which];
    if (!std::exchange(transfer.changed, false)) continue;
    transfer.host_rate = 0;
    for_each_flow(transfer, [&](FlowIndex /*which*/, const Flow& flow) {
      if (flow.done == 0 && !flow.path.empty()) transfer.host_rate += flow.path[0].rate;
    });
    transfer.next_event = kNever;
    if (transfer.open && transfer.host_rate > 0) {
      const std::int64_t left = std::max<std::int64_t>(transfer.open_bits, 1);
      transfer.next_event = part_.now() + time_at(left, transfer.host_rate);
    }
    ends_.update(which);
  }
  changed_transfers_.clear();
}

// When a buffer is full or empty, or a hop has sent everything, if no rate changes before.
TimePoint FlowPartition::next_event(Flow& flow) {
  flow.steady = flow.arrived;
  Duration soonest = Duration::max();
  const auto keep = [&](std::int64_t bits, std::int64_t rate) {
    if (rate > 0) soonest = std::min(soonest, time_at(std::max<std::int64_t>(bits, 1), rate));
  };
  for (std::size_t k = std::max<std::size_t>(flow.done, 1); k < flow.path.size(); ++k) {
    const FlowHop& hop = flow.path[k];
    const std::int64_t inflow = k > flow.done ? flow.path[k - 1].rate : 0;
    const std::int64_t queued = flow.path[k - 1].sent_bits - hop.sent_bits;
    if (inflow != hop.rate) flow.steady = false;
    if (k == flow.done && queued == 0) soonest = Duration{};  // nothing is to come
    if (!hop.empty) keep(queued, hop.rate - inflow);
    if (!hop.full) keep(buffer_bits_ - queued, inflow - hop.rate);
    if (const auto turn = shares_.next_turn(flow, k, part_.now())) {
      soonest = std::min(soonest, *turn);
      flow.steady = false;
    }
    if (k == 1 && !flow.congested && queued < congested_bits_)
      keep(congested_bits_ - queued, inflow - hop.rate);
  }
  if (!flow.arrived && !flow.head_full && !flow.path.empty() && flow.done < flow.path.size())
    keep(buffer_bits_ - flow.path.back().sent_bits, flow.path.back().rate);
  return soonest == Duration::max() ? kNever : part_.now() + soonest;
}

// Up to now.
void FlowPartition::count(FlowIndex which) {
  Flow& flow = flows_[which];
  const Duration time = part_.now() - std::exchange(flow.counted, part_.now());
  if (time == Duration{}) return;
  count_hops(transfers_[flow.transfer], flow, time);
  look_at_buffers(flow);
}

// All paths of a message.
void FlowPartition::count_flows(TransferIndex which) {
  Transfer& transfer = transfers_[which];
  for_each_flow(transfer, [&](FlowIndex flow, Flow& /*flow*/) { count(flow); });
  count_open(transfer);
  net_.transmit_state(transfer.source, transfer.lane).open_bits -=
      std::exchange(transfer.open_bits, transfer.left_bits) - transfer.left_bits;
}

// Channels count by themselves what they carry; they are told what rounding makes of it here.
void FlowPartition::count_hops(Transfer& transfer, Flow& flow, Duration time) {
  for (std::size_t k = flow.done; k < flow.path.size(); ++k) {
    FlowHop& hop = flow.path[k];
    const std::int64_t there =
        k == 0 ? transfer.left_bits : flow.path[k - 1].sent_bits - hop.sent_bits;
    const std::int64_t inflow = k > flow.done ? flow.path[k - 1].rate : 0;
    const std::int64_t carried = whole_bits(hop.rate, time, hop.fraction);
    std::int64_t bits = std::min(there, carried);
    if (hop.rate > 0 && there - bits < negligible_bits_ && inflow <= hop.rate) bits = there;
    if (watches_held()) tell_held(transfer, hop, time);
    hop.sent_bits += bits;
    if (bits != carried) shares_.correct(hop.channel, bits - carried);
    if (k == 0) transfer.left_bits -= bits;
  }
}

// What the channel has carried, up to now.
void FlowPartition::count_channel(ChannelId which) {
  const ChannelShares::Carried carried = shares_.take_carried(which, part_.now());
  if (carried.bits > 0) carry(which, carried.bits);
  if (carried.rate == 0 || carried.time == Duration{}) return;
  ++transmissions_;
  Channel& channel = net_.channels[which];
  channel.wire_end = part_.now();
  // A picosecond less: of a rate that is half of another the share is not more than a half, and
  // policies compare it with such targets.
  const Duration busy(scaled(carried.time.count(), carried.rate, level_rate(which).count()));
  channel.busy += std::max(busy - Duration(1), Duration{});
}

void FlowPartition::carry(ChannelId which, std::int64_t bits) {
  net_.channels[which].sent_bits += bits;
  if (!net_.work.empty()) count_work(which, bits);
  if (net_.fixed(which).to_host) delivered_ += ebb::bits(bits);
}

// Packets count when they have been sent as a whole.
void FlowPartition::count_work(ChannelId which, std::int64_t bits) {
  const std::int64_t sent = net_.channels[which].sent_bits;
  const std::int64_t packets = sent / packet_bits_ - (sent - bits) / packet_bits_;
  const auto count = [&](NodeId node) {
    net_.work[node].packets += static_cast<std::uint64_t>(packets);
    net_.work[node].bits += bits;
  };
  const FixedChannel& fixed = net_.fixed(which);
  if (fixed.from_host) count(fixed.source);
  count(fixed.target);
}

// What of the message waits in the host now.
void FlowPartition::count_open(Transfer& transfer) {
  const Duration time = part_.now() - std::exchange(transfer.counted, part_.now());
  const std::int64_t carried = whole_bits(transfer.host_rate, time, transfer.host_fraction);
  const std::int64_t sent = std::min(carried, transfer.open_bits);
  transfer.open_bits -= sent;
  net_.transmit_state(transfer.source, transfer.lane).open_bits -= sent;
}

// Where a buffer has become empty or full, or is not any more, the rates before and behind it are
// to be computed again.
void FlowPartition::look_at_buffers(Flow& flow) {
  for (std::size_t k = std::max<std::size_t>(flow.done, 1); k < flow.path.size(); ++k) {
    FlowHop& hop = flow.path[k];
    const std::int64_t queued = flow.path[k - 1].sent_bits - hop.sent_bits;
    const bool empty = queued == 0;
    const bool full = queued > buffer_bits_ - negligible_bits_;
    if (std::exchange(hop.empty, empty) != empty) shares_.review(hop.channel);
    if (std::exchange(hop.full, full) != full && k > flow.done)
      shares_.review(flow.path[k - 1].channel);
  }
  if (flow.arrived || flow.path.empty()) return;
  const bool full = sent_by(flow) > buffer_bits_ - negligible_bits_;
  if (std::exchange(flow.head_full, full) != full && flow.done < flow.path.size())
    shares_.review(flow.path.back().channel);
}

// What waits for the channels of switches: what is in the buffer, and as much of a packet as the
// flow has of the channel, but something as long as it uses the channel.
void FlowPartition::count_queued(Flow& flow) {
  const std::int64_t packet = packet_of(transfers_[flow.transfer]);
  for (std::size_t k = std::max<std::size_t>(flow.done, 1); k < flow.path.size(); ++k) {
    FlowHop& hop = flow.path[k];
    const std::int64_t in_buffer = flow.path[k - 1].sent_bits - hop.sent_bits;
    const std::int64_t capacity = std::max<std::int64_t>(shares_.capacity(hop.channel), 1);
    set_queued(hop, in_buffer + std::max<std::int64_t>(scaled(packet, hop.rate, capacity), 1));
  }
  if (flow.waiting.queued_bits > 0) set_queued(flow.waiting, std::max(packet, sent_by(flow)));
}

void FlowPartition::set_queued(FlowHop& hop, std::int64_t bits) {
  if (net_.fixed(hop.channel).from_host) return;  // the host knows what it has
  Channel& channel = net_.channels[hop.channel];
  const std::int64_t more = bits - std::exchange(hop.queued_bits, bits);
  channel.queued_bits += more;
  if (net_.fixed(hop.channel).notifies && more != 0)
    notifications_.review(net_.source_of(hop.channel));
  if (channel.armed && more > 0) queued_.push_back(hop.channel);
}

// What the state of the channel has cost the flow.
void FlowPartition::tell_held(const Transfer& transfer, const FlowHop& hop, Duration time) {
  if (hop.empty) return;
  const std::int64_t now = shares_.capacity(hop.channel);
  const std::int64_t full = net_.model_of(hop.channel).rate_levels.back().rate.count();
  if (now == full) return;
  const Duration at_full(scaled(time.count(), now, full));
  const Duration waking = now == 0 ? time : Duration{};
  part_.observer.packet_held(
      {transfer.source, transfer.message, hop.channel, waking, time - at_full - waking});
}

void FlowPartition::look_at_events() {
  while (events_.next() <= part_.now()) look_at(events_.first());
  while (ends_.next() <= part_.now()) look_at(ends_.first());
}

void FlowPartition::look_at(FlowIndex which) {
  Flow& flow = flows_[which];
  flow.next_event = kNever;
  events_.remove(which);
  count(which);
  mark_changed(which);
  add_path_if_congested(which);
  for (std::size_t k = flow.done; k < flow.path.size(); ++k)
    shares_.review_if_others_wait(flow.path[k].channel);
  Transfer& transfer = transfers_[flow.transfer];
  end_hops(transfer, which);
  if (transfer.flows == 0) finish(flow.transfer);
}

// The host has sent all of it.
void FlowPartition::look_at(TransferIndex which) {
  Transfer& transfer = transfers_[which];
  transfer.next_event = kNever;
  ends_.remove(which);
  mark_changed(which);
  count_flows(which);
  if (transfer.left_bits > 0) return;  // by rounding; the rest follows
  transfer.open = false;
  close_message(transfer);
  for_each_flow(transfer, [&](FlowIndex number, Flow& /*flow*/) {
    mark_changed(number);
    end_hops(transfer, number);
  });
  if (transfer.flows == 0) finish(which);
}

// Hops that have sent everything, one after the other.
void FlowPartition::end_hops(Transfer& transfer, FlowIndex number) {
  Flow& flow = flows_[number];
  if (transfer.open || flow.ended) return;
  while (flow.done < flow.path.size()) {
    const std::size_t k = flow.done;
    if (k > 0 && flow.path[k].sent_bits < flow.path[k - 1].sent_bits) return;
    leave(number, static_cast<std::uint32_t>(k));
    flow.path[k].ended = part_.now();
    ++flow.done;
    if (flow.done < flow.path.size()) shares_.review(flow.path[flow.done].channel);
  }
  if (!flow.arrived) return;
  flow.ended = true;
  --transfer.flows;
}

// The flow has ended to use the channel.
void FlowPartition::leave(FlowIndex which, std::uint32_t hop) {
  FlowHop& left = flows_[which].path[hop];
  count_channel(left.channel);
  shares_.leave(which, hop);
  carry(left.channel, shares_.take_correction(left.channel));
  set_queued(left, 0);
  const Channel& channel = net_.channels[left.channel];
  if (channel.armed || channel.draining)
    act_on(left.channel, [&] { outputs_.on_sent(left.channel); });
}

void FlowPartition::give_back(FlowIndex which) {
  events_.remove(which);
  flows_[which].changed = false;
  flows_.give_back(which);
}

// The next message to the same destination follows, and there is room for another.
void FlowPartition::close_message(const Transfer& transfer) {
  TransmitState& sending = net_.transmit_state(transfer.source, transfer.lane);
  const auto closed = std::ranges::find_if(sending.open, [&](const OpenMessage& one) {
    return one.first && one.destination == transfer.destination;
  });
  const OpenMessage* next = sending.close(static_cast<std::size_t>(closed - sending.open.begin()));
  if (next != nullptr) start_transfer(transfer.source, transfer.lane, OpenMessage(*next));
  open_messages(net_.nics[transfer.source], transfer.lane);
}

void FlowPartition::finish(TransferIndex which) {
  Transfer& transfer = transfers_[which];
  for_each_flow(transfer, [&](FlowIndex number, Flow& /*flow*/) { give_back(number); });
  transfer.changed = false;
  transfer.first = kNoFlow;
  const Duration storing =
      net_.config.hardware.nic.dma_time(ebb::bits((transfer.size_bits - 1) % packet_bits_ + 1));
  transfer.delivered = part_.now() + transfer.tail + storing;
  if (net_.closed_loop == nullptr) return deliver(which);
  // Hosts want their messages in the order in which they come.
  part_.calendar.schedule(net_.config.graph.host_node(transfer.destination), transfer.delivered,
                          EventKind::flow_delivered, index(which));
}

void FlowPartition::deliver(TransferIndex which) {
  const Transfer& transfer = transfers_[which];
  const TimePoint at = transfer.delivered;
  const std::uint32_t from = net_.host_of_interface(transfer.source);
  const std::uint32_t to = net_.host_of_interface(transfer.destination);
  part_.observer.message_delivered({from, to, transfer.message, transfer.created, at});
  if (net_.closed_loop != nullptr) {
    net_.closed_loop->delivered(from, to, transfer.message, at);
    part_.calendar.try_send_at(net_.nics[to].channel, at);
  }
  transfers_.give_back(which);
}

}  // namespace ebb::netsim
