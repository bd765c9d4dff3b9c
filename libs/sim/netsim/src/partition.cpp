// SPDX-License-Identifier: Apache-2.0
//
// Events and mail.
#include "partition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ebb::netsim {

Partition::Partition(World& world, Mail& mail, std::uint32_t number, Observer& observer)
    : world_(world),
      mail_(mail),
      number_(number),
      observer_(observer),
      simulation_(world.build.graph.node_count()) {
  for (const Nic& nic : world_.nics) {
    if (nic.next && owns(nic.channel)) attempt_at(nic.channel, nic.next->at);
  }
}

void Partition::run_until(TimePoint end) {
  simulation_.run_until(end, [this](const Event& event) { handle(event); });
  now_ = end;
}

void Partition::run_dry() {
  simulation_.run([this](const Event& event) { handle(event); });
}

void Partition::handle(const Event& event) {
  prefetch();
  now_ = event.at;
  const std::uint32_t which = event.payload.which();
  switch (event.payload.what()) {
    case What::arrival:
      return arrive(index(event.receiver), which);
    case What::attempt:
      // An attempt that was put forward leaves its later event behind.
      if (world_.channels[which].next_attempt != now_) return;
      world_.channels[which].next_attempt = kNever;
      return attempt(which);
    case What::check:
      if (world_.triggers[which].next_check != now_) return;
      world_.triggers[which].next_check = kNever;
      return check(which);
    case What::settle:
      if (world_.triggers[which].settles_at != now_) return;
      return settle(which);
    case What::credits_lit:
      darken(which, -1);
      return attempt(which);
    case What::credits_dark:
      return darken(which, +1);
    case What::pause:
      return hear_pause(which);
    case What::look:
      return look(which);
    case What::news:
      return hear_news(which);
  }
}

// Most of a run's time is waiting for memory: what soon-to-come events need is fetched ahead, the
// channel or packet first and, nearer, the packet at the head of the channel's queue.
void Partition::prefetch() const {
  constexpr std::size_t kFar = 5;
  constexpr std::size_t kNear = 2;
  if (const Payload* far = simulation_.upcoming(kFar)) {
    if (far->what() == What::arrival) {
      __builtin_prefetch(&packets_[far->which()]);
    } else if (far->what() < What::pause) {
      __builtin_prefetch(&world_.channels[far->which()]);
      __builtin_prefetch(&world_.queues[world_.place(far->which(), 0)]);
    }
  }
  if (const Payload* near = simulation_.upcoming(kNear); near && near->what() == What::attempt) {
    for (std::uint8_t vc = 0; vc < world_.virtual_channels; ++vc) {
      const PacketIndex head = world_.queues[world_.place(near->which(), vc)].head;
      if (head != kNone) __builtin_prefetch(&packets_[head]);
    }
  }
}

// Events of one moment are ordered by what they are and which channel they concern, not by when
// they were scheduled: that would depend on how the nodes are spread over partitions.
std::uint32_t Partition::order(What what, std::uint32_t channel) {
  constexpr int kChannelBits = 27;
  return static_cast<std::uint32_t>(what) << kChannelBits | channel;
}

void Partition::schedule(std::uint32_t sender, std::uint32_t receiver, TimePoint at, What what,
                         std::uint32_t channel, std::uint32_t which) {
  simulation_.schedule(des::EntityId{sender}, des::EntityId{receiver}, at, order(what, channel),
                       {what, which});
}

// For the node that sends on the channel.
void Partition::schedule_own(std::uint32_t channel, TimePoint at, What what) {
  const std::uint32_t node = world_.source_of(channel);
  schedule(node, node, at, what, channel, channel);
}

// An earlier attempt that is already on the way finds what to do next by itself.
void Partition::attempt_at(std::uint32_t which, TimePoint at) {
  Channel& channel = world_.channels[which];
  if (at >= channel.next_attempt) return;
  channel.next_attempt = at;
  schedule_own(which, at, What::attempt);
}

