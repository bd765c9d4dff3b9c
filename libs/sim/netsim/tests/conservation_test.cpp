// SPDX-License-Identifier: Apache-2.0
//
// What holds for every network, scheme, traffic and policy: everything arrives once, where it
// should, nothing is left over, the energy account balances, and the same run gives the same
// result.
#include "random_world.hpp"

#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <tuple>

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;

using Key = std::pair<std::uint32_t, std::uint32_t>;  // source and number of a message

std::map<Key, traffic::Message> by_number(const std::vector<traffic::Message>& messages) {
  std::map<Key, traffic::Message> result;
  std::map<std::uint32_t, std::uint32_t> count;
  for (const traffic::Message& one : messages) result[{one.source, count[one.source]++}] = one;
  return result;
}

void all_arrived(const RandomWorld& world) {
  const auto messages = by_number(world.messages);
  std::map<Key, DataSize> data;
  std::map<Key, TimePoint> last;
  for (const PacketDelivered& packet : world.seen().packets) {
    const traffic::Message& of = messages.at({packet.source, packet.message});
    RC_ASSERT(packet.destination == of.destination);
    RC_ASSERT(packet.sent >= of.at);
    RC_ASSERT(packet.at > packet.sent);
    data[{packet.source, packet.message}] += packet.size;
    last[{packet.source, packet.message}] = packet.at;
  }
  std::map<Key, int> times;
  for (const MessageDelivered& one : world.seen().messages) {
    const Key key{one.source, one.message};
    const traffic::Message& of = messages.at(key);
    RC_ASSERT(one.destination == of.destination);
    RC_ASSERT(one.created == of.at);
    RC_ASSERT(one.at == last.at(key));
    RC_ASSERT(++times[key] == 1);
  }
  for (const auto& [key, message] : messages) {
    RC_ASSERT(times[key] == 1);
    RC_ASSERT(data[key] == message.size);
  }
}

// What a run shows of itself.
struct Record {
  Deliveries seen;
  std::vector<policy::Outcome> outcomes;
  std::vector<policy::ChannelSample> samples;
  power::Ledger ledger = power::Ledger({}, {}, {});

  bool operator==(const Record&) const = default;
};

// One run, in steps of up to 3 us between which a policy acts. `cut` runs a step in pieces.
class Run {
 public:
  explicit Run(std::uint64_t seed) : net_(seed) { net_.network().start_meters(); }

  template <class Cut>
  void step(Cut&& cut) {
    Network& network = net_.network();
    cut(network, network.now() + net_.dice().upto(3us));
    const policy::Sample sample = network.sample();
    RC_ASSERT(to_string(check(sample)) == "");
    record_.samples.insert(record_.samples.end(), sample.channels.begin(), sample.channels.end());
    for (auto left = net_.dice().between(0, 8); left > 0; --left) {
      record_.outcomes.push_back(network.apply(net_.any_action()));
    }
  }

  Record finish() {
    net_.wake_all();
    net_.network().run_until_idle();
    RC_LOG() << net_.name() << '\n' << to_string(net_.network().check_conservation());
    RC_ASSERT(net_.network().check_conservation().empty());
    all_arrived(net_);
    const Energy of_channels = net_.network().channel_energy();
    record_.ledger = net_.network().close_meters();
    RC_ASSERT(to_string(record_.ledger.check()) == "");
    RC_ASSERT(of_channels == record_.ledger.totals(power::ClassIndex{0}).energy);
    record_.seen = net_.seen();
    return record_;
  }

 private:
  RandomWorld net_;
  Record record_;
};

constexpr int kSteps = 15;

// Any number as likely as any other; there is nothing to shrink.
std::uint32_t any_seed() {
  return *rc::gen::noShrink(rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint32_t>()));
}

void whole(Network& network, TimePoint end) { network.run_until(end); }

Record run_whole(std::uint64_t seed) {
  Run run(seed);
  for (int i = 0; i < kSteps; ++i) run.step(whole);
  return run.finish();
}

RC_GTEST_PROP(EveryRun, DeliversAllOnceAndBalances, ()) {
  for (int i = 0; i < 30; ++i) run_whole(any_seed());
}

RC_GTEST_PROP(EveryRun, IsTheSameTheSecondTime, ()) {
  const std::uint32_t seed = any_seed();
  RC_ASSERT(run_whole(seed) == run_whole(seed));
}

RC_GTEST_PROP(EveryRun, IsTheSameHoweverItsTimeIsCut, ()) {
  const std::uint32_t seed = any_seed();
  Dice dice(any_seed(), "cuts");
  Run run(seed);
  for (int i = 0; i < kSteps; ++i) {
    run.step([&](Network& network, TimePoint end) {
      while (network.now() < end) {
        network.run_until(std::min(end, network.now() + dice.upto(1us)));
      }
    });
  }
  RC_ASSERT(run.finish() == run_whole(seed));
}

RC_GTEST_PROP(EveryRun, IsTheSameBesideAnotherOne, ()) {
  const std::uint32_t a = any_seed();
  const std::uint32_t b = any_seed();
  Run first(a);
  Run second(b);
  for (int i = 0; i < kSteps; ++i) {
    first.step(whole);
    second.step(whole);
  }
  RC_ASSERT(second.finish() == run_whole(b));
  RC_ASSERT(first.finish() == run_whole(a));
}

// Reading the meters at any time changes nothing.
RC_GTEST_PROP(TheAccount, AddsUpAtAnyTime, ()) {
  const std::uint32_t seed = any_seed();
  Run run(seed);
  Energy before;
  for (int i = 0; i < kSteps; ++i) {
    run.step([&](Network& network, TimePoint end) {
      network.run_until(end);
      const Energy now = network.channel_energy();
      RC_ASSERT(now >= before);
      before = now;
    });
  }
  RC_ASSERT(run.finish() == run_whole(seed));
}

// Every channel can sleep, and wakes for the first bit: nobody has to help.
void runs_without_help(std::uint32_t seed) {
  RandomWorld world(seed);
  Network& network = world.network();
  const Duration idle = world.dice().upto(2us);
  for (std::uint32_t c = 0; c < world.channels(); ++c) {
    network.apply({policy::ChannelId{c}, policy::WakeWhenQueued{bits(1)}});
    if (world.dice().one_in(4)) continue;
    network.apply({policy::ChannelId{c}, policy::SleepWhenIdle{idle, bits(1)}});
  }
  for (int i = 0; i < kSteps; ++i) {
    network.run_until(network.now() + world.dice().upto(3us));
    for (auto left = world.dice().between(0, 5); left > 0; --left) {
      network.apply(world.harmless_action());
    }
  }
  network.run_until_idle();
  RC_LOG() << world.name() << " seed " << seed << '\n' << to_string(network.check_conservation());
  RC_ASSERT(network.check_conservation().empty());
  all_arrived(world);
}

RC_GTEST_PROP(SleepingNetworks, NeverLockUp, ()) {
  for (int i = 0; i < 30; ++i) runs_without_help(any_seed());
}

}  // namespace
}  // namespace ebb::netsim
