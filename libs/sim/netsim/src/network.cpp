// SPDX-License-Identifier: Apache-2.0

#include "ebb/netsim/network.hpp"

#include "blocked_chain.hpp"
#include "channel_samples.hpp"
#include "divided_policy.hpp"
#include "network_state.hpp"
#include "partition.hpp"
#include "partition_exchange.hpp"

#include "ebb/core/check.hpp"
#include "ebb/des/conservative_scheduler.hpp"
#include "ebb/des/thread_team.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

namespace ebb::netsim {

Script::Script(std::span<const traffic::Message> messages, std::uint32_t hosts) : messages_(hosts) {
  for (const traffic::Message& message : messages) messages_[message.source].push_back(message);
  for (auto& of_host : messages_) std::reverse(of_host.begin(), of_host.end());
}

std::optional<traffic::Message> Script::next(std::uint32_t host) {
  if (messages_[host].empty()) return std::nullopt;
  const traffic::Message message = messages_[host].back();
  messages_[host].pop_back();
  return message;
}

namespace {

// What became of an action; the rest of its outcome every rank knows.
struct ActionReply {
  policy::State applied;
  policy::Reason reason = policy::Reason::done;
};

Duration lookahead(const NetworkState& net) {
  return net.partitions == 1 ? Duration::max() : net.lookahead();
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

struct Network::Impl {
  Impl(NetworkConfig config, MessageSource& source, std::span<Observer* const> observers)
      : net(std::move(config), source),
        outbox(net.partitions_here,
               net.config.communicator.is_serial() ? 0 : net.config.communicator.count()),
        rank_exchange(net, outbox),
        channels(net),
        team(net.partitions_here),
        scheduler(team, lookahead(net)) {
    EBB_CHECK(observers.size() == net.partitions_here, "an observer for each partition");
    for (std::uint32_t p = 0; p < net.partitions_here; ++p) {
      partitions.push_back(make_partition(net, outbox, net.first_here + p, *observers[p]));
    }
  }

  // What des::ConservativeScheduler asks of the parts.
  [[nodiscard]] TimePoint next(std::uint32_t p) { return partitions[p]->next(); }
  void receive(std::uint32_t p, std::uint32_t round) { partitions[p]->receive(round); }
  void run(std::uint32_t p, TimePoint end) { partitions[p]->run_until(end); }
  TimePoint exchange(std::uint32_t round, TimePoint earliest) {
    return rank_exchange.exchange(round, earliest);
  }

  void run_windows(TimePoint end) {
    if (net.partitions > 1) scheduler.run_until(end, *this);  // one needs none
  }

  template <class Number>
  [[nodiscard]] Number sum(Number (Partition::*count)() const) const {
    Number total{};
    for (const auto& partition : partitions) total += (*partition.*count)();
    return total;
  }

  [[nodiscard]] Counts counts_here() const {
    return {.packets_in_network = sum(&Partition::in_network),
            .packets_sent = sum(&Partition::packets_sent),
            .packet_hops = sum(&Partition::packet_hops),
            .transmissions = sum(&Partition::transmissions),
            .events = sum(&Partition::events)};
  }

  [[nodiscard]] ChannelUse use(ChannelId which) const { return use_of(net.channels[which], now); }

  void enter(ChannelId which, const Seen& seen) {
    samples[index(which)] = sample_of(net, which, seen, now - sampled_at);
  }

  // Nothing when another rank has to.
  std::optional<ActionReply> answer(const policy::Action& action) {
    const ChannelId which{index(action.channel)};
    if (index(which) >= net.channels.size())
      return ActionReply{{}, policy::Reason::unknown_channel};
    const std::uint32_t partition = net.partition_of(which);
    if (!net.is_here(partition)) return std::nullopt;
    const policy::Outcome outcome = partitions[net.place_here(partition)]->apply(action);
    return ActionReply{outcome.applied, outcome.reason};
  }

  // The answers of each rank to its actions, in the order in which these were given.
  void share_answers(std::vector<std::optional<ActionReply>>& answers,
                     std::span<const policy::Action> actions) {
    if (net.config.communicator.is_serial()) return;
    Bytes mine;
    for (std::size_t i = 0; i < actions.size(); ++i) {
      if (answers[i] && answers[i]->reason != policy::Reason::unknown_channel) {
        append(mine, *answers[i]);
      }
    }
    const std::vector<Bytes> all = net.config.communicator.all_gather(mine);
    std::vector<ByteReader> readers(all.begin(), all.end());
    for (std::size_t i = 0; i < actions.size(); ++i) {
      if (answers[i]) continue;
      const std::uint32_t rank =
          net.rank_of(net.partition_of(ChannelId{index(actions[i].channel)}));
      answers[i] = readers[rank].take<ActionReply>();
    }
  }

  NetworkState net;
  Outbox outbox;
  RankExchange rank_exchange;
  ChannelGathering channels;
  des::ThreadTeam team;  // a member for each partition
  des::ConservativeScheduler scheduler;
  std::vector<std::unique_ptr<Partition>> partitions;  // of this rank
  TimePoint now{};
  TimePoint sampled_at{};
  std::vector<policy::ChannelSample> samples;
  std::vector<policy::Outcome> outcomes;
  bool has_acted = false;
  std::optional<DividedPolicy> divided;  // of policies that decide link by link
  OutcomeCounts outcome_counts;          // of other policies
};

Network::Network(NetworkConfig config, MessageSource& source, std::span<Observer* const> observers)
    : impl_(std::make_unique<Impl>(std::move(config), source, observers)) {}

Network::Network(NetworkConfig config, MessageSource& source, Observer& observer)
    : Network(std::move(config), source, std::array{&observer}) {}

Network::~Network() = default;

void Network::run_until(TimePoint end) {
  EBB_CHECK(end >= impl_->now, "time goes forward");
  impl_->run_windows(end);
  impl_->team.run([&](std::uint32_t p) { impl_->partitions[p]->run_until(end); });
  impl_->now = end;
}

void Network::run_until_idle() {
  impl_->run_windows(des::kEndOfTime);
  for (auto& partition : impl_->partitions) {
    partition->run_until_idle();
    impl_->now = std::max(impl_->now, partition->now());
  }
}

TimePoint Network::now() const { return impl_->now; }

void Network::act(policy::Policy& policy) {
  Impl& in = *impl_;
  // A rank may have a policy that records what another decides: then all must see all channels.
  if (!std::exchange(in.has_acted, true)) {
    const std::uint32_t copied = policy.copy_for_part() ? 1 : 0;
    mpi::Communicator& communicator = in.net.config.communicator;
    if (mpi::all_reduce(communicator, copied) == communicator.count())
      in.divided.emplace(in.net, in.partitions, in.team, policy);
  }
  if (in.divided) {
    in.divided->act(in.now, in.now - in.sampled_at);
    in.sampled_at = in.now;
    return;
  }
  for (const policy::Outcome& outcome : apply(policy.decide(sample()))) {
    in.outcome_counts.count(outcome);
    policy.on_outcome(outcome);
  }
}

OutcomeCounts Network::outcomes() const {
  const Impl& in = *impl_;
  if (!in.divided) return in.outcome_counts;
  return mpi::all_reduce(in.net.config.communicator, in.divided->outcomes());
}

void Network::divert(topology::ChannelId channel, bool diverted) {
  impl_->net.channels[channel].diverted = diverted;
}

DataSize Network::bypassed(topology::ChannelId channel) const {
  const auto& bypassed = impl_->net.bypassed_bits;
  return bypassed.empty() ? DataSize{} : bits(bypassed[channel]);
}

policy::Sample Network::sample() {
  Impl& in = *impl_;
  in.samples.resize(in.net.channels.size());
  for (const ChannelId which : in.channels.here()) in.enter(which, see(in.net, which, in.now));
  const auto mine = [&](ChannelId which) { return seen_of(in.samples[index(which)]); };
  in.channels.share(mine, [&](ChannelId which, const Seen& seen) { in.enter(which, seen); });
  in.sampled_at = in.now;
  return {in.now, in.samples};
}

std::span<const policy::Outcome> Network::apply(std::span<const policy::Action> actions) {
  Impl& in = *impl_;
  std::vector<std::optional<ActionReply>> answers;
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
  impl_->team.run([&](std::uint32_t p) { impl_->partitions[p]->meters().start(); });
}

Energy Network::channel_energy() {
  std::vector<Energy> of(impl_->partitions.size());
  impl_->team.run(
      [&](std::uint32_t p) { of[p] = impl_->partitions[p]->meters().channel_energy(); });
  const Energy energy = std::accumulate(of.begin(), of.end(), Energy{});
  return mpi::all_reduce(impl_->net.config.communicator, energy);
}

Energy Network::energy_between_switches() {
  Energy energy;
  for (const auto& partition : impl_->partitions)
    energy += partition->meters().energy_between_switches();
  return mpi::all_reduce(impl_->net.config.communicator, energy);
}

power::Ledger Network::close_meters() {
  const auto both = [](const power::Ledger& a, const power::Ledger& b) {
    auto merged = power::merge(a, b);
    EBB_CHECK(merged.has_value(), "the accounts of two partitions do not fit");
    return std::move(*merged);
  };
  power::Ledger all = impl_->partitions.front()->meters().close();
  for (std::size_t p = 1; p < impl_->partitions.size(); ++p) {
    all = both(all, impl_->partitions[p]->meters().close());
  }
  mpi::Communicator& communicator = impl_->net.config.communicator;
  if (communicator.is_serial()) return all;
  const std::vector<Bytes> parts = communicator.gather(power::to_bytes(all));
  for (std::size_t r = 1; r < parts.size(); ++r) all = both(all, power::ledger_of(parts[r]));
  return all;
}

std::vector<ChannelUse> Network::uses() const {
  const Impl& in = *impl_;
  std::vector<ChannelUse> uses(in.net.channels.size());
  for (const ChannelId which : in.channels.here()) uses[index(which)] = in.use(which);
  in.channels.collect([&](ChannelId which) { return uses[index(which)]; },
                      [&](ChannelId which, const ChannelUse& use) { uses[index(which)] = use; });
  return uses;
}

std::vector<Network::ChannelSnapshot> Network::snapshot() {
  Impl& in = *impl_;
  std::vector<ChannelSnapshot> snapshots(in.net.channels.size());
  for (const ChannelId which : in.channels.here()) {
    Partition& partition = *in.partitions[in.net.place_here(in.net.partition_of(which))];
    snapshots[index(which)] = {in.use(which), partition.meters().channel_energy(which),
                               in.net.waiting(which, in.now), in.net.state(which, in.now)};
  }
  in.channels.collect(
      [&](ChannelId which) { return snapshots[index(which)]; },
      [&](ChannelId which, const ChannelSnapshot& one) { snapshots[index(which)] = one; });
  return snapshots;
}

ChannelUse Network::use(topology::ChannelId channel) const { return impl_->use(channel); }

policy::State Network::state(topology::ChannelId channel) const {
  return impl_->net.state(channel, impl_->now);
}

Network::Counts Network::counts() const {
  return mpi::all_reduce(impl_->net.config.communicator, impl_->counts_here());
}

std::uint64_t Network::windows() const { return impl_->scheduler.count(); }

std::size_t Network::pending_events() const { return impl_->sum(&Partition::pending_events); }

std::vector<std::string> Network::blocked_chain() const {
  std::vector<const PacketPool*> pools;
  for (const auto& partition : impl_->partitions) pools.push_back(&partition->packets());
  const BlockedChain chain(impl_->net, pools, impl_->now);
  return impl_->net.config.fidelity == Fidelity::flow ? chain.closed_channels() : chain.text();
}

Errors Network::check_conservation() {
  Errors errors;
  for (auto& partition : impl_->partitions) {
    const Errors more = partition->check_conservation();
    errors.insert(errors.end(), more.begin(), more.end());
  }
  return errors;
}

std::size_t Network::memory_bytes() const {
  return impl_->net.memory_bytes() + impl_->sum(&Partition::memory_bytes) +
         impl_->samples.capacity() * sizeof(policy::ChannelSample) +
         (impl_->divided ? impl_->divided->memory_bytes() : 0);
}

}  // namespace ebb::netsim
