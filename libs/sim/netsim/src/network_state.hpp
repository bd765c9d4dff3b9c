// SPDX-License-Identifier: Apache-2.0
//
// What all partitions of a network share. Built once; afterwards each entry of a mutable array is
// touched by one partition only, that of the node it belongs to, so there is nothing to lock. Every
// rank has the whole of it; entries of nodes that live elsewhere stay as they were built.
#pragma once

#include "channel.hpp"
#include "nic.hpp"
#include "switch_groups.hpp"
#include "vl_arbiter.hpp"

#include "ebb/core/large_vector.hpp"
#include "ebb/core/random.hpp"
#include "ebb/netsim/network.hpp"
#include "ebb/routing/congestion.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace ebb::netsim {

struct NetworkState {
  NetworkState(NetworkConfig parts, MessageSource& source);

  // Never changes.
  NetworkConfig config;
  MessageSource& messages;
  traffic::ClosedLoop* closed_loop;  // of the messages, if they are one
  std::uint32_t interfaces;          // of a host, in all planes
  std::uint32_t hosts;
  VlArbiter lanes;
  std::uint8_t channels_of_lane;  // virtual channels that the routing asks for, or one
  std::uint8_t virtual_channels;  // of all lanes, lane by lane
  const routing::CongestionNotifications* notifications;  // of routings that have them; else null
  std::uint32_t packet_bits;  // the most that is sent in one piece: a packet, or a flit
  // A switch with cut-through begins with a packet so long before its tail is there, at most.
  Duration cut_through;
  std::uint32_t partitions;       // on all ranks, as many on each: rank r has those from ...
  std::uint32_t partitions_here;  // ... r times this
  std::uint32_t first_here;
  bool can_sleep;                               // some channel can
  std::vector<std::uint32_t> first_rate_level;  // by model: where its levels begin in ...
  std::vector<Duration> full_packet_time;       // ... transmission times of a full packet
  std::vector<std::uint32_t> owner;  // of a node: its partition; empty when there is but one

  // These belong to the node that sends on the channel.
  ById<ChannelId, Channel> channels;
  LargeVector<VcQueue> other_queues;  // of all virtual channels but the first of each channel
  ById<VcPlace, OutputBuffer> output_buffers;  // where there are any
  ById<ChannelId, ChannelControl> controls;
  ById<ChannelId, Triggers> triggers;  // empty as long as none can be needed
  std::once_flag makes_triggers;
  ById<ChannelId, std::uint32_t> meter_of;  // in the ledger of the owner

  ById<ChannelId, VlArbiterState> turns;  // where nodes are detailed
  // With wormhole switching; inputs belong to the node that the channel leads to.
  ById<VcPlace, InputVcState> input_vc_states;
  ById<VcPlace, OutputVcState> output_vc_states;

  // With pause frames; inputs belong to the node that the channel leads to.
  ById<ChannelId, PauseChannel> pause_channels;
  ById<VcPlace, PauseInput> pause_inputs;
  // What a switch was notified of the channels of its group, and knows of its own: by switch.
  LargeVector<std::uint8_t> congested;
  std::uint32_t notifications_each = 0;  // of a group

  // What took another output because this one was not live, where the routing has such choices.
  ById<ChannelId, std::int64_t> bypassed_bits;

  std::vector<RandomStream> ties;  // by switch
  // By host node: where a host has several interfaces, by interface.
  LargeVector<Nic> nics;
  LargeVector<TransmitState> transmit_states;  // as these, lane by lane
  ById<NodeId, NodeWork> work;                 // where nodes are detailed
  SwitchGroups groups;                         // of the switches, where they can sleep

  [[nodiscard]] const FixedChannel& fixed(ChannelId channel) const {
    return channels[channel].fixed;
  }
  [[nodiscard]] NodeId source_of(ChannelId channel) const { return fixed(channel).source; }
  // The channel that a packet came by belongs to the node at its other end. Where that lives on
  // another thread, which writes to it all the time, what both directions of a link have in common
  // is read off the own one.
  [[nodiscard]] ChannelId own_channel(const Packet& packet) const {
    return packet.input_cut ? topology::reverse(packet.input_channel) : packet.input_channel;
  }
  [[nodiscard]] NodeId sender(const Packet& packet) const {
    const FixedChannel& own = fixed(own_channel(packet));
    return packet.input_cut ? own.target : own.source;
  }
  [[nodiscard]] VcPlace place(ChannelId channel, std::uint8_t vc) const {
    return VcPlace{index(channel) * virtual_channels + vc};
  }
  [[nodiscard]] ChannelId channel_of(VcPlace place) const {
    return ChannelId{index(place) / virtual_channels};
  }
  [[nodiscard]] std::uint8_t vc_of(VcPlace place) const {
    return static_cast<std::uint8_t>(index(place) % virtual_channels);
  }
  [[nodiscard]] VcQueue& queue(ChannelId channel, std::uint8_t vc) {
    return vc == 0 ? channels[channel].queue : other_queues[other_queue(channel, vc)];
  }
  [[nodiscard]] const VcQueue& queue(ChannelId channel, std::uint8_t vc) const {
    return vc == 0 ? channels[channel].queue : other_queues[other_queue(channel, vc)];
  }
  [[nodiscard]] VcQueue& queue(VcPlace place) { return queue(channel_of(place), vc_of(place)); }
  // Those that are used: links of hosts use the first of a lane only.
  [[nodiscard]] std::uint8_t virtual_channels_of(ChannelId channel) const {
    const FixedChannel& its = fixed(channel);
    return lanes.count() == 1 && (its.from_host || its.to_host) ? std::uint8_t{1}
                                                                : virtual_channels;
  }
  [[nodiscard]] std::size_t place_count() const { return channels.size() * virtual_channels; }

