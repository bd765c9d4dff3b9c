// SPDX-License-Identifier: Apache-2.0
//
// The policy elastic on a network of planes: 648 hosts, each with an interface in four planes of
// two levels, 36 leaves and 18 spines. The network here carries out every order at once and spreads
// the load evenly over what is awake.
#include "ebb/policy/policy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

namespace ebb::policy {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t kPlanes = 4;
constexpr std::uint32_t kLeaves = 36;
constexpr std::uint32_t kSpines = 18;
constexpr std::uint32_t kHosts = 18;  // of a leaf
constexpr std::uint32_t kSwitches = kPlanes * (kLeaves + kSpines);
constexpr std::int64_t kPercent = 100;

class Network {
 public:
  Network() {
    for (std::uint32_t plane = 0; plane < kPlanes; ++plane) {
      for (std::uint32_t l = 0; l < kLeaves; ++l) {
        for (std::uint32_t h = 0; h < kHosts; ++h)
          add_link(leaf(plane, l), host(plane, l, h), true);
        for (std::uint32_t s = 0; s < kSpines; ++s)
          add_link(leaf(plane, l), spine(plane, s), false);
      }
    }
  }

  static std::uint32_t leaf(std::uint32_t plane, std::uint32_t l) {
    return plane * (kLeaves + kSpines) + l;
  }
  static std::uint32_t spine(std::uint32_t plane, std::uint32_t s) {
    return leaf(plane, kLeaves + s);
  }
  static std::uint32_t host(std::uint32_t plane, std::uint32_t l, std::uint32_t h) {
    return kSwitches + (plane * kLeaves + l) * kHosts + h;
  }

  // The rows of leaves: one host behind the leaf, and all that are elsewhere.
  [[nodiscard]] std::vector<NextHopSet> next_hops() const {
    std::vector<NextHopSet> rows;
    for (std::uint32_t plane = 0; plane < kPlanes; ++plane) {
      for (std::uint32_t l = 0; l < kLeaves; ++l) {
        NextHopSet away{leaf(plane, l), host(plane, (l + 1) % kLeaves, 0), {}};
        for (const ChannelSample& channel : channels_) {
          if (channel.device == away.device && !channel.to_host)
            away.channels.push_back(channel.id);
        }
        rows.push_back(away);
      }
    }
    return rows;
  }

  // Of what a host can send on all planes, in percent. Hosts send on the planes to which their
  // links are awake, and leaves on those to spines.
  [[nodiscard]] Sample sample(std::int64_t load, TimePoint at) {
    constexpr Duration kWindow = 50us;
    std::int64_t planes = 0;
    for (std::uint32_t plane = 0; plane < kPlanes; ++plane) planes += is_used(plane) ? 1 : 0;
    for (ChannelSample& channel : channels_) {
      channel.window = kWindow;
      channel.busy = {};
      const std::uint32_t plane = plane_of(channel);
      const ChannelSample& up =
          channels_[joins_switches(channel) ? index(channel.id) & ~1U : index(channel.id) | 1U];
      if (!is_used(plane) || up.state.mode == Mode::asleep) continue;
      std::int64_t work = load * kPlanes;
      std::int64_t sharing = planes;
      if (joins_switches(channel)) {
        work *= kHosts;
        sharing *= awake_uplinks(plane);
      }
      channel.busy = std::min(Duration(kWindow * work / (kPercent * sharing)), kWindow);
    }
    return {at, channels_};
  }

  void apply(const std::vector<Action>& actions) {
    EXPECT_TRUE(std::ranges::is_sorted(actions, {}, &Action::channel));
    for (const Action& action : actions) {
      EXPECT_TRUE(may_give({Ability::sleep}, action.order));
      Mode& mode = channels_[index(action.channel)].state.mode;
      if (std::holds_alternative<Sleep>(action.order)) mode = Mode::asleep;
      if (std::holds_alternative<Wake>(action.order)) mode = Mode::active;
    }
  }

  // A switch of which an output is awake.
  [[nodiscard]] std::vector<bool> awake() const {
    std::vector<bool> awake(kSwitches);
    for (const ChannelSample& channel : channels_) {
      if (channel.device < kSwitches && channel.state.mode == Mode::active)
        awake[channel.device] = true;
    }
    return awake;
  }
  [[nodiscard]] std::int64_t count_awake() const {
    const std::vector<bool> all = awake();
    return std::count(all.begin(), all.end(), true);
  }

  // Both channels of these links are awake.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>> awake_links() const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> links;
    for (std::size_t i = 0; i < channels_.size(); i += 2) {
      if (channels_[i].state.mode == Mode::active && channels_[i + 1].state.mode == Mode::active)
        links.emplace_back(channels_[i].device, node_of(channels_[i + 1].device));
    }
    return links;
  }

  std::vector<ChannelSample>& channels() { return channels_; }

