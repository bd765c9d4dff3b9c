// SPDX-License-Identifier: Apache-2.0
//
// Two leaves of a host each and two spines; boxes of four ports, two on each line card.
#include "ebb/replay/group_power.hpp"

#include "ebb/replay/meter.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace ebb::replay {
namespace {

using namespace std::chrono_literals;
using topology::LinkId;

constexpr LinkId kFirstLeafToSecondSpine{2};
constexpr LinkId kSecondLeafToSecondSpine{5};

topology::Graph two_leaves() {
  topology::GraphBuilder builder(4, 2, {{gigabits_per_second(100)}});
  for (std::uint32_t leaf = 0; leaf < 2; ++leaf) {
    builder.connect(builder.switch_node(leaf), builder.host_node(leaf));
    for (const std::uint32_t spine : {2U, 3U})
      builder.connect(builder.switch_node(leaf), builder.switch_node(spine));
  }
  return std::move(builder).build({"imported", {}});
}

// A card draws 20 W and 1 W, the chip 100 W and 4 W, and the cards come after it.
std::vector<netsim::SwitchGroup> cards_and_chip() {
  return {{.name = "card",
           .ports = 2,
           .count = 2,
           .awake = watts(20),
           .asleep = watts(1),
           .wake = 20us,
           .after = 1},
          {.name = "chip", .awake = watts(100), .asleep = watts(4), .wake = 50us, .after = {}}};
}

// A leaf has its host on the first card. No cable leads to the second card of a spine.
TEST(PowerOfGroups, FallsWithTheLastLinkOfACardAndTheLastCard) {
  const topology::Graph graph = two_leaves();
  GroupPower groups(cards_and_chip(), graph);
  const std::int64_t all = 2 * (20 + 20 + 100) + 2 * (20 + 1 + 100);
  EXPECT_EQ(groups.power(), watts(all));
  groups.set_asleep(kFirstLeafToSecondSpine, true);
  EXPECT_EQ(groups.power(), watts(all - 19)) << "the second card of the leaf";
  groups.set_asleep(kSecondLeafToSecondSpine, true);
  EXPECT_EQ(groups.power(), watts(all - 19 - 19 - 19 - 96)) << "and the spine's card and chip";
  groups.set_asleep(kFirstLeafToSecondSpine, false);
  EXPECT_EQ(groups.power(), watts(all - 19));
}

TEST(PowerOfGroups, IsNothingWhereThereAreNone) {
  const topology::Graph graph = two_leaves();
  GroupPower groups({}, graph);
  groups.set_asleep(kFirstLeafToSecondSpine, true);
  EXPECT_EQ(groups.power(), Power{});
}

TEST(PowerOfGroups, KeepsWhatNeverSleeps) {
  const topology::Graph graph = two_leaves();
  std::vector<netsim::SwitchGroup> groups = cards_and_chip();
  groups[1].wake.reset();
  GroupPower power(groups, graph);
  for (const bool asleep : {true, false, true}) {
    for (const LinkId link : {kFirstLeafToSecondSpine, kSecondLeafToSecondSpine})
      power.set_asleep(link, asleep);
  }
  EXPECT_EQ(power.power(), watts(4 * 100 + 2 * (20 + 1) + 20 + 1 + 1 + 1));
}

// Four links of 2 W a port, of which one sleeps with 1 W a port for half of an hour.
TEST(PowerOfGroups, IsInTheAccount) {
  const topology::Graph graph = two_leaves();
  Meter meter(graph, {.awake = watts(2), .asleep = watts(1)}, {}, LongTime{},
              GroupPower(cards_and_chip(), graph));
  meter.pass(30min);
  meter.set_asleep(kFirstLeafToSecondSpine, true);
  meter.pass(30min);
  const Hour& hour = meter.hours().front();
  EXPECT_EQ(hour.all_awake, watts(4 * 2 * 2 + 522) * Duration(1h));
  EXPECT_EQ(hour.all_awake - hour.used, watts(2 + 19) * Duration(30min));
}

}  // namespace
}  // namespace ebb::replay
