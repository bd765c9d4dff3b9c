// SPDX-License-Identifier: Apache-2.0
#include "ebb/netsim/network.hpp"

#include "blocked_chain.hpp"
#include "channel_gathering.hpp"
#include "courier.hpp"
#include "mail.hpp"
#include "partition.hpp"
#include "world.hpp"

#include "ebb/core/check.hpp"
#include "ebb/des/windows.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace ebb::netsim {
namespace {

// What of a channel's sample only its own rank knows.
struct Seen {
  Duration busy{};
  Duration held{};
  DataSize sent;
  DataSize queued;
  policy::State state;
};

// What became of an action; the rest of its outcome every rank knows.
struct Answer {
  policy::State applied;
  policy::Reason reason = policy::Reason::done;
};

Duration lookahead(const World& world) {
  return world.partitions == 1 ? Duration::max() : world.lookahead();
}

}  // namespace

Network::Counts& Network::Counts::operator+=(const Counts& other) {
  packets_in_network += other.packets_in_network;
  packets_sent += other.packets_sent;
  packet_hops += other.packet_hops;
  transmissions += other.transmissions;
  events += other.events;
  return *this;
}

struct Network::Inside {
  Inside(Build build, MessageSource& source, std::span<Observer* const> observers)
      : world(std::move(build), source),
        mail(world.partitions_here, world.build.ranks.alone() ? 0 : world.build.ranks.count()),
        courier(world, mail),
        channels(world),
        windows(world.partitions_here, lookahead(world)) {
    EBB_CHECK(observers.size() == world.partitions_here, "an observer for each partition");
    for (std::uint32_t p = 0; p < world.partitions_here; ++p) {
      partitions.push_back(
          std::make_unique<Partition>(world, mail, world.first_here + p, *observers[p]));
    }
  }

  // What des::Windows asks of the parts.
  [[nodiscard]] TimePoint next(std::uint32_t p) { return partitions[p]->next(); }
  void receive(std::uint32_t p, std::uint32_t round) { partitions[p]->receive(round); }
  void run(std::uint32_t p, TimePoint end) { partitions[p]->run_until(end); }
  TimePoint meet(std::uint32_t round, TimePoint earliest) { return courier.meet(round, earliest); }

  void run_windows(TimePoint end) {
    if (world.partitions > 1) windows.run_until(end, *this);  // one needs none
  }

  template <class Number>
  [[nodiscard]] Number sum(Number (Partition::*count)() const) const {
    Number total{};
    for (const auto& partition : partitions) total += (*partition.*count)();
    return total;
  }

  [[nodiscard]] Counts counts_here() const {
    Counts counts{.packets_sent = sum(&Partition::packets_sent),
                  .packet_hops = sum(&Partition::packet_hops),
                  .transmissions = sum(&Partition::transmissions),
                  .events = sum(&Partition::events)};
    for (const auto& partition : partitions) {
      counts.packets_in_network += partition->packets().in_use();
    }
    return counts;
  }

  [[nodiscard]] ChannelUse use(std::uint32_t which) const {
    const Channel& channel = world.channels[which];
    if (channel.wire_end <= now) return {channel.busy, bits(channel.sent_bits)};
    return {channel.busy - (channel.wire_end - now), bits(channel.sent_bits - channel.wire_bits)};
  }

  // Since the last sample.
  Seen see(std::uint32_t which) {
    const ChannelUse so_far = use(which);
    ChannelControl& control = world.controls[which];
    const Seen seen{so_far.busy - control.sampled_busy, std::exchange(control.held, {}),
                    so_far.sent - bits(control.sampled_bits), world.waiting(which, now),
                    world.state(which, now)};
    control.sampled_busy = so_far.busy;
    control.sampled_bits = so_far.sent.count();
    return seen;
  }

  void enter(std::uint32_t which, const Seen& seen) {
    const auto& steps = world.model_of(which).steps;
    samples[which] = {.id = policy::ChannelId{which},
                      .reverse = policy::ChannelId{which ^ 1U},
                      .device = world.source_of(which),
                      .to_host = world.fixed[which].to_host,
                      .tier = world.fixed[which].tier,
                      .ladder = static_cast<std::uint8_t>(steps.size()),
                      .slowest = steps.front().power,
                      .full = steps.back().power,
                      .window = now - sampled_at,
                      .busy = seen.busy,
                      .held = seen.held,
                      .sent = seen.sent,
                      .queued = seen.queued,
                      .state = seen.state};
  }

  // Nothing when another rank has to.
  std::optional<Answer> answer(const policy::Action& action) {
    const std::uint32_t which = index(action.channel);
    if (which >= world.channels.size()) return Answer{{}, policy::Reason::unknown_channel};
    const std::uint32_t partition = world.partition_of(which);
    if (!world.is_here(partition)) return std::nullopt;
    const policy::Outcome outcome = partitions[world.place_here(partition)]->apply(action);
    return Answer{outcome.applied, outcome.reason};
  }

