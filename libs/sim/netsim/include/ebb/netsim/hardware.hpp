// SPDX-License-Identifier: Apache-2.0
//
// What switches, network cards and cables are like, the same all over the network.
// docs/models/netsim.md draws where a packet waits and which latency it pays where.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/time.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace ebb::netsim {

// How much of a network is simulated. docs/models/flows.md says what flows leave out.
enum class Fidelity : std::uint8_t {
  packet,  // every packet, buffer and credit
  flow     // messages that share channels as a fluid would
};

enum class Switching : std::uint8_t {
  cut_through,        // a switch may send the head of a packet before it has the tail
  store_and_forward,  // a switch waits for the whole packet
  // A packet is sent in flits: each needs a credit of its own, so that a packet that cannot go on
  // stays spread over the switches behind it, where no other passes it on its virtual channels.
  wormhole
};

// Which of several outputs a packet takes.
enum class OutputSelection : std::uint8_t {
  queue,    // the one with the least waiting for it and on its wire
  credits,  // the same with the downstream occupancy: credits that have not come back
  // The shortest path over channels that are awake; of equal ones that which sent least since the
  // latest sample of the policy.
  least_used,
  first,  // the first in the table, always: one path to each destination
  random  // any of those that are not closed, by lot
};

// What keeps input buffers from overflowing.
enum class FlowControl : std::uint8_t {
  credits,  // the sender knows what is free
  pause,    // the receiver stops the sender, class by class, and lets it go on
  bubble    // credits, and a packet enters a ring of a torus only where there is room for two
};

// How credits come back to the sender.
enum class CreditPath : std::uint8_t {
  reverse_channel,  // on the channel of the other direction: not while it sleeps or changes
  own_wires         // on wires that are always up
};

// A virtual lane (InfiniBand): buffers of its own on every link, and a share of the wire.
struct VirtualLane {
  // Two levels: a lane of high priority goes before all others ...
  bool high = false;
  // ... and those of one level in turn, each for so many times 64 bytes.
  std::int32_t weight = 1;

  bool operator==(const VirtualLane&) const = default;
};

struct NicHardware {
  Duration doorbell{};   // from the birth of a message until the card knows of it
  Duration dma_setup{};  // of each packet, between memory and card, ...
  DataRate dma_rate;     // ... and its speed; 0: no time
  // The next packet is fetched while one is sent.
  [[nodiscard]] Duration dma_time(DataSize size) const {
    return dma_rate > DataRate{} ? dma_setup + serialization_time(size, dma_rate) : dma_setup;
  }
  [[nodiscard]] bool takes_time() const {
    return doorbell > Duration{} || dma_setup > Duration{} || dma_rate > DataRate{};
  }

  bool operator==(const NicHardware&) const = default;
};

struct Hardware {
  Switching switching = Switching::cut_through;
  DataSize packet = bytes(2048);  // messages are cut into packets of at most this
  DataSize flit = bytes(16);      // with wormhole switching packets into flits of at most this
  // Space for arriving packets, for each virtual channel of each link into a switch. The sender
  // holds credits for it and sends nothing that would not fit.
  DataSize input_buffer = bytes(65'536);
  // Space behind the crossbar, for each virtual channel of each link out of a switch. A packet that
  // fits moves there at once and frees its input space; with none it leaves from the input buffer.
  DataSize output_buffer;
  // Cells of buffers that hold nothing are cut off from power, where the part can do so.
  bool gated_buffers = false;
  OutputSelection output_selection = OutputSelection::queue;
  CreditPath credits = CreditPath::reverse_channel;
  FlowControl flow_control = FlowControl::credits;
  // With pause: what is in the buffer of a virtual channel when its sender is stopped, and when it
  // may go on. None: as pause.hpp derives them.
  std::optional<DataSize> xoff;
  std::optional<DataSize> xon;
  // When a switch chooses among outputs, one in a low-power state, asleep or below its full rate,
  // counts as if so much more waited for it: traffic keeps to channels that are up until their
  // queues are longer than this penalty.
  DataSize low_power_penalty;
  // A change of rate that takes at least so long begins when nothing waits for the channel any
  // more; until it is over, switches that have a choice keep away from the channel. None: changes
  // begin after the packet on the wire, and others wait for their end.
  std::optional<Duration> drain_from;
  Duration switch_latency = std::chrono::nanoseconds(100);  // head in to head ready to leave
  Duration link_latency = std::chrono::nanoseconds(50);     // of a cable of no length
  Duration delay_per_metre{};                               // 5 ns in copper and glass
  NicHardware nic;
  // Messages that a host has under way at once, for each virtual lane: those to different
  // destinations take turns packet by packet. 1: one message after the other. With 16, a host that
  // shares its link like a processor runs out of places in 0.6^16 = 0.03 % of the time at 60 %
  // load.
  std::uint32_t open_messages = 16;
  // Each with the virtual channels of the routing. Packets of service level s use lane
  // service_lanes[s]; of one beyond the list, lane s modulo the number of lanes.
  std::vector<VirtualLane> virtual_lanes = {VirtualLane{}};
  std::vector<std::uint8_t> service_lanes;
  // After so much of high priority one packet of low priority goes first, if one waits; 0: never.
  DataSize high_limit;

  bool operator==(const Hardware&) const = default;

  [[nodiscard]] std::uint32_t lane_of(std::uint8_t service) const {
    if (service < service_lanes.size()) return service_lanes[service];
    return service % static_cast<std::uint32_t>(virtual_lanes.size());
  }
  [[nodiscard]] Duration latency(const topology::Link& link) const {
    return link_latency + Duration(delay_per_metre.count() * link.length_mm / 1000);
  }
};

// Every reason why no network can be built from it; empty when there is none.
[[nodiscard]] Errors validate(const Hardware& hardware);

// Pause frames per class (IEEE 802.1Qbb): when the switch that a channel leads to counts `xoff` of
// a class in its input buffer, it tells the sender to stop; when it counts `xon` again, to go on.
// What still comes after `xoff` is the headroom, and the buffer must have it. docs/models/pause.md
// has the arithmetic.
inline constexpr DataSize kPauseFrame = bytes(64);

// A link as far as pauses are concerned.
struct PausedLink {
  DataRate rate;  // the highest
  Duration latency{};
};

struct PauseLevels {
  DataSize xoff;
  DataSize xon;
};

// From the decision until the sender has heard of it. The frame waits for a packet on its wire, of
// full size and rate, whatever is there: the worst case, always.
[[nodiscard]] Duration pause_delay(const Hardware& hardware, const PausedLink& link);

// What can still come after the decision to pause, the packet included that led to it.
[[nodiscard]] DataSize headroom(const Hardware& hardware, const PausedLink& link);

// As the hardware says, or else xoff = buffer - headroom and xon = xoff - two packets.
[[nodiscard]] PauseLevels pause_levels(const Hardware& hardware, const PausedLink& link);

// Why the hardware would lose packets on some link of the network; empty when it would not.
[[nodiscard]] Errors validate_pause(const Hardware& hardware, const topology::Graph& graph);

}  // namespace ebb::netsim
