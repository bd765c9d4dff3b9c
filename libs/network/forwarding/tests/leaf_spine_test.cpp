// SPDX-License-Identifier: Apache-2.0
//
// Tables of leaf-spines: of graphs that somebody drew, without a family, and of the family clos
// with two levels. They are balanced, survive any single link, and frames never run in a loop
// whichever links sleep.
#include "networks.hpp"

#include "ebb/forwarding/check.hpp"

#include <gtest/gtest.h>

#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace ebb::forwarding {
namespace {

using topology::ChannelId;
using topology::Graph;

// Spines come first and leaves last, cables in no order that a generator would choose.
Graph drawn(std::uint32_t leaves, std::uint32_t spines, std::uint32_t parallel,
            std::uint32_t hosts_per_leaf) {
  topology::GraphBuilder builder(leaves + spines, leaves * hosts_per_leaf,
                                 {{gigabits_per_second(100)}});
  for (std::uint32_t i = 0; i < parallel; ++i) {
    for (std::uint32_t s = spines; s-- > 0;) {
      for (std::uint32_t l = 0; l < leaves; ++l)
        builder.connect(builder.switch_node(spines + l), builder.switch_node(s));
    }
  }
  for (std::uint32_t h = leaves * hosts_per_leaf; h-- > 0;)
    builder.connect(builder.switch_node(spines + h / hosts_per_leaf), builder.host_node(h));
  return std::move(builder).build({"imported", {}});
}

struct Drawn {
  explicit Drawn(Graph made)
      : graph(std::move(made)),
        plan(AddressPlan::make(graph).value()),
        maker(TableMaker::make(graph, plan).value()) {}
  Drawn(const Drawn&) = delete;
  Drawn& operator=(const Drawn&) = delete;

  [[nodiscard]] std::vector<Table> tables(Detail detail, BackupPaths backup_paths) const {
    std::vector<Table> all;
    for (std::uint32_t s = 0; s < graph.switch_count(); ++s)
      all.push_back(maker.table(s, detail, backup_paths));
    return all;
  }

  Graph graph;
  AddressPlan plan;
  TableMaker maker;
};

TEST(LeafSpineTables, OfDrawnGraphsAreRightBothWaysOfLooking) {
  for (const auto& [leaves, spines, parallel] :
       {std::tuple(20U, 4U, 1U), std::tuple(3U, 2U, 3U), std::tuple(5U, 3U, 2U)}) {
    const Drawn made(drawn(leaves, spines, parallel, 2));
    for (const Detail detail : {Detail::flat, Detail::per_switch, Detail::compact}) {
      for (const BackupPaths paths :
           {BackupPaths::none, BackupPaths::injection, BackupPaths::everywhere}) {
        const auto tables = made.tables(detail, paths);
        const CheckReport quick = check(made.graph, made.plan, tables, &made.maker);
        const CheckReport slow = check_by_walking(made.graph, made.plan, tables, &made.maker);
        EXPECT_TRUE(quick.errors.empty()) << to_string(quick.errors);
        EXPECT_TRUE(slow.errors.empty()) << to_string(slow.errors);
        EXPECT_EQ(quick.survived, slow.survived);
        EXPECT_EQ(quick.not_survived, slow.not_survived);
        if (paths == BackupPaths::everywhere) {
          EXPECT_EQ(quick.links, leaves * spines * parallel);
          EXPECT_EQ(quick.survived, quick.links);
          EXPECT_EQ(quick.classes, 2U);
        }
      }
    }
  }
}

// 20 leaves of 4 hosts send by source over 4 spines: a quarter of the hosts of each leaf by each.
// So each spine is the first of 20 sources towards any other leaf.
TEST(LeafSpineTables, ShareLoadAmongAllSpines) {
  const Drawn made(drawn(20, 4, 1, 4));
  std::map<topology::NodeId, int> sources;
  const std::uint32_t to = 79;
  for (std::uint32_t from = 0; from < 76; ++from) {
    const ChannelId up = made.maker.output(made.plan.switch_of(from), from, to, Detail::compact);
    ++sources[made.graph.target(up)];
  }
  ASSERT_EQ(sources.size(), 4U);
  for (const auto& [spine, count] : sources) EXPECT_EQ(count, 19) << made.graph.name(spine);
}

// Two hosts on each leaf use two of four uplinks; each leaf begins with another spine, so that
// together they use all alike: 20 leaves x 2 hosts over 4 spines are 10 each.
TEST(LeafSpineTables, ShareLoadAlsoOfFewHosts) {
  const Drawn made(drawn(20, 4, 1, 2));
  std::map<topology::NodeId, int> sources;
  for (std::uint32_t from = 0; from < 40; ++from) {
    const ChannelId up =
        made.maker.output(made.plan.switch_of(from), from, (from + 2) % 40, Detail::compact);
    ++sources[made.graph.target(up)];
  }
  ASSERT_EQ(sources.size(), 4U);
  for (const auto& [spine, count] : sources) EXPECT_EQ(count, 10) << made.graph.name(spine);
}

// A leaf of 8 spines without spine 6: spine 2 (6 without its highest bit), then 0, then whichever
// is left, from 7 on. None of it needs the tag.
TEST(LeafSpineTables, SpinesThatAreLeftShareWhatOthersCarried) {
  const Drawn made(drawn(3, 8, 1, 8));
  const Table table = made.maker.table(8, Detail::compact, BackupPaths::everywhere);
  for (const FastReroute& reroute : table.fast_reroutes) {
    if (made.graph.target(reroute.output) != made.graph.switch_node(6)) continue;
    std::vector<std::uint32_t> spines;
    for (const ChannelId other : reroute.untagged)
      spines.push_back(index(made.graph.target(other)));
    EXPECT_EQ(spines, (std::vector<std::uint32_t>{2, 0, 7, 1, 3, 4, 5}));
    EXPECT_FALSE(reroute.backup);
    EXPECT_FALSE(reroute.back);
  }
  // A spine that has lost a leaf gives its frames back.
  const Table spine = made.maker.table(6, Detail::compact, BackupPaths::everywhere);
  ASSERT_EQ(spine.fast_reroutes.size(), 3U);
  EXPECT_TRUE(spine.fast_reroutes[0].back);
}

// Without a cable it is no leaf-spine any more, and the tables of any graph take the first port.
TEST(LeafSpineTables, AreNotForAGraphThatIsNone) {
  topology::GraphBuilder builder(5, 3, {{gigabits_per_second(100)}});
  for (std::uint32_t l = 0; l < 3; ++l) {
    for (std::uint32_t s = 0; s < 2; ++s) {
      if (l != 2 || s != 1) builder.connect(builder.switch_node(l), builder.switch_node(3 + s));
    }
    builder.connect(builder.switch_node(l), builder.host_node(l));
  }
  const Drawn made(std::move(builder).build({"imported", {}}));
  const CheckReport report =
      check(made.graph, made.plan, made.tables(Detail::compact, BackupPaths::everywhere));
  EXPECT_TRUE(report.errors.empty()) << to_string(report.errors);
  EXPECT_EQ(report.links, 5U);
  EXPECT_LT(report.survived, report.links);
  EXPECT_EQ(report.not_survived.size(), report.links - report.survived);
}

}  // namespace
}  // namespace ebb::forwarding
