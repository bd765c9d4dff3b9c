// SPDX-License-Identifier: Apache-2.0
#include "network_state.hpp"

#include "ebb/core/check.hpp"
#include "ebb/netsim/hardware.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ebb::netsim {
namespace {

using topology::ChannelId;

bool any_sleeps(const std::vector<ChannelModel>& models) {
  return std::any_of(models.begin(), models.end(),
                     [](const ChannelModel& model) { return model.sleep.has_value(); });
}

// The most that is sent in one piece.
DataSize piece(const Hardware& hardware) {
  if (hardware.switching != Switching::wormhole) return hardware.packet;
  return std::min(hardware.flit, hardware.packet);
}

std::uint32_t count(const std::vector<std::uint32_t>& partition_of) {
  return partition_of.empty() ? 1 : *std::max_element(partition_of.begin(), partition_of.end()) + 1;
}

}  // namespace

NetworkState::NetworkState(NetworkConfig parts, MessageSource& source)
    : config(std::move(parts)),
      messages(source),
      lanes(config.hardware),
      channels_of_lane(static_cast<std::uint8_t>(config.routing.virtual_channels())),
      virtual_channels(static_cast<std::uint8_t>(lanes.count() * channels_of_lane)),
      wormhole(config.hardware.switching == Switching::wormhole),
      pauses(config.hardware.flow_control == FlowControl::pause),
      non_minimal_rule(config.routing.non_minimal_rule()),
      packet_bits(static_cast<std::uint32_t>(piece(config.hardware).count())),
      partitions(count(config.partition_of)),
      partitions_here(partitions / config.communicator.count()),
      first_here(config.communicator.rank() * partitions_here),
      has_output_buffers(config.hardware.output_buffer > DataSize{}),
      gates_buffers(config.hardware.gated_buffers && config.components &&
                    config.components->buffers.gated),
      can_sleep(any_sleeps(config.models)),
      carries_credits(can_sleep && !pauses &&
                      config.hardware.credits == CreditPath::reverse_channel) {
  EBB_CHECK(partitions_here * config.communicator.count() == partitions,
            "as many partitions on each rank");
  EBB_CHECK(validate(config.hardware).empty(), "hardware that is not valid");
  EBB_CHECK(lanes.count() * config.routing.virtual_channels() < 256, "too many virtual channels");
  EBB_CHECK(config.models.size() == config.graph.rate_tables().size(),
            "a model for each rate table");
  for (const ChannelModel& model : config.models) {
    first_rate_level.push_back(static_cast<std::uint32_t>(full_packet_time.size()));
    for (const auto& rate_level : model.rate_levels) {
      full_packet_time.push_back(serialization_time(bits(packet_bits), rate_level.rate));
    }
  }
  if (partitions > 1) set_owners();
  make_channels();
  if (pauses) make_pauses();
  if (non_minimal_rule == routing::NonMinimalRule::congested) make_notifications();
  make_nodes();
}

// Hosts live with the switch that serves them, their first.
void NetworkState::set_owners() {
  const topology::Graph& graph = config.graph;
  EBB_CHECK(config.partition_of.size() == graph.switch_count(), "a partition for each switch");
  owner = config.partition_of;
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) {
    const auto served_by = graph.target(graph.outputs(graph.host_node(h)).front());
    owner.push_back(owner[index(served_by)]);
  }
}

void NetworkState::make_channels() {
  const topology::Graph& graph = config.graph;
  const std::uint32_t total = graph.channel_count();
  fixed.resize(total);
  channels.resize(total);
  controls.resize(total);
  meter_of.resize(total);
  if (can_sleep) triggers.resize(total);
  for (std::uint32_t which = 0; which < total; ++which) {
    const topology::Link& link = graph.link(topology::link_of(ChannelId{which}));
    const topology::NodeId from = which % 2 == 0 ? link.a : link.b;
    const topology::NodeId to = which % 2 == 0 ? link.b : link.a;
    fixed[which] = {.latency = config.hardware.latency(link),
                    .target = index(to),
                    .model = link.rate_table,
                    .tier = static_cast<std::uint8_t>(config.routing.tier(ChannelId{which})),
                    .from_host = graph.is_host(from),
                    .to_host = graph.is_host(to),
                    .cut = owner_of(index(from)) != owner_of(index(to))};
    const auto top =
        static_cast<std::uint8_t>(config.models[link.rate_table].rate_levels.size() - 1);
    channels[which].rate_level = top;
    controls[which].now = {policy::Mode::active, policy::RateLevel{top}};
    controls[which].before = controls[which].now;
  }
  VcQueue queue;
  queue.credit_bits = static_cast<std::int32_t>(config.hardware.input_buffer.count());
  queue.room_bits = static_cast<std::int32_t>(config.hardware.output_buffer.count());
  queues.assign(std::size_t{total} * virtual_channels, queue);
  if (lanes.count() > 1) turns.resize(total);
  if (!wormhole) return;
  input_vc_states.resize(queues.size());
  output_vc_states.resize(queues.size());
}