 private:
  void add_link(std::uint32_t from, std::uint32_t to, bool to_host) {
    const auto first = static_cast<std::uint32_t>(channels_.size());
    channels_.push_back({.id = ChannelId{first},
                         .reverse = ChannelId{first + 1},
                         .device = from,
                         .to_host = to_host,
                         .full = watts(5)});
    channels_.push_back(
        {.id = ChannelId{first + 1}, .reverse = ChannelId{first}, .device = to, .full = watts(5)});
  }
  // The interfaces of a host are one node.
  static std::uint32_t node_of(std::uint32_t device) {
    return device < kSwitches ? device : kSwitches + (device - kSwitches) % (kLeaves * kHosts);
  }
  [[nodiscard]] bool joins_switches(const ChannelSample& channel) const {
    return channel.device < kSwitches && channels_[index(channel.reverse)].device < kSwitches;
  }
  // A plane's links follow each other, those of its first leaf first, to hosts and then to spines.
  static constexpr std::uint32_t kChannels = 2 * kLeaves * (kHosts + kSpines);  // of a plane
  static std::uint32_t plane_of(const ChannelSample& channel) {
    return index(channel.id) / kChannels;
  }
  [[nodiscard]] bool is_used(std::uint32_t plane) const {
    return channels_[plane * kChannels + 1].state.mode == Mode::active;
  }
  // Of each leaf: all have as many.
  [[nodiscard]] std::int64_t awake_uplinks(std::uint32_t plane) const {
    std::int64_t count = 0;
    for (std::uint32_t spine = 0; spine < kSpines; ++spine) {
      const ChannelSample& channel = channels_[plane * kChannels + 2 * (kHosts + spine)];
      count += channel.state.mode == Mode::active ? 1 : 0;
    }
    return count;
  }

  std::vector<ChannelSample> channels_;
};

// The policy and the network, period after period.
class ElasticRun {
 public:
  explicit ElasticRun(const ParameterTexts& parameters)
      : made_(make_policy("elastic", parameters).value()) {
    made_.policy->set_next_hops(network.next_hops());
    network.apply(made_.policy->decide({TimePoint(), network.channels()}));
  }
  void go(std::int64_t load, int periods) {
    for (int i = 0; i < periods; ++i) {
      now_ += 50us;
      network.apply(made_.policy->decide(network.sample(load, now_)));
      if (each_period) each_period();
    }
  }

  Network network;
  std::function<void()> each_period;

 private:
  Made made_;
  TimePoint now_;
};

const ParameterTexts kQuick = {{"period", "50us"}, {"hold", "100us"}};

TEST(Elastic, KeepsTheFewestSwitchesThatTheLoadNeeds) {
  ElasticRun run(kQuick);
  EXPECT_EQ(run.network.count_awake(), kSwitches) << "nothing is known yet";
  run.go(10, 10);
  EXPECT_EQ(run.network.count_awake(), 2 * (kLeaves + 8)) << "0.4 of 18 links, if a leaf fails";
  run.go(30, 10);
  EXPECT_EQ(run.network.count_awake(), 3 * (kLeaves + 11)) << "1.2 of 18 in two planes";
  run.go(80, 10);
  EXPECT_EQ(run.network.count_awake(), kSwitches) << "no failure could be covered with less";
}

// All hosts reach each other by the links, without one switch.
bool all_joined_without(std::uint32_t failed,
                        const std::vector<std::pair<std::uint32_t, std::uint32_t>>& links) {
  std::vector<std::uint32_t> parent(kSwitches + kLeaves * kHosts);
  std::iota(parent.begin(), parent.end(), 0U);
  const auto root = [&parent](std::uint32_t node) {
    while (parent[node] != node) node = parent[node] = parent[parent[node]];
    return node;
  };
  for (const auto& [from, to] : links) {
    if (from != failed && to != failed) parent[root(from)] = root(to);
  }
  for (std::uint32_t host = kSwitches; host < parent.size(); ++host) {
    if (root(host) != root(kSwitches)) return false;
  }
  return true;
}

// Every period of a day that goes up and down, hence also while switches fall asleep and wake.
TEST(Elastic, CutsNoHostOffWhateverSwitchFails) {
  ElasticRun run(kQuick);
  std::vector<std::size_t> states;  // by numbers of awake links
  run.each_period = [&] {
    const auto links = run.network.awake_links();
    if (!states.empty() && states.back() == links.size()) return;
    states.push_back(links.size());
    for (std::uint32_t failed = 0; failed < kSwitches; ++failed)
      ASSERT_TRUE(all_joined_without(failed, links)) << states.size() << " without " << failed;
  };
  for (const std::int64_t load : {22, 10, 47, 60, 1}) run.go(load, 7);
  EXPECT_GE(states.size(), 10U);
}

