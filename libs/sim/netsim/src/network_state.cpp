// SPDX-License-Identifier: Apache-2.0
#include "network_state.hpp"

#include "ebb/core/check.hpp"
#include "ebb/netsim/hardware.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ebb::netsim {
namespace {

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
      closed_loop(source.closed_loop()),
      interfaces(config.graph.interfaces()),
      hosts(config.graph.hosts_of_plane()),
      lanes(config.hardware),
      channels_of_lane(config.hardware.flow_control == FlowControl::bubble
                           ? std::uint8_t{1}
                           : static_cast<std::uint8_t>(config.routing.virtual_channels())),
      virtual_channels(static_cast<std::uint8_t>(lanes.count() * channels_of_lane)),
      notifications(config.routing.notifications()),
      packet_bits(static_cast<std::uint32_t>(piece(config.hardware).count())),
      cut_through(config.hardware.switching == Switching::store_and_forward ? Duration{}
                                                                            : Duration::max() / 4),
      partitions(count(config.partition_of)),
      partitions_here(partitions / config.communicator.count()),
      first_here(config.communicator.rank() * partitions_here),
      can_sleep(any_sleeps(config.models)) {
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
  make_virtual_channels();
  if (config.hardware.flow_control == FlowControl::pause) make_pauses();
  if (config.hardware.flow_control == FlowControl::bubble) make_rings();
  if (notifications != nullptr) make_notifications();
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
  channels.resize(total);
  controls.resize(total);
  meter_of.resize(total);
  if (can_sleep) triggers.resize(total);
  for (std::uint32_t number = 0; number < total; ++number) {
    const ChannelId channel{number};
    const topology::Link& link = graph.link(topology::link_of(channel));
    const NodeId from = number % 2 == 0 ? link.a : link.b;
    const NodeId to = number % 2 == 0 ? link.b : link.a;
    FixedChannel& fixed = channels[channel].fixed;
    fixed = {.latency = config.hardware.latency(link),
             .target = to,
             .source = from,
             .model = link.rate_table,
             .tier = static_cast<std::uint8_t>(config.routing.tier(channel)),
             .from_host = graph.is_host(from),
             .to_host = graph.is_host(to),
             .cut = owner_of(from) != owner_of(to),
             .defers_credits =
                 returns_credits_on_channels() && config.models[link.rate_table].sleep.has_value()};
    const auto top =
        static_cast<std::uint8_t>(config.models[link.rate_table].rate_levels.size() - 1);
    channels[channel].rate_level = top;
    controls[channel].now = {policy::Mode::active, policy::RateLevel{top}};
    controls[channel].before = controls[channel].now;
  }
}

void NetworkState::make_virtual_channels() {
  const std::size_t total = place_count();
  VcQueue queue;
  queue.credit_bits = static_cast<std::int32_t>(config.hardware.input_buffer.count());
  for (std::uint32_t number = 0; number < channels.size(); ++number)
    channels[ChannelId{number}].queue = queue;
  other_queues.assign(total - channels.size(), queue);
  if (has_output_buffers()) {
    const auto room = static_cast<std::int32_t>(config.hardware.output_buffer.count());
    output_buffers.assign(total, {.room_bits = room});
  }
  if (has_detailed_nodes()) turns.resize(channels.size());
  if (config.hardware.switching != Switching::wormhole) return;
  input_vc_states.resize(total);
  output_vc_states.resize(total);
}

void NetworkState::make_pauses() {
  // An event has room for twice as many, in its order.
  EBB_CHECK(place_count() < std::size_t{1} << 26U, "too many virtual channels to pause");
  EBB_CHECK(validate_pause(config.hardware, config.graph).empty(), "no room for pauses");
  pause_inputs.resize(place_count());
  pause_channels.resize(channels.size());
  for (std::uint32_t number = 0; number < channels.size(); ++number) {
    const ChannelId channel{number};
    const PausedLink link{model_of(channel).rate_levels.back().rate, fixed(channel).latency};
    const PauseLevels levels = pause_levels(config.hardware, link);
    pause_channels[channel] = {.delay = pause_delay(config.hardware, link),
                               .xoff_bits = static_cast<std::int32_t>(levels.xoff.count()),
                               .xon_bits = static_cast<std::int32_t>(levels.xon.count())};
  }
}

void NetworkState::make_rings() {
  const auto directions = topology::ring_directions(config.graph);
  EBB_CHECK(directions.has_value(), "bubble flow control is for rings");
  for (std::uint32_t number = 0; number < channels.size(); ++number)
    channels[ChannelId{number}].fixed.direction = (*directions)[number];
}

void NetworkState::make_notifications() {
  for (std::uint32_t s = 0; s < config.graph.switch_count(); ++s) {
    const topology::NodeId node = config.graph.switch_node(s);
    const routing::NotificationGroup group = notifications->group(node);
    notifications_each = group.switches * group.channels_each;
    for (const ChannelId one : notifications->channels(node)) channels[one].fixed.notifies = true;
  }
  congested.resize(std::size_t{config.graph.switch_count()} * notifications_each);
  EBB_CHECK(congested.size() < std::size_t{1} << 27U, "too many congestion notifications");
}

NodeId NetworkState::notifier(std::uint32_t notification_place) const {
  const NodeId receiver{notification_place / notifications_each};
  const routing::NotificationGroup group = notifications->group(receiver);
  return NodeId{index(group.first) + notification_place % notifications_each / group.channels_each};
}

void NetworkState::make_nodes() {
  const topology::Graph& graph = config.graph;
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    ties.emplace_back(config.seed, fmt::format("netsim/switch/{}", s));
  }
  groups = SwitchGroups(config.switch_groups, graph);
  if (has_detailed_nodes()) work.resize(graph.node_count());
  if (config.routing.takes_first_live()) bypassed_bits.resize(graph.channel_count());
  nics.resize(graph.host_count());
  transmit_states.resize(std::size_t{graph.host_count()} * lanes.count());
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) {
    nics[h].fetches_early = lanes.count() > 1 || closed_loop != nullptr || interfaces > 1;
    nics[h].channel = graph.outputs(graph.host_node(h)).front();
    if (h < hosts && is_here(partition_of(nics[h].channel))) nics[h].next = messages.next(h);
  }
}

