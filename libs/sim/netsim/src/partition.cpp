// SPDX-License-Identifier: Apache-2.0
//
// Events, and what is exchanged with other partitions.
#include "partition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ebb::netsim {

Partition::Partition(NetworkState& net, Outbox& outbox, std::uint32_t number, Observer& observer)
    : net_(net),
      outbox_(outbox),
      number_(number),
      observer_(observer),
      simulation_(net.config.graph.node_count()) {
  for (const Nic& nic : net_.nics) {
    if (nic.next && owns(nic.channel)) try_send_at(nic.channel, nic.next->at);
  }
}

void Partition::run_until(TimePoint end) {
  simulation_.run_until(end, [this](const Event& event) { handle(event); });
  now_ = end;
}

void Partition::run_until_idle() {
  simulation_.run([this](const Event& event) { handle(event); });
}

void Partition::handle(const Event& event) {
  prefetch();
  now_ = event.at;
  const std::uint32_t which = event.payload.which();
  switch (event.payload.what()) {
    case EventKind::arrival:
      return arrive(index(event.receiver), which);
    case EventKind::try_send:
      // A try that was put forward leaves its later event behind.
      if (net_.channels[which].next_try != now_) return;
      net_.channels[which].next_try = kNever;
      return try_send(which);
    case EventKind::check:
      if (net_.triggers[which].next_check != now_) return;
      net_.triggers[which].next_check = kNever;
      return check(which);
    case EventKind::ramp_end:
      if (net_.triggers[which].ramp_end != now_) return;
      return end_ramp(which);
    case EventKind::credit_return_unblocked:
      block_credit_return(which, -1);
      return try_send(which);
    case EventKind::credit_return_blocked:
      return block_credit_return(which, +1);
    case EventKind::pause:
      return hear_pause(which);
    case EventKind::look:
      return look(which);
    case EventKind::congestion_notification:
      return receive_notification(which);
  }
}

// Most of a run's time is waiting for memory: what soon-to-come events need is fetched ahead, the
// channel or packet first and, nearer, the packet at the head of the channel's queue.
void Partition::prefetch() const {
  constexpr std::size_t kFar = 5;
  constexpr std::size_t kNear = 2;
  if (const Payload* far = simulation_.upcoming(kFar)) {
    if (far->what() == EventKind::arrival) {
      __builtin_prefetch(&packets_[far->which()]);
    } else if (far->what() < EventKind::pause) {
      __builtin_prefetch(&net_.channels[far->which()]);
      __builtin_prefetch(&net_.queues[net_.place(far->which(), 0)]);
    }
  }
  if (const Payload* near = simulation_.upcoming(kNear);
      near && near->what() == EventKind::try_send) {
    for (std::uint8_t vc = 0; vc < net_.virtual_channels; ++vc) {
      const PacketIndex head = net_.queues[net_.place(near->which(), vc)].head;
      if (head != kNone) __builtin_prefetch(&packets_[head]);
    }
  }
}

// Events of one moment are ordered by what they are and which channel they concern, not by when
// they were scheduled: that would depend on how the nodes are spread over partitions.
std::uint32_t Partition::order(EventKind what, std::uint32_t channel) {
  constexpr int kChannelBits = 27;
  return static_cast<std::uint32_t>(what) << kChannelBits | channel;
}

void Partition::schedule(std::uint32_t sender, std::uint32_t receiver, TimePoint at, EventKind what,
                         std::uint32_t channel, std::uint32_t which) {
  simulation_.schedule(des::EntityId{sender}, des::EntityId{receiver}, at, order(what, channel),
                       {what, which});
}

// For the node that sends on the channel.
void Partition::schedule_own(std::uint32_t channel, TimePoint at, EventKind what) {
  const std::uint32_t node = net_.source_of(channel);
  schedule(node, node, at, what, channel, channel);
}

// An earlier try that is already scheduled finds what to do next by itself.
void Partition::try_send_at(std::uint32_t which, TimePoint at) {
  Channel& channel = net_.channels[which];
  if (at >= channel.next_try) return;
  channel.next_try = at;
  schedule_own(which, at, EventKind::try_send);
}

