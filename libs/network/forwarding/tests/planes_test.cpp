// SPDX-License-Identifier: Apache-2.0
#include "networks.hpp"

#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace ebb::forwarding {
namespace {

using topology::ChannelId;
using topology::Graph;

// Every channel that a table names.
std::vector<ChannelId> channels_of(const Table& table) {
  std::vector<ChannelId> all = table.core;
  for (const Rule& rule : table.rules) {
    all.push_back(rule.output);
    if (rule.input) all.push_back(*rule.input);
  }
  for (const FastReroute& reroute : table.fast_reroutes) {
    all.push_back(reroute.output);
    all.insert(all.end(), reroute.untagged.begin(), reroute.untagged.end());
    if (reroute.backup) all.push_back(*reroute.backup);
  }
  return all;
}

// Each channel of a plane's table is that of the same place in the first plane.
TEST(TablesOfPlanes, AreThoseOfOneWithTheirOwnChannels) {
  const ParameterTexts parameters = {{"ports", "4"}, {"hosts", "16"}, {"planes", "3"}};
  const Graph graph = topology::build("clos", parameters, {gigabits_per_second(100)}).value();
  const Addressed one({"clos", {{"ports", "4"}, {"hosts", "16"}}});
  const Table first = one.maker.table(2, Detail::compact, BackupPaths::everywhere);
  const Table third = of_plane(first, one.graph, 2);
  EXPECT_EQ(of_plane(first, one.graph, 0), first);
  EXPECT_EQ(third.of_switch, 2 + 2 * one.graph.switch_count());
  EXPECT_EQ(third.rules.size(), first.rules.size());
  const auto here = channels_of(third);
  const auto there = channels_of(first);
  ASSERT_EQ(here.size(), there.size());
  for (std::size_t i = 0; i < here.size(); ++i) {
    EXPECT_EQ(graph.plane_of(here[i]), 2U);
    EXPECT_EQ(index(here[i]) % one.graph.channel_count(), index(there[i]));
  }
  const auto at = graph.switch_node(third.of_switch);
  for (const Rule& rule : third.rules) EXPECT_EQ(graph.source(rule.output), at);
}

}  // namespace
}  // namespace ebb::forwarding