// Mail for the partition of a node, to be read there before `at`.
Parcel& Partition::post(std::uint32_t to_node, TimePoint at) {
  earliest_mail_ = std::min(earliest_mail_, at);
  const std::uint32_t to = world_.owner_of(to_node);
  const std::uint32_t me = world_.place_here(number_);
  if (world_.is_here(to)) return mail_.inside(round_, me, world_.place_here(to));
  return mail_.to_rank(round_, me, world_.rank_of(to));
}

void Partition::receive(std::uint32_t round) {
  round_ = round ^ 1U;
  earliest_mail_ = kNever;
  const std::uint32_t me = world_.place_here(number_);
  for (std::uint32_t p = 0; p < world_.partitions_here; ++p) take_in(mail_.inside(round, p, me));
  for (std::uint32_t r = 0; r < mail_.ranks(); ++r) take_in(mail_.from_rank(round, r, me));
}

void Partition::tell(const Word& word, What what) {
  if (world_.owner_of(word.sender) == world_.owner_of(word.receiver))
    return schedule(word.sender, word.receiver, word.at, what, word.which, word.which);
  post(word.receiver, word.at)
      .events.push_back(
          {word.at, word.sender, word.receiver, word.which, static_cast<std::uint32_t>(what)});
}

void Partition::take_in(Parcel& parcel) {
  for (const PacketMail& mail : parcel.packets) receive(mail);
  for (const NoticeMail& mail : parcel.notices) receive(mail);
  for (const EventMail& mail : parcel.events) receive(mail);
  for (const CreditMail& mail : parcel.credits) {
    return_credit(mail.channel, static_cast<std::uint8_t>(mail.vc), mail.bits, mail.at);
  }
  parcel.clear();
}

void Partition::receive(const PacketMail& mail) {
  const PacketIndex index = packets_.take();
  packets_[index] = mail.packet;
  simulation_.receive({mail.at,
                       des::EntityId{world_.fixed[mail.channel].target},
                       des::EntityId{world_.source_of(mail.channel)},
                       order(What::arrival, mail.channel),
                       {What::arrival, index}});
}

void Partition::receive(const NoticeMail& mail) {
  const What what = mail.dark ? What::credits_dark : What::credits_lit;
  simulation_.receive({mail.at,
                       des::EntityId{world_.source_of(mail.channel)},
                       des::EntityId{world_.fixed[mail.channel].target},
                       order(what, mail.channel),
                       {what, mail.channel}});
}

void Partition::receive(const EventMail& mail) {
  const What what{mail.what};
  simulation_.receive({mail.at,
                       des::EntityId{mail.receiver},
                       des::EntityId{mail.sender},
                       order(what, mail.which),
                       {what, mail.which}});
}

Errors Partition::leftovers() {
  Errors errors;
  const auto report = [&](std::string what) { errors.push_back({std::move(what), {}}); };
  if (packets_.in_use() > 0) report(fmt::format("{} packets in the network", packets_.in_use()));
  if (!arriving_.empty()) report(fmt::format("{} messages incomplete", arriving_.size()));
  const Hardware& hardware = world_.build.hardware;
  for (std::uint32_t which = 0; which < world_.channels.size(); ++which) {
    if (!owns(which)) continue;
    if (has_waiting(which)) report(fmt::format("channel {} has data waiting", which));
    for (std::uint8_t vc = 0; vc < world_.virtual_channels; ++vc) {
      VcQueue& one = queue(which, vc);
      one.credit_bits += credits_.collect(one.returning, TimePoint::max());
      if (one.credit_bits != hardware.input_buffer.count()) {
        report(fmt::format("channel {} virtual channel {}: {} of {} bits of credit", which, vc,
                           one.credit_bits, hardware.input_buffer.count()));
      }
      if (one.pauses != 0) {
        report(fmt::format("channel {} virtual channel {} is paused", which, vc));
      }
      if (world_.wormhole && world_.worm_outputs[world_.place(which, vc)].owner != kNone) {
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
