// SPDX-License-Identifier: Apache-2.0
#include "ebb/forwarding/vlan_trees.hpp"

#include "networks.hpp"

#include <algorithm>
#include <set>

namespace ebb::forwarding {
namespace {

struct Trees {
  explicit Trees(const Shape& shape)
      : graph(build(shape)),
        lags(graph),
        trees(shortest_path_trees(graph, lags).value()),
        vlans(assign_vlans(graph, trees).value()) {}

  [[nodiscard]] Errors errors() const { return check_vlans(graph, lags, trees, vlans); }

  topology::Graph graph;
  Lags lags;
  std::vector<SourceTree> trees;
  VlanAssignment vlans;
};

Shape six(const std::string& family, const std::string& parallel) {
  return {family, {{"switches", "6"}, {"hosts", "11"}, {"parallel", parallel}}};
}

TEST(VlanTrees, SixCompleteSwitchesNeedSix) {
  for (const char* parallel : {"1", "5"}) {
    const Trees six_trees(six("complete", parallel));
    EXPECT_EQ(six_trees.lags.all().size(), 15U);
    EXPECT_EQ(six_trees.lags[0].links.size(), static_cast<std::size_t>(std::stoi(parallel)));
    ASSERT_EQ(six_trees.vlans.vlans.size(), 6U);
    std::set<std::uint32_t> used;
    for (std::uint32_t s = 0; s < 6; ++s) {
      used.insert(*six_trees.vlans.pvid[s]);
      // Direct links: every lag of the VLAN ends at its switch.
      for (const std::uint32_t b : six_trees.vlans.vlans[*six_trees.vlans.pvid[s]].lags)
        EXPECT_TRUE(six_trees.lags[b].a == s || six_trees.lags[b].b == s);
    }
    EXPECT_EQ(used.size(), 6U);
  }
}

TEST(VlanTrees, ATreeNeedsOne) {
  const Trees tree(six("tree", "5"));
  ASSERT_EQ(tree.vlans.vlans.size(), 1U);
  EXPECT_EQ(tree.vlans.vlans[0].id, kFirstVlan);
  EXPECT_EQ(tree.vlans.vlans[0].lags.size(), 5U);
}

class SmallTrees : public testing::TestWithParam<Shape> {};

// Whatever the network: trees, every pair reached, and as short as can be.
TEST_P(SmallTrees, AreRight) {
  const Trees all(GetParam());
  EXPECT_TRUE(all.errors().empty()) << to_string(all.errors());
  for (const SourceTree& tree : all.trees) {
    for (std::uint32_t to = 0; to < all.graph.switch_count(); ++to) {
      if (!tree.last_lag[to]) continue;
      const auto path = tree.path(all.lags, to);
      const auto back = std::find_if(all.trees.begin(), all.trees.end(),
                                     [&](const SourceTree& other) { return other.root == to; });
      if (back == all.trees.end()) continue;  // a switch without hosts
      EXPECT_EQ(path.size(), back->path(all.lags, tree.root).size());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SmallTrees, testing::ValuesIn(small_shapes()));

TEST(CheckVlans, NoticesALoop) {
  Trees broken(six("complete", "1"));
  auto& members = broken.vlans.vlans[0].lags;
  members.push_back(14);  // s4 to s5, which VLAN 2 reaches from s0
  const Errors errors = broken.errors();
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors.front().message,
            "VLAN 2 has a loop that s4 to s5 closes: a broadcast never ends");
}

TEST(CheckVlans, NoticesEveryMemberThatIsMissing) {
  for (std::uint32_t s = 0; s < 6; ++s) {
    for (std::size_t b = 0; b < 5; ++b) {
      Trees broken(six("complete", "1"));
      auto& members = broken.vlans.vlans[*broken.vlans.pvid[s]].lags;
      members.erase(members.begin() + static_cast<std::ptrdiff_t>(b));
      EXPECT_EQ(broken.errors().size(), 1U);
    }
  }
}

TEST(ShortestPathTrees, AvoidWhatIsClosed) {
  const topology::Graph graph = build(six("complete", "1"));
  const Lags lags(graph);
  std::vector<bool> closed(lags.all().size(), false);
  closed[0] = true;  // s0 to s1
  const auto trees = shortest_path_trees(graph, lags, closed);
  ASSERT_TRUE(trees);
  EXPECT_EQ(trees->front().path(lags, 1).size(), 2U);
  closed.assign(closed.size(), true);
  const auto none = shortest_path_trees(graph, lags, closed);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().front().message, "no path from s0 to s1");
}

// Direct links wait for nobody. Around a ring of five, each after the next, paths do.
TEST(MayDeadlock, SeesCycles) {
  const Trees complete(six("complete", "5"));
  EXPECT_FALSE(may_deadlock(complete.lags, complete.trees));
  const Trees tree(six("tree", "1"));
  EXPECT_FALSE(may_deadlock(tree.lags, tree.trees));
  const Trees ring({"torus", {{"hosts", "1"}, {"dims", "5"}}});
  EXPECT_TRUE(may_deadlock(ring.lags, ring.trees));
}

}  // namespace
}  // namespace ebb::forwarding
