// SPDX-License-Identifier: Apache-2.0
//
// The controller of live fabrics on simulated networks.
#include "ebb/simulated/fabric.hpp"

#include "ebb/routing/scheme.hpp"
#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace ebb::simulated {
namespace {

using namespace std::chrono_literals;
using controller::LinkState;

// Nine switches with a host each, whose links have two rates; a port draws 2 W at the full rate.
class NineSwitches : public testing::Test {
 protected:
  void run(const std::string& policy_name, const ParameterTexts& parameters,
           const std::vector<traffic::Message>& messages, TimePoint until) {
    policy_ = policy::make_policy(policy_name, parameters).value();
    setting_ = std::make_unique<FabricSetting>(
        fabric_setting(graph_, safety_, {.awake = watts(2), .asleep = watts(1)}).value());
    routing_ = routing::make_routing("tables", graph_).value();
    script_ = std::make_unique<netsim::Script>(messages, graph_.host_count());
    netsim::ChannelModel model;
    for (const DataRate rate : graph_.rate_tables().front())
      model.rate_levels.push_back({rate, 1, watts(2)});
    model.sleep = netsim::ChannelModel::Sleep{watts(1), 10ms, {}};
    network_ = std::make_unique<netsim::Network>(
        netsim::NetworkConfig{graph_, *routing_, {model}, netsim::Hardware{}, Power{}, 1}, *script_,
        nobody_);
    fabric_ = std::make_unique<Fabric>(*network_, *policy_.policy, *setting_);
    go_on(until);
  }
  void go_on(TimePoint until) {
    while (fabric_->next() < until) {
      network_->run_until(fabric_->next());
      fabric_->act();
    }
    network_->run_until(until);
  }

  [[nodiscard]] std::uint32_t asleep() const {
    return fabric_->controller().count(LinkState::asleep);
  }
  // In the network, where it counts.
  [[nodiscard]] int channels_asleep() const {
    int count = 0;
    for (std::uint32_t c = 0; c < graph_.channel_count(); ++c)
      count += network_->state(topology::ChannelId{c}).mode == policy::Mode::asleep ? 1 : 0;
    return count;
  }
  [[nodiscard]] bool sleeps(const std::string& link) const {
    return fabric_->controller().sleeps(topology::link_named(graph_, link).value());
  }
  [[nodiscard]] DataSize sent(std::uint32_t from, std::uint32_t to) const {
    for (const topology::ChannelId one : graph_.outputs(graph_.switch_node(from))) {
      if (graph_.target(one) == graph_.switch_node(to)) return network_->use(one).sent;
    }
    return {};
  }

  topology::Graph graph_ = *topology::build("fbfly", {{"hosts", "1"}, {"dims", "3x3"}},
                                            {megabits_per_second(10), megabits_per_second(100)});
  controller::Safety safety_;
  policy::Made policy_;
  std::unique_ptr<FabricSetting> setting_;
  std::unique_ptr<routing::Routing> routing_;
  std::unique_ptr<netsim::Script> script_;
  netsim::Observer nobody_;
  std::unique_ptr<netsim::Network> network_;
  std::unique_ptr<Fabric> fabric_;
};

TEST_F(NineSwitches, LetSixOfTheirLinksSleep) {
  run("stages", {{"period", "500ms"}}, {}, TimePoint(6s));
  EXPECT_EQ(asleep(), 6U);
  EXPECT_EQ(channels_asleep(), 12);
  EXPECT_TRUE(sleeps("s1-s2"));
}

// Two seconds awake before it sleeps, as the safety rules say.
TEST_F(NineSwitches, KeepTheSafetyRules) {
  run("stages", {{"period", "500ms"}}, {}, TimePoint(1900ms));
  EXPECT_EQ(asleep(), 0U);
  safety_.min_awake_time = 0s;
  safety_.failure_holdoff = 0s;
  run("stages", {{"period", "500ms"}}, {}, TimePoint(1900ms));
  EXPECT_EQ(asleep(), 6U);
}

// The packet goes around by s0 and wakes the link, a reading of the counters later; the next one
// goes straight.
TEST_F(NineSwitches, WakeALinkForWhatTakesItsDetour) {
  std::vector<traffic::Message> messages = {{TimePoint(8s), 1, 2, bytes(1000), 0},
                                            {TimePoint(8600ms), 1, 2, bytes(1000), 0}};
  run("on-demand", {{"idle", "300ms"}}, messages, TimePoint(7900ms));
  ASSERT_TRUE(sleeps("s1-s2"));
  go_on(TimePoint(8020ms));
  EXPECT_EQ(sent(1, 2), DataSize{});
  EXPECT_EQ(sent(1, 0), bytes(1000));
  EXPECT_EQ(sent(0, 2), bytes(1000));
  go_on(TimePoint(8500ms));
  EXPECT_FALSE(sleeps("s1-s2"));
  go_on(TimePoint(9s));
  EXPECT_EQ(sent(1, 2), bytes(1000));
  EXPECT_EQ(sent(1, 0), bytes(1000));
}

// A port goes down only when nothing has left by it for a while, which a link that is in use sees
// after its packets were sent around.
TEST_F(NineSwitches, DivertALinkInUseBeforeItSleeps) {
  std::vector<traffic::Message> messages;
  for (int i = 0; i < 600; ++i)
    messages.push_back({TimePoint(10ms * i + 1ms), 1, 2, bytes(1000), 0});
  run("stages", {{"period", "500ms"}}, messages, TimePoint(6s));
  EXPECT_TRUE(sleeps("s1-s2"));
  EXPECT_GT(sent(1, 0), DataSize{});
}

TEST_F(NineSwitches, SlowTheirLinksDown) {
  run("epoch", {{"target", "50%"}, {"epoch", "500ms"}, {"channels", "paired"}}, {}, TimePoint(5s));
  const auto link = topology::link_named(graph_, "s1-s2").value();
  EXPECT_EQ(index(fabric_->controller().rate_level(link)), 0);
  EXPECT_EQ(index(network_->state(topology::forward(link)).rate_level), 0);
}

}  // namespace
}  // namespace ebb::simulated
