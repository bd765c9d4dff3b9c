// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/family.hpp"
#include "ebb/topology/metrics.hpp"

#include <gtest/gtest.h>

#include <map>

namespace ebb::topology {
namespace {

TEST(ClosChassis, PublishedNetworkHas8235Chips) {
  const auto known = figures("clos_chassis", {{"hosts", "32768"}});
  ASSERT_TRUE(known);
  EXPECT_EQ(known->switches, 8'235);
  EXPECT_EQ(known->switches / 27, 203 + 102);
  EXPECT_EQ(known->groups, 203);
  EXPECT_EQ(known->switch_ports, 36);
  EXPECT_EQ(known->links, 2 * 32'768 + 305 * 324);
}

TEST(ClosChassis, ChassisHaveBackplanesInsideAndNoMorePortsThanTheyHave) {
  const auto graph = build("clos_chassis", {{"hosts", "32768"}}, {gigabits_per_second(40)});
  ASSERT_TRUE(graph);
  EXPECT_EQ(graph->chips_per_box(), 27U);
  std::map<std::uint32_t, std::uint32_t> external;  // chip -> ports that leave the chassis
  for (const Link& link : graph->links()) {
    if (graph->is_host(link.a)) {
      ++external[index(link.b)];
      continue;
    }
    const bool inside = index(link.a) / 27 == index(link.b) / 27;
    ASSERT_EQ(inside, link.medium == Medium::backplane);
    if (inside) continue;
    ++external[index(link.a)];
    ++external[index(link.b)];
  }
  for (const auto& [chip, ports] : external) {
    EXPECT_LT(chip % 27, 18U) << "only leaf chips have external ports";
    EXPECT_LE(ports, 18U) << chip;
  }
}

// Small networks have many special cases, so all of them are compared.
TEST(ClosChassis, DiameterIsExactForEveryHostCountOfEightPortChips) {
  for (int hosts = 1; hosts <= 128; ++hosts) {
    const ParameterTexts parameters = {{"hosts", std::to_string(hosts)}, {"chip_ports", "8"}};
    const auto graph = build("clos_chassis", parameters, {gigabits_per_second(40)});
    ASSERT_TRUE(graph);
    EXPECT_EQ(figures("clos_chassis", parameters)->diameter, distances(*graph).diameter) << hosts;
  }
}

TEST(ClosChassis, RefusesChipsThatCannotBeSplitAndTooManyHosts) {
  EXPECT_FALSE(figures("clos_chassis", {{"hosts", "10"}, {"chip_ports", "6"}}));
  EXPECT_TRUE(figures("clos_chassis", {{"hosts", "52488"}}));
  EXPECT_FALSE(figures("clos_chassis", {{"hosts", "52489"}}));
}

}  // namespace
}  // namespace ebb::topology
