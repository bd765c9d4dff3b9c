// SPDX-License-Identifier: Apache-2.0
//
// The nodes of a network that live on one thread. docs/models/netsim.md has the model in words,
// docs/design/0012-simulator-components.md the components that it is made of.
//
// Everything belongs to one node, a channel to the one that sends on it, and reaches others only
// after a delay. What is for a node of another partition is enqueued in the outbox.
#pragma once

#include "meters.hpp"
#include "output_channels.hpp"
#include "partition_state.hpp"

#include "ebb/netsim/network.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>

namespace ebb::netsim {

class Partition {
 public:
  Partition(NetworkState& net, Outbox& outbox, std::uint32_t number, Observer& observer);
  Partition(const Partition&) = delete;
  Partition& operator=(const Partition&) = delete;
  virtual ~Partition() = default;

  // For des::ConservativeScheduler.
  [[nodiscard]] TimePoint next() {
    return std::min(part_.exchange.earliest_enqueued(), part_.calendar.next_time());
  }
  virtual void receive(std::uint32_t round) = 0;

  virtual void run_until(TimePoint end) = 0;
  virtual void run_until_idle() = 0;

  // Only between runs, at their end.
  virtual policy::Outcome apply(const policy::Action& action) { return outputs_.apply(action); }
  [[nodiscard]] virtual Errors check_conservation() = 0;
  [[nodiscard]] Meters& meters() { return meters_; }

  [[nodiscard]] TimePoint now() const { return part_.now(); }
  [[nodiscard]] const PacketPool& packets() const { return part_.packets; }
  [[nodiscard]] std::uint64_t packet_hops() const { return packet_hops_; }
  [[nodiscard]] std::uint64_t events() const { return part_.calendar.handled(); }
  [[nodiscard]] std::size_t pending_events() const { return part_.calendar.pending(); }
  // Packets, or at flow fidelity messages.
  [[nodiscard]] virtual std::uint64_t in_network() const { return part_.packets.in_use(); }
  [[nodiscard]] virtual std::uint64_t packets_sent() const = 0;
  [[nodiscard]] virtual std::uint64_t transmissions() const = 0;
  [[nodiscard]] virtual std::size_t memory_bytes() const {
    return part_.packets.memory_bytes() + part_.credits.memory_bytes() +
           part_.calendar.memory_bytes();
  }

 protected:
  PartitionState part_;
  Meters meters_;
  OutputChannels outputs_;
  std::uint64_t packet_hops_ = 0;
};

// One for each combination of flow control, buffers and switching (partitions/).
using PartitionMaker = std::unique_ptr<Partition>(NetworkState& net, Outbox& outbox,
                                                  std::uint32_t number, Observer& observer);

PartitionMaker packets_with_credits;
PartitionMaker packets_with_credits_and_output_buffers;
PartitionMaker packets_with_pauses;
PartitionMaker packets_with_pauses_and_output_buffers;
PartitionMaker packets_with_bubble;
PartitionMaker flits_with_credits;
PartitionMaker flows;
// The one that the network asks for.
PartitionMaker make_partition;

}  // namespace ebb::netsim
