// SPDX-License-Identifier: Apache-2.0
//
// A partition made of its components. They are chosen when a network is built, by the parameters of
// a template, so that nothing is asked of the network for each packet:
//   FlowControl  CreditFlowControl, PauseFlowControl, BubbleFlowControl
//   Nodes        PlainNodes, DetailedNodes, GatedNodes
//   Buffers      InputBuffers, OutputBuffers
//   Switching    PacketSwitching, FlitSwitching
// Output selection and routing are objects with virtual functions: one call for each choice.
#pragma once

#include "announcements.hpp"
#include "buffers.hpp"
#include "credit_flow_control.hpp"
#include "diversion.hpp"
#include "network_cards.hpp"
#include "nodes.hpp"
#include "partition.hpp"
#include "pause_flow_control.hpp"
#include "router.hpp"
#include "switch_ports.hpp"
#include "switching.hpp"
#include "transmitter.hpp"

#include "ebb/core/result.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace ebb::netsim {

template <class FlowControl_, class Nodes_, template <class, class> class BuffersOf,
          template <class> class SwitchingOf>
struct Modes {
  using FlowControl = FlowControl_;
  using Nodes = Nodes_;
  using Buffers = BuffersOf<FlowControl, Nodes>;
  using Switching = SwitchingOf<Modes>;
};

template <class M>
class PartitionOf final : public Partition {
 public:
  PartitionOf(NetworkState& net, Outbox& outbox, std::uint32_t number, Observer& observer)
      : Partition(net, outbox, number, observer),
        nodes_(net),
        flow_(part_, outputs_),
        buffers_(part_, flow_, nodes_),
        transmitter_(part_, outputs_, buffers_, nodes_),
        router_(part_, outputs_),
        ports_(part_, outputs_, flow_, buffers_, nodes_, transmitter_),
        announcements_(part_, router_),
        cards_(part_, outputs_, flow_, nodes_, announcements_, transmitter_),
        switching_(part_, ports_, router_, nodes_),
        diversion_(part_, outputs_, ports_, router_, nodes_) {}

  void run_until(TimePoint end) override { part_.calendar.run_until(end, handler()); }
  void run_until_idle() override { part_.calendar.run(handler()); }

  void receive(std::uint32_t round) override {
    part_.exchange.receive(round, part_.packets, [this](const CreditItem& item) {
      flow_.give_back(item.channel, static_cast<std::uint8_t>(item.vc), item.bits, item.at);
    });
  }

  [[nodiscard]] std::uint64_t packets_sent() const override { return cards_.packets_sent(); }
  [[nodiscard]] std::uint64_t transmissions() const override {
    return transmitter_.transmissions();
  }

  [[nodiscard]] Errors check_conservation() override;

 private:
  [[nodiscard]] auto handler() {
    return [this](NodeId receiver, EventKind what, std::uint32_t which) {
      handle(receiver, what, which);
    };
  }

  void handle(NodeId receiver, EventKind what, std::uint32_t which) {
    NetworkState& net = part_.net;
    switch (what) {
      case EventKind::arrival:
        return arrive(receiver, PacketIndex{which});
      case EventKind::try_send: {
        // A try that was put forward leaves its later event behind.
        Channel& channel = net.channels[ChannelId{which}];
        if (channel.next_try != part_.now()) return;
        channel.next_try = kNever;
        return try_send(ChannelId{which});
      }
      case EventKind::check: {
        Triggers& triggers = net.triggers[ChannelId{which}];
        if (triggers.next_check != part_.now()) return;
        triggers.next_check = kNever;
        return outputs_.check(ChannelId{which});
      }
      case EventKind::ramp_end:
        if (net.triggers[ChannelId{which}].ramp_end != part_.now()) return;
        return outputs_.end_ramp(ChannelId{which});
      case EventKind::congestion_notification:
        return ports_.notifications().receive(which);
      default:
        return control_flow(what, which);
    }
  }

  void arrive(NodeId at, PacketIndex arrived) {
    const Packet& packet = part_.packets[arrived];
    if (is_announcement(packet)) return hear(at, arrived);
    ++packet_hops_;
    nodes_.count(at, packet.last ? 1 : 0, packet.bits);
    flow_.arrived(packet);
    switching_.arrive(at, arrived, scratch_);
  }

  // Rare, and kept out of the code that packets pass through.
  [[gnu::noinline]] void hear(NodeId at, PacketIndex announcement) {
    const std::uint8_t first_vc = nodes_.first_vc(part_.packets[announcement]);
    const ExpectedMessage message = announcements_.arrive(at, announcement, first_vc, scratch_);
    if (announcements_.awaits(message.channel)) outputs_.expect(message.channel, message.at);
  }

  void try_send(ChannelId channel) {
    if (part_.net.fixed(channel).from_host) return cards_.try_send(channel);
    switching_.try_send(channel, scratch_);
  }

  void control_flow(EventKind what, std::uint32_t which) {
    const FlowEvent event = flow_.handle(what, which);
    if (event.paused) diversion_.divert(*event.paused, scratch_);
    if (event.may_send) try_send(*event.may_send);
  }

  typename M::Nodes nodes_;
  typename M::FlowControl flow_;
  typename M::Buffers buffers_;
  Transmitter<M> transmitter_;
  Router router_;
  SwitchPorts<M> ports_;
  Announcements announcements_;
  NetworkCards<M> cards_;
  typename M::Switching switching_;
  Diversion<M> diversion_;
  routing::Candidates scratch_;  // of the packet in hand
};

template <class M>
Errors PartitionOf<M>::check_conservation() {
  NetworkState& net = part_.net;
  Errors errors;
  const auto report = [&](std::string what) { errors.push_back({std::move(what), {}}); };
  if (part_.packets.in_use() > 0)
    report(fmt::format("{} packets in the network", part_.packets.in_use()));
  if (transmitter_.incomplete_messages() > 0)
    report(fmt::format("{} messages incomplete", transmitter_.incomplete_messages()));
  for (const ChannelId channel : part_.channels) {
    if (net.has_waiting(channel, part_.now()))
      report(fmt::format("channel {} has data waiting", index(channel)));
    for (std::uint8_t vc = 0; vc < net.virtual_channels_of(channel); ++vc) {
      flow_.check_conservation(channel, vc, errors);
      switching_.check_conservation(channel, vc, errors);
      buffers_.check_conservation(channel, vc, errors);
    }
  }
  return errors;
}

// With as much of the nodes as the network has.
template <class FlowControl, template <class, class> class BuffersOf,
          template <class> class SwitchingOf>
std::unique_ptr<Partition> partition_of(NetworkState& net, Outbox& outbox, std::uint32_t number,
                                        Observer& observer) {
  const auto make = [&]<class Nodes>() -> std::unique_ptr<Partition> {
    return std::make_unique<PartitionOf<Modes<FlowControl, Nodes, BuffersOf, SwitchingOf>>>(
        net, outbox, number, observer);
  };
  if (net.gates_buffers()) return make.template operator()<GatedNodes>();
  if (net.has_detailed_nodes()) return make.template operator()<DetailedNodes>();
  return make.template operator()<PlainNodes>();
}

}  // namespace ebb::netsim