void NetworkState::make_pauses() {
  // An event has room for twice as many, in its order.
  EBB_CHECK(queues.size() < std::size_t{1} << 26U, "too many virtual channels to pause");
  EBB_CHECK(validate_pause(config.hardware, config.graph).empty(), "no room for pauses");
  pause_inputs.resize(queues.size());
  pause_channels.resize(fixed.size());
  for (std::uint32_t which = 0; which < fixed.size(); ++which) {
    const PausedLink link{model_of(which).rate_levels.back().rate, fixed[which].latency};
    const PauseLevels levels = pause_levels(config.hardware, link);
    pause_channels[which] = {.delay = pause_delay(config.hardware, link),
                             .xoff_bits = static_cast<std::int32_t>(levels.xoff.count()),
                             .xon_bits = static_cast<std::int32_t>(levels.xon.count())};
  }
}

void NetworkState::make_notifications() {
  for (std::uint32_t s = 0; s < config.graph.switch_count(); ++s) {
    const topology::NodeId node = config.graph.switch_node(s);
    const routing::NotificationGroup group = config.routing.notification_group(node);
    notifications_each = group.switches * group.channels_each;
    for (const ChannelId one : config.routing.notification_channels(node))
      fixed[index(one)].notifies = true;
  }
  congested.resize(std::size_t{config.graph.switch_count()} * notifications_each);
  EBB_CHECK(congested.size() < std::size_t{1} << 27U, "too many congestion notifications");
}

void NetworkState::make_nodes() {
  const topology::Graph& graph = config.graph;
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    ties.emplace_back(config.seed, fmt::format("netsim/switch/{}", s));
  }
  if (config.components) work.resize(graph.node_count());
  nics.resize(graph.host_count());
  transmit_states.resize(std::size_t{graph.host_count()} * lanes.count());
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) {
    nics[h].channel = index(graph.outputs(graph.host_node(h)).front());
    if (is_here(partition_of(nics[h].channel))) nics[h].next = messages.next(h);
  }
}

DataSize NetworkState::waiting_at_host(std::uint32_t host, TimePoint now) const {
  const auto& next = nics[host].next;
  DataSize waiting = next && next->at <= now ? next->size : DataSize{};
  for (std::uint32_t lane = 0; lane < lanes.count(); ++lane) {
    waiting += transmit_states[std::size_t{host} * lanes.count() + lane].waiting();
  }
  return waiting;
}

DataSize NetworkState::waiting(std::uint32_t which, TimePoint now) const {
  if (!fixed[which].from_host) return bits(channels[which].queued_bits);
  return waiting_at_host(host_of(which), now);
}

policy::State NetworkState::state(std::uint32_t which, TimePoint now) const {
  const ChannelControl& control = controls[which];
  const policy::State state = control.now.state();
  return now < control.change_end ? policy::changing(state, control.change_end) : state;
}

// Packets, credits and notices of the reverse channel all pay at least the latency of the link.
Duration NetworkState::lookahead() const {
  Duration least = Duration::max();
  for (const FixedChannel& channel : fixed) {
    if (channel.cut) least = std::min(least, channel.latency);
  }
  return least;
}

std::size_t NetworkState::memory_bytes() const {
  return fixed.capacity() * sizeof(FixedChannel) + channels.capacity() * sizeof(Channel) +
         queues.capacity() * sizeof(VcQueue) + controls.capacity() * sizeof(ChannelControl) +
         triggers.capacity() * sizeof(Triggers) + meter_of.capacity() * sizeof(std::uint32_t) +
         ties.capacity() * sizeof(RandomStream) + nics.capacity() * sizeof(Nic) +
         transmit_states.capacity() * sizeof(TransmitState) +
         turns.capacity() * sizeof(VlArbiterState) +
         input_vc_states.capacity() * sizeof(InputVcState) +
         output_vc_states.capacity() * sizeof(OutputVcState) +
         pause_channels.capacity() * sizeof(PauseChannel) +
         pause_inputs.capacity() * sizeof(PauseInput) + congested.capacity() +
         work.capacity() * sizeof(NodeWork);
}

}  // namespace ebb::netsim
