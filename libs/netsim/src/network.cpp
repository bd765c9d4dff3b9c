// SPDX-License-Identifier: Apache-2.0
#include "ebb/netsim/network.hpp"

#include "blocked_chain.hpp"
#include "mail.hpp"
#include "partition.hpp"
#include "world.hpp"

#include "ebb/core/check.hpp"
#include "ebb/des/windows.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace ebb::netsim {

struct Network::Inside {
  Inside(Build build, MessageSource& source, std::span<Observer* const> observers)
      : world(std::move(build), source),
        mail(world.partitions),
        windows(world.partitions, world.lookahead()) {
    EBB_CHECK(observers.size() == world.partitions, "an observer for each partition");
    for (std::uint32_t p = 0; p < world.partitions; ++p) {
      partitions.push_back(std::make_unique<Partition>(world, mail, p, *observers[p]));
    }
  }

  // What des::Windows asks of the parts.
  [[nodiscard]] TimePoint next(std::uint32_t p) { return partitions[p]->next(); }
  TimePoint run(std::uint32_t p, TimePoint end, std::uint32_t round) {
    return partitions[p]->run(end, round);
  }
  void receive(std::uint32_t p, std::uint32_t round) { partitions[p]->receive(round); }

  // One partition needs no windows. Actions between runs may have posted mail.
  void run_windows(TimePoint end) {
    if (partitions.size() == 1) return;
    for (auto& partition : partitions) partition->receive_posted();
    windows.run_until(end, *this);
  }

  template <class Number>
  [[nodiscard]] Number sum(Number (Partition::*count)() const) const {
    Number total{};
    for (const auto& partition : partitions) total += (*partition.*count)();
    return total;
  }

  [[nodiscard]] ChannelUse use(std::uint32_t which) const {
    const Channel& channel = world.channels[which];
    if (channel.wire_end <= now) return {channel.busy, bits(channel.sent_bits)};
    return {channel.busy - (channel.wire_end - now), bits(channel.sent_bits - channel.wire_bits)};
  }

  policy::ChannelSample sample(std::uint32_t which) {
    const ChannelUse so_far = use(which);
    ChannelControl& control = world.controls[which];
    const policy::ChannelSample sample{
        .id = policy::ChannelId{which},
        .reverse = policy::ChannelId{which ^ 1U},
        .ladder = static_cast<std::uint8_t>(world.model_of(which).steps.size()),
        .window = now - sampled_at,
        .busy = so_far.busy - control.sampled_busy,
        .sent = so_far.sent - bits(control.sampled_bits),
        .queued = world.waiting(which, now),
        .state = world.state(which, now)};
    control.sampled_busy = so_far.busy;
    control.sampled_bits = so_far.sent.count();
    return sample;
  }

  World world;
  Mail mail;
  des::Windows windows;
  std::vector<std::unique_ptr<Partition>> partitions;
  TimePoint now{};
  TimePoint sampled_at{};
  std::vector<policy::ChannelSample> samples;
};

Network::Network(Build build, MessageSource& source, std::span<Observer* const> observers)
    : inside_(std::make_unique<Inside>(std::move(build), source, observers)) {}

Network::Network(Build build, MessageSource& source, Observer& observer)
    : Network(std::move(build), source, std::array{&observer}) {}

Network::~Network() = default;

void Network::run_until(TimePoint end) {
  EBB_CHECK(end >= inside_->now, "time goes forward");
  inside_->run_windows(end);
  for (auto& partition : inside_->partitions) partition->run_until(end);
  inside_->now = end;
}

void Network::run_dry() {
  inside_->run_windows(des::Simulation<int>::kEndOfTime);
  for (auto& partition : inside_->partitions) {
    partition->run_dry();
    inside_->now = std::max(inside_->now, partition->now());
  }
}

TimePoint Network::now() const { return inside_->now; }

policy::Sample Network::sample() {
  Inside& in = *inside_;
  in.samples.resize(in.world.channels.size());
  for (std::uint32_t c = 0; c < in.samples.size(); ++c) in.samples[c] = in.sample(c);
  in.sampled_at = in.now;
  return {in.now, in.samples};
}

policy::Outcome Network::apply(const policy::Action& action) {
  const World& world = inside_->world;
  const std::uint32_t which = index(action.channel);
  if (which >= world.channels.size()) {
    return {action, inside_->now, {}, policy::Reason::unknown_channel};
  }
  return inside_->partitions[world.owner_of(world.source_of(which))]->apply(action);
}

void Network::start_meters() {
  for (auto& partition : inside_->partitions) partition->start_meters();
}

Energy Network::channel_energy() {
  Energy energy;
  for (auto& partition : inside_->partitions) energy += partition->channel_energy();
  return energy;
}

Energy Network::channel_energy(topology::ChannelId channel) {
  const World& world = inside_->world;
  const std::uint32_t which = index(channel);
  return inside_->partitions[world.owner_of(world.source_of(which))]->channel_energy(which);
}

power::Ledger Network::close_meters() {
  power::Ledger all = inside_->partitions.front()->close_meters();
  for (std::size_t p = 1; p < inside_->partitions.size(); ++p) {
    auto both = power::merge(all, inside_->partitions[p]->close_meters());
    EBB_CHECK(both.has_value(), "the accounts of two partitions do not fit");
    all = std::move(*both);
  }
  return all;
}

ChannelUse Network::use(topology::ChannelId channel) const { return inside_->use(index(channel)); }

policy::State Network::state(topology::ChannelId channel) const {
  return inside_->world.state(index(channel), inside_->now);
}

DataSize Network::queued(topology::ChannelId channel) const {
  return inside_->world.waiting(index(channel), inside_->now);
}

std::size_t Network::packets_in_network() const {
  std::size_t packets = 0;
  for (const auto& partition : inside_->partitions) packets += partition->packets().in_use();
  return packets;
}
std::uint64_t Network::packets_sent() const { return inside_->sum(&Partition::packets_sent); }
std::uint64_t Network::packet_hops() const { return inside_->sum(&Partition::packet_hops); }
std::uint64_t Network::transmissions() const { return inside_->sum(&Partition::transmissions); }
std::uint64_t Network::events() const { return inside_->sum(&Partition::events); }
std::size_t Network::pending_events() const { return inside_->sum(&Partition::pending_events); }

std::vector<std::string> Network::blocked_chain() const {
  std::vector<const PacketPool*> pools;
  for (const auto& partition : inside_->partitions) pools.push_back(&partition->packets());
  return BlockedChain(inside_->world, pools, inside_->now).text();
}

Errors Network::leftovers() {
  Errors errors;
  for (auto& partition : inside_->partitions) {
    const Errors more = partition->leftovers();
    errors.insert(errors.end(), more.begin(), more.end());
  }
  return errors;
}

std::size_t Network::memory_bytes() const {
  return inside_->world.memory_bytes() + inside_->sum(&Partition::memory_bytes) +
         inside_->samples.capacity() * sizeof(policy::ChannelSample);
}

}  // namespace ebb::netsim
