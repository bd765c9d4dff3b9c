// SPDX-License-Identifier: Apache-2.0
#include "partition.hpp"

namespace ebb::netsim {

// Hosts that have something to send look for it when it is created; those of a closed loop begin.
Partition::Partition(NetworkState& net, Outbox& outbox, std::uint32_t number, Observer& observer)
    : part_(net, outbox, number, observer), meters_(part_), outputs_(part_, meters_) {
  for (const Nic& nic : net.nics) {
    if (!part_.owns(nic.channel)) continue;
    if (nic.next) part_.calendar.try_send_at(nic.channel, nic.next->at);
    if (net.closed_loop != nullptr) part_.calendar.try_send_at(nic.channel, TimePoint());
  }
}

// Wormhole switching has credits and leaves from input buffers, as validate(Hardware) asks.
std::unique_ptr<Partition> make_partition(NetworkState& net, Outbox& outbox, std::uint32_t number,
                                          Observer& observer) {
  const Hardware& hardware = net.config.hardware;
  const bool output_buffers = net.has_output_buffers();
  PartitionMaker* make =
      output_buffers ? packets_with_credits_and_output_buffers : packets_with_credits;
  if (hardware.flow_control == FlowControl::pause)
    make = output_buffers ? packets_with_pauses_and_output_buffers : packets_with_pauses;
  if (hardware.flow_control == FlowControl::bubble) make = packets_with_bubble;
  if (hardware.switching == Switching::wormhole) make = flits_with_credits;
  if (net.config.fidelity == Fidelity::flow) make = flows;
  return make(net, outbox, number, observer);
}

}  // namespace ebb::netsim