SequencedMessage NetworkState::take_next(Nic& nic) {
  const std::uint32_t counted = nic.taken++;
  const bool has_number = nic.next->number != traffic::Message::kCounted;
  const SequencedMessage taken{*nic.next, has_number ? nic.next->number : counted};
  nic.next = messages.next(taken.message.source);
  return taken;
}

bool NetworkState::fetch_created(Nic& nic, TimePoint now) {
  if (!nic.next || nic.next->at > now) return false;
  const std::uint32_t host = host_of(nic.channel);
  while (nic.next && nic.next->at <= now) {
    const std::uint32_t lane = config.hardware.lane_of(nic.next->service);
    transmit_state(host, lane).backlog.push(take_next(nic));
  }
  return true;
}

DataSize NetworkState::waiting_at_host(std::uint32_t host, TimePoint now) const {
  const auto& next = nics[host].next;
  DataSize waiting = next && next->at <= now ? next->size : DataSize{};
  for (std::uint32_t lane = 0; lane < lanes.count(); ++lane) {
    waiting += transmit_states[std::size_t{host} * lanes.count() + lane].waiting();
  }
  return waiting;
}

DataSize NetworkState::waiting(ChannelId channel, TimePoint now) const {
  if (!fixed(channel).from_host) return bits(channels[channel].queued_bits);
  return waiting_at_host(host_of(channel), now);
}

policy::State NetworkState::state(ChannelId channel, TimePoint now) const {
  const ChannelControl& control = controls[channel];
  const policy::State state = control.now.state();
  return now < control.change_end ? policy::changing(state, control.change_end) : state;
}

// Packets, credits and notices of the reverse channel all pay at least the latency of the link.
Duration NetworkState::lookahead() const {
  Duration least = Duration::max();
  for (const Channel& channel : channels) {
    if (channel.fixed.cut) least = std::min(least, channel.fixed.latency);
  }
  return least;
}

bool NetworkState::has_detailed_nodes() const {
  return lanes.count() > 1 || config.components || config.hardware.nic.takes_time();
}

std::size_t NetworkState::memory_bytes() const {
  return channels.memory_bytes() + other_queues.capacity() * sizeof(VcQueue) +
         output_buffers.memory_bytes() + controls.memory_bytes() + triggers.memory_bytes() +
         meter_of.memory_bytes() + ties.capacity() * sizeof(RandomStream) +
         nics.capacity() * sizeof(Nic) + transmit_states.capacity() * sizeof(TransmitState) +
         turns.memory_bytes() + input_vc_states.memory_bytes() + output_vc_states.memory_bytes() +
         pause_channels.memory_bytes() + pause_inputs.memory_bytes() + congested.capacity() +
         work.memory_bytes() + groups.memory_bytes();
}

}  // namespace ebb::netsim