  // Into `congested`.
  [[nodiscard]] std::size_t notification_place(NodeId node, std::uint32_t number) const {
    return std::size_t{index(node)} * notifications_each + number;
  }
  // The switch that sends notifications to a place in `congested`.
  [[nodiscard]] NodeId notifier(std::uint32_t notification_place) const;
  [[nodiscard]] std::uint32_t owner_of(NodeId node) const {
    return owner.empty() ? 0 : owner[index(node)];
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
  [[nodiscard]] std::uint32_t partition_of(ChannelId channel) const {
    return owner_of(source_of(channel));
  }
  [[nodiscard]] const ChannelModel& model_of(ChannelId channel) const {
    return config.models[fixed(channel).model];
  }
  [[nodiscard]] Duration transmission_time(ChannelId channel, std::uint32_t bits) const {
    const std::uint8_t rate_level = channels[channel].rate_level;
    const std::uint8_t model = fixed(channel).model;
    if (bits == packet_bits) return full_packet_time[first_rate_level[model] + rate_level];
    return serialization_time(ebb::bits(bits), config.models[model].rate_levels[rate_level].rate);
  }
  [[nodiscard]] std::uint32_t host_of(ChannelId from_host_channel) const {
    return index(source_of(from_host_channel)) - config.graph.switch_count();
  }
  // The host that has the interface. It fetches its messages by its first interface.
  [[nodiscard]] std::uint32_t host_of_interface(std::uint32_t interface) const {
    return interfaces == 1 ? interface : interface % hosts;
  }
  [[nodiscard]] bool is_first_interface(const Nic& nic) const {
    return interfaces == 1 || host_of(nic.channel) < hosts;
  }
  [[nodiscard]] Nic& nic_of(ChannelId from_host_channel) {
    return nics[host_of(from_host_channel)];
  }
  [[nodiscard]] TransmitState& transmit_state(std::uint32_t host, std::uint32_t lane) {
    return transmit_states[std::size_t{host} * lanes.count() + lane];
  }
  // The next message of a host leaves its source; or all that have been created, into the backlogs
  // of their lanes, for triggers that count them and lanes of their own. False when there is none.
  [[nodiscard]] SequencedMessage take_next(Nic& nic);
  bool fetch_created(Nic& nic, TimePoint now);
  // Data created by `now` that a host has not sent. Messages wait here only where the channel has a
  // trigger or there are several lanes; elsewhere those behind the next one are not looked at.
  [[nodiscard]] DataSize waiting_at_host(std::uint32_t host, TimePoint now) const;
  [[nodiscard]] DataSize waiting(ChannelId channel, TimePoint now) const;
  [[nodiscard]] bool has_waiting(ChannelId channel, TimePoint now) const {
    return waiting(channel, now) > DataSize{};
  }
  [[nodiscard]] bool is_changing(ChannelId channel, TimePoint now) const {
    return now < controls[channel].change_end;
  }
  [[nodiscard]] policy::State state(ChannelId channel, TimePoint now) const;
  [[nodiscard]] bool has_output_buffers() const {
    return config.hardware.output_buffer > DataSize{};
  }
  // Cells of buffers that hold nothing are cut off from power.
  [[nodiscard]] bool gates_buffers() const {
    return config.hardware.gated_buffers && config.components && config.components->buffers.gated;
  }
  // Credits travel on the reverse channel.
  [[nodiscard]] bool returns_credits_on_channels() const {
    return config.fidelity == Fidelity::packet &&
           config.hardware.flow_control != FlowControl::pause &&
           config.hardware.credits == CreditPath::reverse_channel;
  }
  // Virtual lanes, times of network cards or work of components: nodes.hpp.
  [[nodiscard]] bool has_detailed_nodes() const;
  // The shortest delay between two partitions.
  [[nodiscard]] Duration lookahead() const;
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  [[nodiscard]] std::size_t other_queue(ChannelId channel, std::uint8_t vc) const {
    return std::size_t{index(channel)} * (virtual_channels - 1U) + vc - 1U;
  }
  void set_owners();
  void make_channels();
  void make_virtual_channels();
  void make_pauses();
  void make_rings();
  void make_notifications();
  void make_nodes();
};

}  // namespace ebb::netsim
