// SPDX-License-Identifier: Apache-2.0
//
// What all partitions of a network share. Built once; afterwards each entry of a mutable array is
// touched by one partition only, that of the node it belongs to, so there is nothing to lock. Every
// rank has the whole of it; entries of nodes that live elsewhere stay as they were built.
#pragma once

#include "channel.hpp"
#include "nic.hpp"
#include "vl_arbiter.hpp"

#include "ebb/core/large_vector.hpp"
#include "ebb/core/random.hpp"
#include "ebb/netsim/network.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ebb::netsim {

struct NetworkState {
  NetworkState(NetworkConfig parts, MessageSource& source);

  // Never changes.
  NetworkConfig config;
  MessageSource& messages;
  VlArbiter lanes;
  std::uint8_t channels_of_lane;  // virtual channels that the routing asks for
  std::uint8_t virtual_channels;  // of all lanes, lane by lane
  bool wormhole;
  bool pauses;  // instead of credits
  routing::NonMinimalRule non_minimal_rule;
  std::uint32_t packet_bits;      // the most that is sent in one piece: a packet, or a flit
  std::uint32_t partitions;       // on all ranks, as many on each: rank r has those from ...
  std::uint32_t partitions_here;  // ... r times this
  std::uint32_t first_here;
  bool has_output_buffers;
  bool gates_buffers;
  bool can_sleep;                               // some channel can
  bool carries_credits;                         // one that can sleep carries those of its reverse
  std::vector<std::uint32_t> first_rate_level;  // by model: where its levels begin in ...
  std::vector<Duration> full_packet_time;       // ... transmission times of a full packet
  LargeVector<FixedChannel> fixed;
  std::vector<std::uint32_t> owner;  // of a node: its partition; empty when there is but one

  // By channel; belong to the node that sends.
  LargeVector<Channel> channels;
  LargeVector<VcQueue> queues;  // virtual channel by virtual channel
  LargeVector<ChannelControl> controls;
  LargeVector<Triggers> triggers;       // empty as long as none can be needed
  std::vector<std::uint32_t> meter_of;  // in the ledger of the owner

  LargeVector<VlArbiterState> turns;  // by channel, where there are several lanes
  // Virtual channel by virtual channel, with wormhole switching; inputs belong to the node that the
  // channel leads to.
  LargeVector<InputVcState> input_vc_states;
  LargeVector<OutputVcState> output_vc_states;

  // With pause frames: by channel, and virtual channel by virtual channel; inputs belong to the
  // node that the channel leads to.
  LargeVector<PauseChannel> pause_channels;
  LargeVector<PauseInput> pause_inputs;
  // What a switch was notified of the channels of its group, and knows of its own: by switch.
  LargeVector<std::uint8_t> congested;
  std::uint32_t notifications_each = 0;  // of a group

  std::vector<RandomStream> ties;              // by switch
  LargeVector<Nic> nics;                       // by host
  LargeVector<TransmitState> transmit_states;  // by host, lane by lane
  LargeVector<NodeWork> work;                  // by node, where components are metered

  [[nodiscard]] std::uint32_t source_of(std::uint32_t channel) const {
    return fixed[channel ^ 1U].target;
  }
  // Into `queues`.
  [[nodiscard]] std::size_t place(std::uint32_t channel, std::uint8_t vc) const {
    return std::size_t{channel} * virtual_channels + vc;
  }
  [[nodiscard]] std::uint32_t channel_of(std::size_t place) const {
    return static_cast<std::uint32_t>(place / virtual_channels);
  }
  // Into `congested`.
  [[nodiscard]] std::size_t notification_place(std::uint32_t node, std::uint32_t number) const {
    return std::size_t{node} * notifications_each + number;
  }
  [[nodiscard]] std::uint32_t owner_of(std::uint32_t node) const {
    return owner.empty() ? 0 : owner[node];
  }
  // Of a partition: its rank, whether that is this one, and its place among those here.
  [[nodiscard]] std::uint32_t rank_of(std::uint32_t partition) const {
    return partition / partitions_here;
  }
  [[nodiscard]] bool is_here(std::uint32_t partition) const {
    return partition - first_here < partitions_here;
  }
  [[nodiscard]] std::uint32_t place_here(std::uint32_t partition) const {
    return partition - first_here;
  }
  // Of the node that sends on the channel.
  [[nodiscard]] std::uint32_t partition_of(std::uint32_t channel) const {
    return owner_of(source_of(channel));
  }
  [[nodiscard]] const ChannelModel& model_of(std::uint32_t channel) const {
    return config.models[fixed[channel].model];
  }
  [[nodiscard]] std::uint32_t host_of(std::uint32_t from_host_channel) const {
    return source_of(from_host_channel) - config.graph.switch_count();
  }
  [[nodiscard]] TransmitState& transmit_state(std::uint32_t host, std::uint32_t lane) {
    return transmit_states[std::size_t{host} * lanes.count() + lane];
  }
  // Data created by `now` that a host has not sent. Messages wait here only where the channel has a
  // trigger or there are several lanes; elsewhere those behind the next one are not looked at.
  [[nodiscard]] DataSize waiting_at_host(std::uint32_t host, TimePoint now) const;
  [[nodiscard]] DataSize waiting(std::uint32_t channel, TimePoint now) const;
  [[nodiscard]] policy::State state(std::uint32_t channel, TimePoint now) const;
  // The shortest delay between two partitions.
  [[nodiscard]] Duration lookahead() const;
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  void set_owners();
  void make_channels();
  void make_pauses();
  void make_notifications();
  void make_nodes();
};

}  // namespace ebb::netsim
