// SPDX-License-Identifier: Apache-2.0
#include "world.hpp"

#include "ebb/core/check.hpp"
#include "ebb/netsim/pause.hpp"

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

World::World(Network::Build parts, MessageSource& source)
    : build(std::move(parts)),
      messages(source),
      lanes(build.hardware),
      channels_of_lane(static_cast<std::uint8_t>(build.routing.virtual_channels())),
      virtual_channels(static_cast<std::uint8_t>(lanes.count() * channels_of_lane)),
      wormhole(build.hardware.switching == Switching::wormhole),
      pauses(build.hardware.flow_control == FlowControl::pause),
      detour_rule(build.routing.detour_rule()),
      packet_bits(static_cast<std::uint32_t>(piece(build.hardware).count())),
      partitions(count(build.partition_of)),
      partitions_here(partitions / build.ranks.count()),
      first_here(build.ranks.rank() * partitions_here),
      has_output_buffers(build.hardware.output_buffer > DataSize{}),
      gates_buffers(build.hardware.gated_buffers && build.components &&
                    build.components->buffers.gated),
      can_sleep(any_sleeps(build.models)),
      carries_credits(can_sleep && !pauses &&
                      build.hardware.credits == CreditPath::reverse_channel) {
  EBB_CHECK(partitions_here * build.ranks.count() == partitions, "as many partitions on each rank");
  EBB_CHECK(mistakes(build.hardware).empty(), "hardware with mistakes");
  EBB_CHECK(lanes.count() * build.routing.virtual_channels() < 256, "too many virtual channels");
  EBB_CHECK(build.models.size() == build.graph.ladders().size(), "a model for each ladder");
  for (const ChannelModel& model : build.models) {
    first_step.push_back(static_cast<std::uint32_t>(full_packet_time.size()));
    for (const auto& step : model.steps) {
      full_packet_time.push_back(serialization_time(bits(packet_bits), step.rate));
    }
  }
  if (partitions > 1) set_owners();
  make_channels();
  if (pauses) make_pauses();
  if (detour_rule == routing::DetourRule::congested) make_news();
  make_nodes();
}

// Hosts live with the switch that serves them, their first.
void World::set_owners() {
  const topology::Graph& graph = build.graph;
  EBB_CHECK(build.partition_of.size() == graph.switch_count(), "a partition for each switch");
  owner = build.partition_of;
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) {
    const auto served_by = graph.target(graph.outputs(graph.host_node(h)).front());
    owner.push_back(owner[index(served_by)]);
  }
}

void World::make_channels() {
  const topology::Graph& graph = build.graph;
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
    fixed[which] = {.latency = build.hardware.latency(link),
                    .target = index(to),
                    .model = link.ladder,
                    .tier = static_cast<std::uint8_t>(build.routing.tier(ChannelId{which})),
                    .from_host = graph.is_host(from),
                    .to_host = graph.is_host(to),
                    .cut = owner_of(index(from)) != owner_of(index(to))};
    const auto top = static_cast<std::uint8_t>(build.models[link.ladder].steps.size() - 1);
    channels[which].step = top;
    controls[which].now = {policy::Mode::active, policy::RateStep{top}};
    controls[which].before = controls[which].now;
  }
  VcQueue queue;
  queue.credit_bits = static_cast<std::int32_t>(build.hardware.input_buffer.count());
  queue.room_bits = static_cast<std::int32_t>(build.hardware.output_buffer.count());
  queues.assign(std::size_t{total} * virtual_channels, queue);
  if (lanes.count() > 1) turns.resize(total);
  if (!wormhole) return;
  worm_inputs.resize(queues.size());
  worm_outputs.resize(queues.size());
}

void World::make_pauses() {
  // An event has room for twice as many, in its order.
  EBB_CHECK(queues.size() < std::size_t{1} << 26U, "too many virtual channels to pause");
  EBB_CHECK(pause_mistakes(build.hardware, build.graph).empty(), "no room for pauses");
  pause_inputs.resize(queues.size());
  pause_channels.resize(fixed.size());
  for (std::uint32_t which = 0; which < fixed.size(); ++which) {
    const PausedLink link{model_of(which).steps.back().rate, fixed[which].latency};
    const PauseLevels levels = pause_levels(build.hardware, link);
    pause_channels[which] = {.delay = pause_delay(build.hardware, link),
                             .xoff_bits = static_cast<std::int32_t>(levels.xoff.count()),
                             .xon_bits = static_cast<std::int32_t>(levels.xon.count())};
  }
}

void World::make_news() {
  for (std::uint32_t s = 0; s < build.graph.switch_count(); ++s) {
    const topology::NodeId node = build.graph.switch_node(s);
    const routing::NewsCircle circle = build.routing.news_circle(node);
    news_each = circle.switches * circle.channels_each;
    for (const ChannelId one : build.routing.news_channels(node)) fixed[index(one)].news = true;
  }
  congested.resize(std::size_t{build.graph.switch_count()} * news_each);
  EBB_CHECK(congested.size() < std::size_t{1} << 27U, "too much news");
}

void World::make_nodes() {
  const topology::Graph& graph = build.graph;
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    ties.emplace_back(build.seed, fmt::format("netsim/switch/{}", s));
  }
  if (build.components) work.resize(graph.node_count());
  nics.resize(graph.host_count());
  sendings.resize(std::size_t{graph.host_count()} * lanes.count());
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) {
    nics[h].channel = index(graph.outputs(graph.host_node(h)).front());
    if (is_here(partition_of(nics[h].channel))) nics[h].next = messages.next(h);
  }
}

DataSize World::waiting_at_host(std::uint32_t host, TimePoint now) const {
  const auto& next = nics[host].next;
  DataSize waiting = next && next->at <= now ? next->size : DataSize{};
  for (std::uint32_t lane = 0; lane < lanes.count(); ++lane) {
    waiting += sendings[std::size_t{host} * lanes.count() + lane].waiting();
  }
  return waiting;
}

DataSize World::waiting(std::uint32_t which, TimePoint now) const {
  if (!fixed[which].from_host) return bits(channels[which].queued_bits);
  return waiting_at_host(host_of(which), now);
}

policy::State World::state(std::uint32_t which, TimePoint now) const {
  const ChannelControl& control = controls[which];
  const policy::State state = control.now.state();
  return now < control.change_end ? policy::changing(state, control.change_end) : state;
}

// Packets, credits and news of the reverse channel all pay at least the latency of the link.
Duration World::lookahead() const {
  Duration least = Duration::max();
  for (const FixedChannel& channel : fixed) {
    if (channel.cut) least = std::min(least, channel.latency);
  }
  return least;
}

std::size_t World::memory_bytes() const {
  return fixed.capacity() * sizeof(FixedChannel) + channels.capacity() * sizeof(Channel) +
         queues.capacity() * sizeof(VcQueue) + controls.capacity() * sizeof(ChannelControl) +
         triggers.capacity() * sizeof(Triggers) + meter_of.capacity() * sizeof(std::uint32_t) +
         ties.capacity() * sizeof(RandomStream) + nics.capacity() * sizeof(Nic) +
         sendings.capacity() * sizeof(Sending) + turns.capacity() * sizeof(LaneTurn) +
         worm_inputs.capacity() * sizeof(WormInput) + worm_outputs.capacity() * sizeof(WormOutput) +
         pause_channels.capacity() * sizeof(PauseChannel) +
         pause_inputs.capacity() * sizeof(PauseInput) + congested.capacity() +
         work.capacity() * sizeof(NodeWork);
}

}  // namespace ebb::netsim
