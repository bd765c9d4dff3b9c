// SPDX-License-Identifier: Apache-2.0
//
// Pause frames: the receiver stops the sender, class by class, and lets it go on. Input buffers
// send them, channels obey them. docs/models/pause.md has the model.
#pragma once

#include "credit_flow_control.hpp"
#include "partition_state.hpp"

#include "ebb/core/check.hpp"
#include "ebb/core/result.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace ebb::netsim {

class PauseFlowControl {
 public:
  PauseFlowControl(PartitionState& part, OutputChannels& /*outputs*/)
      : part_(part), net_(part.net) {}

  static constexpr bool kOvertakes = false;

  [[nodiscard]] bool take(ChannelId /*channel*/, VcQueue& queue, std::uint32_t /*bits*/,
                          ChannelId /*input*/) const {
    queue.stalled = queue.pauses > 0;
    return !queue.stalled;
  }

  [[nodiscard]] TimePoint next(ChannelId /*channel*/, const VcQueue& /*queue*/) const {
    return kNever;
  }

  // A packet is counted when its head has passed the switch, and in full.
  void arrived(const Packet& packet) {
    const VcPlace place = net_.place(packet.input_channel, packet.input_vc);
    PauseInput& input = net_.pause_inputs[place];
    input.occupied_bits += static_cast<std::int32_t>(packet.bits);
    input.occupied_bits -= part_.credits.collect(input.leaving, part_.now());
    EBB_CHECK(input.occupied_bits <= net_.config.hardware.input_buffer.count(),
              "a packet is lost: the headroom of an input buffer was too small");
    if (input.pausing || input.occupied_bits < net_.pause_channels[packet.input_channel].xoff_bits)
      return;
    input.pausing = true;
    tell(place, true);
    look_at(place, part_.credits.earliest(input.leaving, kNever));
  }

  // Its space becomes free at `at`.
  void left(const Packet& packet, TimePoint at) {
    const VcPlace place = net_.place(packet.input_channel, packet.input_vc);
    PauseInput& input = net_.pause_inputs[place];
    part_.credits.push(input.leaving, at, packet.bits);
    if (input.pausing) look_at(place, at);
  }

  // Nothing comes back from other partitions but events.
  void give_back(ChannelId /*channel*/, std::uint8_t /*vc*/, std::uint32_t /*bits*/,
                 TimePoint /*at*/) const {}

  FlowEvent handle(EventKind what, std::uint32_t which) {
    if (what == EventKind::pause) return hear(which);
    if (what == EventKind::look) look(VcPlace{which});
    return {};
  }

  void check_conservation(ChannelId channel, std::uint8_t vc, Errors& errors) const {
    if (net_.queue(channel, vc).pauses == 0) return;
    errors.push_back(
        {fmt::format("channel {} virtual channel {} is paused", index(channel), vc), {}});
  }

 private:
  // An earlier look that is already on the way finds what to do next by itself.
  void look_at(VcPlace place, TimePoint at) {
    PauseInput& input = net_.pause_inputs[place];
    if (at >= input.next_look) return;
    input.next_look = at;
    const NodeId node = net_.fixed(net_.channel_of(place)).target;
    part_.calendar.schedule(node, at, EventKind::look, index(place));
  }

  void look(VcPlace place) {
    PauseInput& input = net_.pause_inputs[place];
    if (input.next_look != part_.now()) return;
    input.next_look = kNever;
    input.occupied_bits -= part_.credits.collect(input.leaving, part_.now());
    if (!input.pausing) return;
    if (input.occupied_bits > net_.pause_channels[net_.channel_of(place)].xon_bits)
      return look_at(place, part_.credits.earliest(input.leaving, kNever));
    input.pausing = false;
    tell(place, false);
  }

  // The lowest bit of the message is 0 for a pause, so that of two messages that come at one moment
  // the pause is first: see hear.
  void tell(VcPlace place, bool pause) {
    const ChannelId channel = net_.channel_of(place);
    const std::uint32_t message = index(place) << 1U | (pause ? 0U : 1U);
    part_.exchange.send(net_.fixed(channel).target, net_.source_of(channel),
                        part_.now() + net_.pause_channels[channel].delay, EventKind::pause,
                        message);
  }

  // Pauses are counted: one that is to be lifted at this moment may be heard of after the next
  // began.
  FlowEvent hear(std::uint32_t message) {
    const VcPlace place{message >> 1U};
    VcQueue& queue = net_.queue(place);
    if ((message & 1U) == 0) {
      ++queue.pauses;
      return {.paused = place};
    }
    if (--queue.pauses == 0) return {.may_send = net_.channel_of(place)};
    return {};
  }

  PartitionState& part_;
  NetworkState& net_;
};

}  // namespace ebb::netsim
