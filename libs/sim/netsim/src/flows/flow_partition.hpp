// SPDX-License-Identifier: Apache-2.0
//
// The network at flow fidelity: messages are flows that share channels (channel_shares.hpp) instead
// of packets that queue for them. Channels, their power states and triggers, meters, samples,
// routers and network cards' order of messages are those of the packet simulator.
// docs/models/flows.md has the model.
//
// The head of a message goes from channel to channel, takes the output that the switch would give
// to its first packet, and waits for channels that sleep or change their rate. Where switches have
// a choice more heads follow, and find what the ones before them have taken: the message uses
// several paths. Behind the heads the message flows, hop by hop at the rate that it gets of each
// channel, into buffers that fill and run empty.
#pragma once

#include "../announcements.hpp"
#include "../congestion_notifications.hpp"
#include "../host_interfaces.hpp"
#include "../partition.hpp"
#include "../router.hpp"
#include "channel_shares.hpp"
#include "flow.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ebb::netsim {

class FlowPartition final : public Partition {
 public:
  FlowPartition(NetworkState& net, Outbox& outbox, std::uint32_t number, Observer& observer);

  void receive(std::uint32_t /*round*/) override {}
  void run_until(TimePoint end) override;
  void run_until_idle() override;
  policy::Outcome apply(const policy::Action& action) override;
  [[nodiscard]] Errors check_conservation() override;

  [[nodiscard]] std::uint64_t in_network() const override { return transfers_.in_use(); }
  [[nodiscard]] std::uint64_t packets_sent() const override { return 0; }
  [[nodiscard]] std::uint64_t transmissions() const override { return transmissions_; }
  [[nodiscard]] std::size_t memory_bytes() const override {
    return Partition::memory_bytes() + flows_.memory_bytes() + transfers_.memory_bytes() +
           shares_.memory_bytes() + waiting_.memory_bytes();
  }

 private:
  void handle(NodeId receiver, EventKind what, std::uint32_t which);
  void count_all();

  // Hosts: what they have to send, in the order of their network card.
  void try_send(ChannelId channel);
  void start_messages(ChannelId from_host);
  void open_messages(Nic& nic, std::uint8_t lane);
  void announce(ChannelId from_host, std::uint8_t lane, const SequencedMessage& message);
  void hear(NodeId at, PacketIndex announcement);
  void start_transfer(std::uint32_t host, std::uint8_t lane, const OpenMessage& message);
  void close_message(const Transfer& transfer);

  // Heads, up to the destination.
  [[nodiscard]] std::int64_t most_paths(const Transfer& transfer) const;
  void start_heads(TransferIndex which);
  [[nodiscard]] FlowIndex add_flow(TransferIndex which);
  bool start_head(TransferIndex which);
  void add_path_if_congested(FlowIndex which);
  void advance_head(FlowIndex which);
  void wait_for_channel(FlowIndex which);
  void take_waiting(ChannelId channel);
  void pass_channel(FlowIndex which);
  void route_head(Flow& flow);
  void join_hops(FlowIndex which, std::uint32_t from);
  bool merge_if_repeated(FlowIndex which, std::uint32_t joined);
  void weigh(const Transfer& transfer);

  // flow_rates.cpp: what is sent.
  [[nodiscard]] DataRate level_rate(ChannelId channel) const;
  [[nodiscard]] std::int64_t capacity(ChannelId channel) const;
  template <class Act>  // something that may change the state of the channel
  void act_on(ChannelId channel, Act act) {
    count_channel(channel);
    if (watches_held()) {  // what its present state has cost
      for (const auto& [flow, hop] : shares_.flows_on(channel)) count(flow);
    }
    act();
    shares_.set_capacity(channel, capacity(channel));
  }
  void share();
  void change_rates();
  void count(FlowIndex which);
  void count_hops(Transfer& transfer, Flow& flow, Duration time);
  void count_flows(TransferIndex which);
  void count_channel(ChannelId which);
  void carry(ChannelId which, std::int64_t bits);
  void count_work(ChannelId which, std::int64_t bits);
  void count_open(Transfer& transfer);
  [[nodiscard]] bool watches_held() const { return part_.watched && net_.closed_loop != nullptr; }
  void look_at_buffers(Flow& flow);
  void count_queued(Flow& flow);
  void set_queued(FlowHop& hop, std::int64_t bits);
  [[nodiscard]] TimePoint next_event(Flow& flow);
  void mark_changed(FlowIndex which);
  void mark_changed(TransferIndex which);
  void tell_held(const Transfer& transfer, const FlowHop& hop, Duration time);
  void look_at_events();
  void look_at(FlowIndex which);
  void look_at(TransferIndex which);
  void end_hops(Transfer& transfer, FlowIndex number);
  void leave(FlowIndex which, std::uint32_t hop);
  void give_back(FlowIndex which);
  void finish(TransferIndex which);
  void deliver(TransferIndex which);

  template <class Visit>  // (flow index, flow)
  void for_each_flow(const Transfer& transfer, Visit visit) {
    for (FlowIndex next = transfer.first; next != kNoFlow;) {
      const FlowIndex which = std::exchange(next, flows_[next].sibling);
      visit(which, flows_[which]);
    }
  }
  // By its last hop.
  [[nodiscard]] static std::int64_t sent_by(const Flow& flow) {
    return flow.path.empty() ? 0 : flow.path.back().sent_bits;
  }
  [[nodiscard]] std::int64_t packet_of(const Transfer& transfer) const {
    return std::min(transfer.size_bits, packet_bits_);
  }

  struct WaitingFlows {
    FlowIndex first = kNoFlow;
    FlowIndex last = kNoFlow;
  };

  NetworkState& net_;
  Flows flows_;
  Transfers transfers_;
  ChannelShares shares_;
  FlowEvents<FlowIndex, Flow> events_;
  FlowEvents<TransferIndex, Transfer> ends_;  // of what hosts send
  Router router_;
  Announcements announcements_;
  HostInterfaces interfaces_;
  CongestionNotifications notifications_;
  ById<ChannelId, WaitingFlows> waiting_;         // heads that wait for a channel
  std::vector<FlowIndex> changed_;                // flows that have new rates
  std::vector<TransferIndex> changed_transfers_;  // whose hosts send them at new rates
  std::vector<ChannelId> queued_;                 // armed channels for which more waits
  std::vector<ChannelId> tripping_;               // those of them that are looked at
  routing::Candidates scratch_;
  const std::int64_t packet_bits_;
  const std::int64_t buffer_bits_;
  // Less data than this is none: times are rounded to picoseconds and amounts to bits.
  const std::int64_t negligible_bits_;
  const std::int64_t congested_bits_;  // so much queued makes switches choose another output
  bool had_choice_ = false;            // at some switch since it was last asked
  TimePoint next_look_ = kNever;       // for which there is an event
  std::uint64_t transmissions_ = 0;
  DataSize delivered_;  // that the observer has not been told of
};

}  // namespace ebb::netsim
