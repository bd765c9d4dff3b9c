// SPDX-License-Identifier: Apache-2.0
#include "ebb/forwarding/address.hpp"

#include "../src/layout.hpp"
#include "networks.hpp"

#include <set>

namespace ebb::forwarding {
namespace {

using topology::GraphBuilder;

std::vector<std::pair<std::string, int>> widths(const Shape& shape) {
  const topology::Graph graph = build(shape);
  const auto plan = AddressPlan::make(graph);
  std::vector<std::pair<std::string, int>> result;
  for (const Field& field : plan->fields()) result.emplace_back(field.name, field.bits);
  return result;
}

using Widths = std::vector<std::pair<std::string, int>>;

TEST(Addresses, HaveTheFieldsOfTheFamily) {
  EXPECT_EQ(widths({"fbfly", {{"hosts", "8"}, {"dims", "8x5x1x2"}}}),
            (Widths{{"host", 3}, {"x1", 3}, {"x2", 3}, {"x3", 0}, {"x4", 1}}));
  EXPECT_EQ(widths({"dragonfly", {{"p", "2"}, {"a", "4"}, {"h", "2"}}}),
            (Widths{{"host", 1}, {"switch", 2}, {"group", 4}}));
  EXPECT_EQ(widths({"clos", {{"ports", "4"}, {"levels", "2"}, {"hosts", "8"}}}),
            (Widths{{"host", 1}, {"leaf", 2}}));
  EXPECT_EQ(widths({"clos", {{"ports", "6"}, {"levels", "3"}, {"hosts", "54"}}}),
            (Widths{{"host", 2}, {"leaf", 2}, {"pod", 3}}));
  EXPECT_EQ(widths({"clos", {{"ports", "4"}, {"levels", "4"}, {"hosts", "32"}}}),
            (Widths{{"host", 1}, {"leaf", 1}, {"pod", 1}, {"block", 2}}));
  EXPECT_EQ(widths({"irregular", {{"switches", "20"}, {"degree", "4"}, {"hosts", "2"}}}),
            (Widths{{"host", 1}, {"switch", 5}}));
}

// Its groups are those that equation (1) counts: the family's properties know how many. Those of a
// Clos of chassis are chassis, which plain switch numbers do not tell.
TEST(Addresses, HaveTheGroupsOfTheFamily) {
  for (const Shape& shape : small_shapes()) {
    SCOPED_TRACE(shape.text());
    if (shape.family == "clos_chassis") continue;
    const Addressed made(shape);
    const auto known = topology::properties(shape.family, shape.parameters);
    std::set<Address> groups;
    for (const std::uint32_t s : made.plan.access_switches())
      groups.insert(made.plan.of_switch(s) & made.plan.group_mask());
    EXPECT_EQ(groups.size(), static_cast<std::size_t>(known->groups));
  }
}

TEST(Addresses, AreDifferentAndLeadBack) {
  for (const Shape& shape : small_shapes()) {
    SCOPED_TRACE(shape.text());
    const Addressed made(shape);
    std::set<Address> seen;
    for (std::uint32_t h = 0; h < made.graph.host_count(); ++h) {
      const Address address = made.plan.of_host(h);
      EXPECT_TRUE(seen.insert(address).second);
      EXPECT_LT(address, Address{1} << made.plan.bits());
      EXPECT_EQ(made.plan.host_at(address), h);
      EXPECT_EQ(address & made.plan.switch_mask(), made.plan.of_switch(made.plan.switch_of(h)));
    }
    EXPECT_EQ(made.plan.host_at(Address{1} << made.plan.bits()), std::nullopt);
  }
}

TEST(Addresses, OfCoordinates) {
  const Addressed made({"fbfly", {{"hosts", "3"}, {"dims", "3x5"}}});
  const std::uint32_t s = 2 + 3 * 4;  // x1 = 2, x2 = 4
  EXPECT_EQ(made.plan.of_host(3 * s + 1), Address{1 | 2 << 2 | 4 << 4});
  EXPECT_EQ(to_text(mac_of(made.plan.of_host(3 * s + 1))), "02:00:00:00:00:49");
  EXPECT_EQ(made.plan.group_mask(), Address{7 << 4});
}

// The first octet has room for six of the 46 bits, beside the two that are fixed.
TEST(Addresses, AsMac) {
  EXPECT_EQ(to_text(mac_of(0)), "02:00:00:00:00:00");
  EXPECT_EQ(to_text(mac_of((Address{1} << kAddressBits) - 1)), "fe:ff:ff:ff:ff:ff");
  EXPECT_EQ(to_text(mac_of(Address{1} << 40)), "06:00:00:00:00:00");
  EXPECT_EQ(mac_mask((Address{1} << kAddressBits) - 1), 0xfcff'ffff'ffffU);
}

TEST(Addresses, TooWideForAMacAreRefused) {
  const auto wide = fields_for(1 << 10, {{"switch", 1 << 20}, {"group", 1 << 16}});
  ASSERT_TRUE(wide.has_value());
  EXPECT_EQ(wide->back().shift + wide->back().bits, kAddressBits);
  const auto too_wide = fields_for(1 << 10, {{"switch", 1 << 20}, {"group", (1 << 16) + 1}});
  ASSERT_FALSE(too_wide.has_value());
  EXPECT_EQ(too_wide.error().front().message,
            "addresses would need 47 bits (host 10, switch 20, group 17); a MAC address has 46");
}

TEST(Addresses, OfAGraphThatIsNotWhatItSaysAreRefused) {
  GraphBuilder builder(4, 4, {{gigabits_per_second(40)}});
  for (std::uint32_t s = 0; s < 4; ++s)
    builder.connect(builder.host_node(s), builder.switch_node(s));
  for (std::uint32_t s = 1; s < 4; ++s)
    builder.connect(builder.switch_node(0), builder.switch_node(s));
  const topology::Graph graph =
      std::move(builder).build({"fbfly", {{"hosts", "1"}, {"dims", "4"}}});
  const auto plan = AddressPlan::make(graph);
  ASSERT_FALSE(plan.has_value());
  EXPECT_NE(to_string(plan.error()).find("links are not those of a fbfly"), std::string::npos);
}

TEST(Addresses, OfAHostWithoutALinkAreRefused) {
  GraphBuilder builder(1, 2, {{gigabits_per_second(40)}});
  builder.connect(builder.host_node(0), builder.switch_node(0));
  const topology::Graph graph = std::move(builder).build({"imported", {}});
  EXPECT_FALSE(AddressPlan::make(graph).has_value());
}

}  // namespace
}  // namespace ebb::forwarding
