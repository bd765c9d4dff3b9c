// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/recognition.hpp"

#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace ebb::topology {
namespace {

// Leaves have the odd numbers, as somebody might number them who does not know of levels; two hosts
// hang on each. The bundle of the first leaf and the first spine may have other links than others.
Graph drawn(std::uint32_t leaves, std::uint32_t spines, std::uint32_t parallel,
            std::uint32_t first_bundle) {
  std::vector<std::uint32_t> used;
  for (std::uint32_t i = 0; i < leaves; ++i) used.push_back(2 * i + 1);
  for (std::uint32_t i = 0; i < spines; ++i) used.push_back(2 * i);
  GraphBuilder builder(leaves + spines, 2 * leaves, {{gigabits_per_second(100)}});
  // Numbers without gaps, in the same order.
  const auto node = [&](std::uint32_t number) {
    std::uint32_t smaller = 0;
    for (const std::uint32_t other : used) smaller += other < number ? 1 : 0;
    return builder.switch_node(smaller);
  };
  for (std::uint32_t s = 0; s < spines; ++s) {
    for (std::uint32_t l = leaves; l-- > 0;) {
      const std::uint32_t links = s == 0 && l == 0 ? first_bundle : parallel;
      for (std::uint32_t i = 0; i < links; ++i) builder.connect(node(2 * s), node(2 * l + 1));
    }
  }
  for (std::uint32_t h = 0; h < 2 * leaves; ++h)
    builder.connect(builder.host_node(h), node(2 * (h / 2) + 1));
  return std::move(builder).build({"imported", {}});
}

TEST(Recognition, FindsALeafSpineWhateverItsNumbers) {
  const auto found = leaf_spine(drawn(3, 2, 1, 1));
  ASSERT_TRUE(found);
  // Numbers 0 and 2 are spines, 1, 3 and 5 leaves: without gaps 0, 2 and 1, 3, 4.
  EXPECT_EQ(found->spines, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(found->leaves, (std::vector<std::uint32_t>{1, 3, 4}));
  EXPECT_EQ(recognise(drawn(3, 2, 1, 1))->text,
            "leaf-spine of 3 leaves and 2 spines, 1 link from each leaf to each spine");
  EXPECT_EQ(recognise(drawn(20, 4, 2, 3))->text,
            "leaf-spine of 20 leaves and 4 spines, 2 to 3 links from each leaf to each spine");
}

TEST(Recognition, DoesNotTakeAnAlmostLeafSpineForOne) {
  EXPECT_FALSE(leaf_spine(drawn(3, 2, 1, 0))) << "a cable is missing";
  const auto tree = build("tree", {{"switches", "6"}, {"hosts", "2"}}, {gigabits_per_second(10)});
  EXPECT_FALSE(recognise(*tree)) << "it says itself what it is";
  // Two leaves that are also joined directly.
  GraphBuilder builder(3, 2, {{gigabits_per_second(100)}});
  for (const auto& [a, b] : {std::pair(0U, 2U), std::pair(1U, 2U), std::pair(0U, 1U)})
    builder.connect(builder.switch_node(a), builder.switch_node(b));
  for (std::uint32_t h = 0; h < 2; ++h)
    builder.connect(builder.host_node(h), builder.switch_node(h));
  EXPECT_FALSE(recognise(std::move(builder).build({"imported", {}})));
}

TEST(Recognition, FindsACompleteGraph) {
  GraphBuilder builder(3, 3, {{gigabits_per_second(100)}});
  for (const auto& [a, b] : {std::pair(0U, 1U), std::pair(1U, 2U), std::pair(2U, 0U)})
    builder.connect(builder.switch_node(a), builder.switch_node(b));
  for (std::uint32_t h = 0; h < 3; ++h)
    builder.connect(builder.host_node(h), builder.switch_node(h));
  EXPECT_EQ(recognise(std::move(builder).build({"imported", {}}))->text,
            "complete graph of 3 switches, 1 link between each two");
}

std::uint32_t tree_of(const std::string& family, const ParameterTexts& parameters) {
  return fewest_links_that_join_hosts(*build(family, parameters, {gigabits_per_second(100)}));
}

// One link from each leaf to one spine, however many spines there are.
TEST(LinksThatJoinHosts, AreAsManyAsLeavesOfALeafSpine) {
  EXPECT_EQ(fewest_links_that_join_hosts(drawn(20, 4, 1, 1)), 20U);
  EXPECT_EQ(fewest_links_that_join_hosts(drawn(3, 2, 2, 2)), 3U);
  EXPECT_EQ(tree_of("clos", {{"ports", "32"}, {"levels", "2"}, {"hosts", "256"}}), 16U);
}

// Every switch has hosts: a spanning tree of 3 x 3 switches has 8 links.
TEST(LinksThatJoinHosts, AreASpanningTreeWhereAllSwitchesHaveHosts) {
  EXPECT_EQ(tree_of("fbfly", {{"hosts", "2"}, {"dims", "3x3"}}), 8U);
  EXPECT_EQ(tree_of("complete", {{"switches", "2"}, {"hosts", "1"}}), 1U);
}

// A fat tree of 4 ports: 8 leaves in 4 pods. Each leaf needs a link to one switch of its pod, and
// each pod one to the top: 8 + 4.
TEST(LinksThatJoinHosts, GoUpOncePerPodOfAFatTree) {
  EXPECT_EQ(tree_of("clos", {{"ports", "4"}, {"levels", "3"}, {"hosts", "16"}}), 12U);
}

TEST(ACutLink, MattersWhereThereIsNoOther) {
  const Graph redundant = drawn(3, 2, 1, 1);
  const Graph tree = drawn(3, 1, 1, 1);
  for (std::uint32_t l = 0; l < redundant.link_count(); ++l) {
    if (redundant.connects_switches(LinkId{l})) {
      EXPECT_TRUE(joins_hosts_without(redundant, LinkId{l}));
    }
  }
  for (std::uint32_t l = 0; l < tree.link_count(); ++l) {
    if (tree.connects_switches(LinkId{l})) {
      EXPECT_FALSE(joins_hosts_without(tree, LinkId{l}));
    }
  }
}

}  // namespace
}  // namespace ebb::topology
