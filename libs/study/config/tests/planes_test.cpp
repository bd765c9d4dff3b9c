// SPDX-License-Identifier: Apache-2.0
// Networks of several planes and switches that sleep, as simulation files ask for them.
#include "prepared.hpp"

#include "ebb/config/sim_file.hpp"
#include "ebb/files/parts_file.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ebb::config {
namespace {

using namespace std::chrono_literals;

const std::string kPlanes =
    "schema_version: 1\n"
    "topology: {family: fbfly, hosts: 2, dims: 4, planes: 3}\n"
    "routing: minimal-adaptive\n"
    "traffic: {pattern: uniform, injection: {name: poisson, load: 10%, size: 2KiB}}\n"
    "policy: stages\n"
    "parts: {switch: broadcom-tomahawk-4, rate_table: ethernet-400g-link, "
    "switch_sleep: {power: 10W, wake: 1ms}}\n";

std::string errors_of(const std::vector<std::string>& overrides) {
  const auto file = read_sim_text(kPlanes, "sim.yaml", library(), overrides);
  if (!file) return to_string(file.error());
  const auto made = prepare(*file, library());
  return made ? "accepted" : to_string(made.error());
}

TEST(PlanesOfAFile, AreThoseOfTheNetwork) {
  const auto file = read_sim_text(kPlanes, "sim.yaml", library());
  ASSERT_TRUE(file) << to_string(file.error());
  const auto made = prepare(*file, library());
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_EQ(made->graph->planes(), 3U);
  EXPECT_EQ(made->sending_hosts, 8U);
  EXPECT_EQ(made->host_rate, gigabits_per_second(3 * 400)) << "of all planes";
  EXPECT_EQ(made->spec.switch_sleep, (netsim::SwitchSleep{watts(10), 1ms}));
  const auto again = read_sim_text(resolved_text(file->spec), "resolved.yaml", library());
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_EQ(again->spec.topology.parameters, file->spec.topology.parameters);
  EXPECT_EQ(again->spec.switch_sleep, file->spec.switch_sleep);
}

// A policy that sleeps by tiers has none to act on in one plane.
TEST(PlanesOfAFile, AreWhatStagesActsOn) {
  EXPECT_EQ(errors_of({}), "accepted");
  EXPECT_NE(errors_of({"topology.planes=1"}).find("'stages' can change nothing here"),
            std::string::npos)
      << errors_of({"topology.planes=1"});
  EXPECT_NE(errors_of({"topology.planes=65"}).find("'planes' must be between 1 and 64, got 65"),
            std::string::npos)
      << errors_of({"topology.planes=65"});
}

TEST(SwitchSleepOfAFile, NeedsLinksThatSleepAndLessPower) {
  EXPECT_NE(errors_of({"parts.switch_sleep.power=300W"}).find("asleep it would draw 300W"),
            std::string::npos)
      << errors_of({"parts.switch_sleep.power=300W"});
  const std::vector<std::string> without_sleep = {"parts.switch=isca10-chip",
                                                  "parts.rate_table=ideal-link", "policy=epoch",
                                                  "parts.switch_sleep.power=0W"};
  EXPECT_NE(errors_of(without_sleep).find("links, which have no sleep state"), std::string::npos)
      << errors_of(without_sleep);
}

// Groups of the part: of 16 ports on four line cards, of which each switch of this network uses 5.
// The links of two parts are of the same rate.
std::string grouped(std::string text) {
  for (const auto& [from, to] :
       {std::pair("switch: broadcom-tomahawk-4", "switch: modular-16"),
        std::pair("switch_sleep: {power: 10W, wake: 1ms}", "switch_sleep: groups")}) {
    text.replace(text.find(from), std::string_view(from).size(), to);
  }
  return text;
}

TEST(SwitchSleepOfAFile, TakesTheGroupsOfThePart) {
  const auto parts = files::read_parts(
      {EBB_SOURCE_DIR "/parts/ethernet.yaml", EBB_SOURCE_DIR "/examples/switch-groups.yaml"});
  ASSERT_TRUE(parts) << to_string(parts.error());
  const auto file = read_sim_text(grouped(kPlanes), "sim.yaml", *parts);
  ASSERT_TRUE(file) << to_string(file.error());
  const auto made = prepare(*file, *parts);
  ASSERT_TRUE(made) << to_string(made.error());
  ASSERT_EQ(made->switch_groups.size(), 3U);
  const netsim::SwitchGroup& card = made->switch_groups[0];
  EXPECT_EQ(card.count, 4U);
  EXPECT_EQ(card.ports, 4U);
  EXPECT_EQ(card.after, 1U);
  EXPECT_EQ(card.awake, watts(20));
  EXPECT_EQ(card.wake, 20us);
  EXPECT_EQ(made->switch_core, watts(300));
  const auto again = read_sim_text(resolved_text(file->spec), "resolved.yaml", *parts);
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_TRUE(again->spec.switch_groups_sleep);
}

TEST(SwitchSleepOfAFile, NeedsGroupsThatSleep) {
  const std::string none = errors_of({"parts.switch_sleep=groups"});
  EXPECT_NE(none.find("'broadcom-tomahawk-4' has no power groups that sleep"), std::string::npos)
      << none;
  const std::string mistyped = errors_of({"parts.switch_sleep=group"});
  EXPECT_NE(mistyped.find("unknown form 'group'; did you mean 'groups'?"), std::string::npos)
      << mistyped;
}

}  // namespace
}  // namespace ebb::config
