// SPDX-License-Identifier: Apache-2.0
//
// A network as it is before anything happens.
#include "ebb/core/check.hpp"
#include "ebb/netsim/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ebb::netsim {
namespace {

using topology::ChannelId;
using topology::Graph;

Channel new_channel(const Graph& graph, std::uint32_t which, const Network::Build& build) {
  const topology::Link& link = graph.link(topology::link_of(ChannelId{which}));
  const bool forward = which % 2 == 0;
  Channel channel;
  channel.latency_ps = static_cast<std::uint32_t>(build.hardware.latency(link).count());
  channel.target = index(forward ? link.b : link.a);
  channel.model = link.ladder;
  channel.step = static_cast<std::uint8_t>(build.models[link.ladder].steps.size() - 1);
  channel.from_host = graph.is_host(forward ? link.a : link.b);
  channel.to_host = graph.is_host(forward ? link.b : link.a);
  return channel;
}

bool any_sleeps(const std::vector<ChannelModel>& models) {
  return std::any_of(models.begin(), models.end(),
                     [](const ChannelModel& model) { return model.sleep.has_value(); });
}

}  // namespace

Network::Network(Build build, MessageSource& source, Observer& observer)
    : build_(std::move(build)),
      messages_(source),
      observer_(observer),
      virtual_channels_(static_cast<std::uint32_t>(build_.routing.virtual_channels())),
      packet_bits_(static_cast<std::uint32_t>(build_.hardware.packet.count())),
      has_output_buffers_(build_.hardware.output_buffer > DataSize{}),
      can_sleep_(any_sleeps(build_.models)),
      simulation_(build_.graph.node_count()) {
  EBB_CHECK(mistakes(build_.hardware).empty(), "hardware with mistakes");
  EBB_CHECK(build_.models.size() == build_.graph.ladders().size(), "a model for each ladder");
  for (const ChannelModel& model : build_.models) {
    first_step_.push_back(static_cast<std::uint32_t>(full_packet_time_.size()));
    for (const auto& step : model.steps) {
      full_packet_time_.push_back(serialization_time(build_.hardware.packet, step.rate));
    }
  }
  make_channels();
  make_nodes();
}

void Network::make_channels() {
  const std::uint32_t count = build_.graph.channel_count();
  channels_.reserve(count);
  controls_.resize(count);
  for (std::uint32_t which = 0; which < count; ++which) {
    channels_.push_back(new_channel(build_.graph, which, build_));
    controls_[which].state = policy::active(policy::RateStep{channels_.back().step});
    controls_[which].before = controls_[which].state;
  }
  VcQueue queue;
  queue.credit_bits = static_cast<std::int32_t>(build_.hardware.input_buffer.count());
  queue.room_bits = static_cast<std::int32_t>(build_.hardware.output_buffer.count());
  queues_.assign(std::size_t{count} * virtual_channels_, queue);
}

void Network::make_nodes() {
  for (std::uint32_t s = 0; s < build_.graph.switch_count(); ++s) {
    ties_.emplace_back(build_.seed, fmt::format("netsim/switch/{}", s));
  }
  nics_.resize(build_.graph.host_count());
  for (std::uint32_t h = 0; h < build_.graph.host_count(); ++h) {
    nics_[h].channel = index(build_.graph.outputs(build_.graph.host_node(h)).front());
    nics_[h].next = messages_.next(h);
    if (nics_[h].next) attempt_at(nics_[h].channel, nics_[h].next->at);
  }
}

std::size_t Network::memory_bytes() const {
  return channels_.capacity() * sizeof(Channel) + queues_.capacity() * sizeof(VcQueue) +
         controls_.capacity() * sizeof(ChannelControl) + packets_.memory_bytes() +
         credits_.memory_bytes() + samples_.capacity() * sizeof(policy::ChannelSample) +
         meter_of_.capacity() * sizeof(std::uint32_t) + (ledger_ ? ledger_->memory_bytes() : 0) +
         ties_.capacity() * sizeof(RandomStream) + nics_.capacity() * sizeof(Nic) +
         simulation_.memory_bytes();
}

Errors Network::leftovers() {
  Errors errors;
  const auto report = [&](std::string what) { errors.push_back({std::move(what), {}}); };
  if (packets_.in_use() > 0) report(fmt::format("{} packets in the network", packets_.in_use()));
  if (!arriving_.empty()) report(fmt::format("{} messages incomplete", arriving_.size()));
  for (std::uint32_t which = 0; which < channels_.size(); ++which) {
    if (channels_[which].queued_bits != 0) report(fmt::format("channel {} has data queued", which));
    for (std::uint32_t vc = 0; vc < virtual_channels_; ++vc) {
      VcQueue& queue = this->queue(which, static_cast<std::uint8_t>(vc));
      queue.credit_bits += credits_.collect(queue.returning, TimePoint::max());
      if (queue.credit_bits != build_.hardware.input_buffer.count()) {
        report(fmt::format("channel {} virtual channel {}: {} of {} bits of credit", which, vc,
                           queue.credit_bits, build_.hardware.input_buffer.count()));
      }
      if (queue.room_bits != build_.hardware.output_buffer.count()) {
        report(fmt::format("channel {} virtual channel {}: output buffer not empty", which, vc));
      }
    }
  }
  return errors;
}

}  // namespace ebb::netsim