  // The answers of each rank to its actions, in the order in which these were given.
  void share_answers(std::vector<std::optional<Answer>>& answers,
                     std::span<const policy::Action> actions) {
    if (world.build.ranks.alone()) return;
    Bytes mine;
    for (std::size_t i = 0; i < actions.size(); ++i) {
      if (answers[i] && answers[i]->reason != policy::Reason::unknown_channel) {
        append(mine, *answers[i]);
      }
    }
    const std::vector<Bytes> all = world.build.ranks.share(mine);
    std::vector<ByteReader> readers(all.begin(), all.end());
    for (std::size_t i = 0; i < actions.size(); ++i) {
      if (answers[i]) continue;
      const std::uint32_t rank = world.rank_of(world.partition_of(index(actions[i].channel)));
      answers[i] = readers[rank].take<Answer>();
    }
  }

  World world;
  Mail mail;
  Courier courier;
  ChannelGathering channels;
  des::Windows windows;
  std::vector<std::unique_ptr<Partition>> partitions;  // of this rank
  TimePoint now{};
  TimePoint sampled_at{};
  std::vector<policy::ChannelSample> samples;
  std::vector<policy::Outcome> outcomes;
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
  for (const std::uint32_t which : in.channels.here()) in.enter(which, in.see(which));
  const auto mine = [&](std::uint32_t which) {
    const policy::ChannelSample& sample = in.samples[which];
    return Seen{sample.busy, sample.held, sample.sent, sample.queued, sample.state};
  };
  in.channels.share(mine, [&](std::uint32_t which, const Seen& seen) { in.enter(which, seen); });
  in.sampled_at = in.now;
  return {in.now, in.samples};
}

std::span<const policy::Outcome> Network::apply(std::span<const policy::Action> actions) {
  Inside& in = *inside_;
  std::vector<std::optional<Answer>> answers;
  answers.reserve(actions.size());
  for (const policy::Action& action : actions) answers.push_back(in.answer(action));
  in.share_answers(answers, actions);
  in.outcomes.clear();
  for (std::size_t i = 0; i < actions.size(); ++i) {
    in.outcomes.push_back({actions[i], in.now, answers[i]->applied, answers[i]->reason});
  }
  return in.outcomes;
}

void Network::start_meters() {
  for (auto& partition : inside_->partitions) partition->start_meters();
}

Energy Network::channel_energy() {
  Energy energy;
  for (auto& partition : inside_->partitions) energy += partition->channel_energy();
  return mpi::total(inside_->world.build.ranks, energy);
}

power::Ledger Network::close_meters() {
  const auto both = [](const power::Ledger& a, const power::Ledger& b) {
    auto merged = power::merge(a, b);
    EBB_CHECK(merged.has_value(), "the accounts of two partitions do not fit");
    return std::move(*merged);
  };
  power::Ledger all = inside_->partitions.front()->close_meters();
  for (std::size_t p = 1; p < inside_->partitions.size(); ++p) {
    all = both(all, inside_->partitions[p]->close_meters());
  }
  mpi::Ranks& ranks = inside_->world.build.ranks;
  if (ranks.alone()) return all;
  const std::vector<Bytes> parts = ranks.collect(power::to_bytes(all));
  for (std::size_t r = 1; r < parts.size(); ++r) all = both(all, power::ledger_of(parts[r]));
  return all;
}

std::vector<ChannelUse> Network::uses() const {
  const Inside& in = *inside_;
  std::vector<ChannelUse> uses(in.world.channels.size());
  for (const std::uint32_t which : in.channels.here()) uses[which] = in.use(which);
  in.channels.collect([&](std::uint32_t which) { return uses[which]; },
                      [&](std::uint32_t which, const ChannelUse& use) { uses[which] = use; });
  return uses;
}

std::vector<Network::Look> Network::look() {
  Inside& in = *inside_;
  std::vector<Look> looks(in.world.channels.size());
  for (const std::uint32_t which : in.channels.here()) {
    Partition& partition = *in.partitions[in.world.place_here(in.world.partition_of(which))];
    looks[which] = {in.use(which), partition.channel_energy(which), in.world.waiting(which, in.now),
                    in.world.state(which, in.now)};
  }
  in.channels.collect([&](std::uint32_t which) { return looks[which]; },
                      [&](std::uint32_t which, const Look& look) { looks[which] = look; });
  return looks;
}

ChannelUse Network::use(topology::ChannelId channel) const { return inside_->use(index(channel)); }

policy::State Network::state(topology::ChannelId channel) const {
  return inside_->world.state(index(channel), inside_->now);
}

Network::Counts Network::counts() const {
  return mpi::total(inside_->world.build.ranks, inside_->counts_here());
}

std::uint64_t Network::windows() const { return inside_->windows.count(); }

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