// The batch for the partition of a node, to be read there before `at`.
ExchangeBatch& Partition::enqueue(std::uint32_t to_node, TimePoint at) {
  earliest_enqueued_ = std::min(earliest_enqueued_, at);
  const std::uint32_t to = net_.owner_of(to_node);
  const std::uint32_t me = net_.place_here(number_);
  if (net_.is_here(to)) return outbox_.inside(round_, me, net_.place_here(to));
  return outbox_.to_rank(round_, me, net_.rank_of(to));
}

void Partition::receive(std::uint32_t round) {
  round_ = round ^ 1U;
  earliest_enqueued_ = kNever;
  const std::uint32_t me = net_.place_here(number_);
  for (std::uint32_t p = 0; p < net_.partitions_here; ++p) take_in(outbox_.inside(round, p, me));
  for (std::uint32_t r = 0; r < outbox_.ranks(); ++r) take_in(outbox_.from_rank(round, r, me));
}

void Partition::send(const ControlMessage& notice, EventKind what) {
  if (net_.owner_of(notice.sender) == net_.owner_of(notice.receiver))
    return schedule(notice.sender, notice.receiver, notice.at, what, notice.which, notice.which);
  enqueue(notice.receiver, notice.at)
      .events.push_back({notice.at, notice.sender, notice.receiver, notice.which,
                         static_cast<std::uint32_t>(what)});
}

void Partition::take_in(ExchangeBatch& batch) {
  for (const PacketItem& item : batch.packets) receive(item);
  for (const NoticeItem& item : batch.notices) receive(item);
  for (const EventItem& item : batch.events) receive(item);
  for (const CreditItem& item : batch.credits) {
    return_credit(item.channel, static_cast<std::uint8_t>(item.vc), item.bits, item.at);
  }
  batch.clear();
}

void Partition::receive(const PacketItem& item) {
  const PacketIndex index = packets_.take();
  packets_[index] = item.packet;
  simulation_.receive({item.at,
                       des::EntityId{net_.fixed[item.channel].target},
                       des::EntityId{net_.source_of(item.channel)},
                       order(EventKind::arrival, item.channel),
                       {EventKind::arrival, index}});
}

void Partition::receive(const NoticeItem& item) {
  const EventKind what =
      item.blocked ? EventKind::credit_return_blocked : EventKind::credit_return_unblocked;
  simulation_.receive({item.at,
                       des::EntityId{net_.source_of(item.channel)},
                       des::EntityId{net_.fixed[item.channel].target},
                       order(what, item.channel),
                       {what, item.channel}});
}

void Partition::receive(const EventItem& item) {
  const EventKind what{item.what};
  simulation_.receive({item.at,
                       des::EntityId{item.receiver},
                       des::EntityId{item.sender},
                       order(what, item.which),
                       {what, item.which}});
}

Errors Partition::check_conservation() {
  Errors errors;
  const auto report = [&](std::string what) { errors.push_back({std::move(what), {}}); };
  if (packets_.in_use() > 0) report(fmt::format("{} packets in the network", packets_.in_use()));
  if (!arriving_.empty()) report(fmt::format("{} messages incomplete", arriving_.size()));
  const Hardware& hardware = net_.config.hardware;
  for (std::uint32_t which = 0; which < net_.channels.size(); ++which) {
    if (!owns(which)) continue;
    if (has_waiting(which)) report(fmt::format("channel {} has data waiting", which));
    for (std::uint8_t vc = 0; vc < net_.virtual_channels; ++vc) {
      VcQueue& one = queue(which, vc);
      one.credit_bits += credits_.collect(one.returning, TimePoint::max());
      if (one.credit_bits != hardware.input_buffer.count()) {
        report(fmt::format("channel {} virtual channel {}: {} of {} bits of credit", which, vc,
                           one.credit_bits, hardware.input_buffer.count()));
      }
      if (one.pauses != 0) {
        report(fmt::format("channel {} virtual channel {} is paused", which, vc));
      }
      if (net_.wormhole && net_.output_vc_states[net_.place(which, vc)].owner != kNone) {
        report(fmt::format("channel {} virtual channel {} belongs to a packet", which, vc));
      }
      if (one.room_bits != hardware.output_buffer.count()) {
        report(fmt::format("channel {} virtual channel {}: output buffer not empty", which, vc));
      }
    }
  }
  return errors;
}

}  // namespace ebb::netsim