// Whether all channels of the last plane are asleep: from hosts, to spines, from spines.
using Asleep = std::array<bool, 3>;
Asleep asleep_of_last_plane(const std::vector<ChannelSample>& channels) {
  Asleep all = {true, true, true};
  auto& [from_hosts, to_spines, from_spines] = all;
  for (std::size_t i = channels.size() - channels.size() / kPlanes; i < channels.size(); ++i) {
    const ChannelSample& channel = channels[i];
    const bool asleep = channel.state.mode == Mode::asleep;
    if (channel.device >= kSwitches) {
      from_hosts = from_hosts && asleep;
    } else if (channel.device % (kLeaves + kSpines) >= kLeaves) {
      from_spines = from_spines && asleep;
    } else if (!channel.to_host) {
      to_spines = to_spines && asleep;
    }
  }
  return all;
}

TEST(Elastic, EmptiesAPlaneBeforeItSleepsAndWakesItBeforeItIsUsed) {
  ElasticRun run(kQuick);
  std::vector<Asleep> steps;
  run.each_period = [&] {
    const Asleep step = asleep_of_last_plane(run.network.channels());
    if (steps.empty() || steps.back() != step) steps.push_back(step);
  };
  run.go(10, 10);
  EXPECT_EQ(
      steps,
      (std::vector<Asleep>{
          {false, false, false}, {true, false, false}, {true, true, false}, {true, true, true}}));
  steps.clear();
  run.go(90, 10);
  EXPECT_EQ(
      steps,
      (std::vector<Asleep>{
          {true, true, true}, {true, true, false}, {true, false, false}, {false, false, false}}));
}

TEST(Elastic, WakesAheadOfWhatCameTheDayBefore) {
  ParameterTexts parameters = kQuick;
  parameters.emplace_back("day", "4ms");
  parameters.emplace_back("ahead", "400us");
  ElasticRun run(parameters);
  const auto awake_before_noon = [&run] {
    run.go(10, 38);  // until 100 us before noon
    const std::int64_t count = run.network.count_awake();
    run.go(10, 2);
    run.go(50, 10);
    run.go(10, 30);
    return count;
  };
  EXPECT_EQ(awake_before_noon(), 2 * (kLeaves + 8)) << "on the first day nothing is expected";
  EXPECT_GT(awake_before_noon(), 3 * kLeaves) << "on the second what comes at noon is";
}

// Packets of a routing that prefers some spines would find them asleep.
TEST(Elastic, LeavesGroupsAloneWhereRowsNameSomeOfThem) {
  Network network;
  const Made made = make_policy("elastic", kQuick).value();
  std::vector<NextHopSet> rows = network.next_hops();
  rows[5].channels.pop_back();
  made.policy->set_next_hops(rows);
  for (int i = 0; i < 10; ++i)
    network.apply(made.policy->decide(network.sample(i == 0 ? 0 : 10, TimePoint() + i * 50us)));
  EXPECT_EQ(network.count_awake(), 2 * (kLeaves + kSpines)) << "whole planes sleep";
}

// As a live fabric does: a link sleeps when both directions of it are wanted asleep.
TEST(Elastic, AsksForBothDirectionsAtOnceWhenTheyArePaired) {
  ParameterTexts parameters = kQuick;
  parameters.emplace_back("channels", "paired");
  ElasticRun run(parameters);
  run.each_period = [&] {
    const auto& channels = run.network.channels();
    for (std::size_t i = 0; i < channels.size(); i += 2) {
      const bool of_host = channels[i].to_host;
      ASSERT_TRUE(of_host || channels[i].state.mode == channels[i + 1].state.mode) << i;
    }
  };
  run.go(10, 10);
  EXPECT_EQ(run.network.count_awake(), 2 * (kLeaves + 8));
  run.go(80, 10);
  EXPECT_EQ(run.network.count_awake(), kSwitches);
}

TEST(Elastic, SaysWhereItWouldChangeNothing) {
  Network network;
  const Made made = make_policy("elastic", kQuick).value();
  const auto why = [&] {
    return made.policy->objection(network.sample(0, TimePoint()), network.next_hops()).value_or("");
  };
  EXPECT_EQ(why(), "");
  for (ChannelSample& channel : network.channels()) channel.full = {};
  EXPECT_NE(why().find("nothing is known of that"), std::string::npos) << why();
  for (ChannelSample& channel : network.channels()) {
    channel.full = watts(5);
    channel.reverse = channel.id;
  }
  EXPECT_NE(why().find("no two planes"), std::string::npos) << why();
}

TEST(Elastic, LeavesAllAwakeWithoutNextHops) {
  Network network;
  const Made made = make_policy("elastic", kQuick).value();
  for (int i = 0; i < 10; ++i)
    EXPECT_TRUE(made.policy->decide(network.sample(10, TimePoint() + i * 50us)).empty());
}

}  // namespace
}  // namespace ebb::policy
