// SPDX-License-Identifier: Apache-2.0
//
// Which port a switch uses, by the groups that it holds and the ports that are live. Orders on a
// real switch: runtime/tests/testbed_steering_test.cpp.
#include "ebb/drivers/openflow_steering.hpp"

#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ebb::drivers {
namespace {

using forwarding::PortNumber;
using openflow::GroupEntry;
using topology::ChannelId;

// Three switches joined to each other: at each a port of its host and two others, of which each is
// the backup of the other.
class AnOutput : public testing::Test {
 protected:
  [[nodiscard]] ChannelId to(std::uint32_t other) const {
    for (const ChannelId output : graph.outputs(graph.switch_node(0))) {
      if (graph.target(output) == graph.switch_node(other)) return output;
    }
    return {};
  }
  [[nodiscard]] PortNumber port(std::uint32_t other) const {
    return forwarding::port_of(graph, to(other));
  }
  // As the switch would tell them with one output diverted.
  [[nodiscard]] std::vector<GroupEntry> held(std::optional<ChannelId> diverted) const {
    FailoverState state;
    state.diverted = [=](ChannelId one) { return one == diverted; };
    std::vector<GroupEntry> entries;
    for (const openflow::GroupMod& group : program(graph, plan, table, state).groups)
      entries.push_back({group.type, group.group, group.buckets});
    return entries;
  }

  topology::Graph graph =
      *topology::build("complete", {{"switches", "3"}, {"hosts", "1"}}, {megabits_per_second(100)});
  forwarding::AddressPlan plan = *forwarding::AddressPlan::make(graph);
  forwarding::Table table =
      forwarding::TableMaker::make(graph, plan)
          ->table(0, forwarding::Detail::compact, forwarding::BackupPaths::everywhere);
  std::set<PortNumber> all{1, 2, 3};
};

TEST_F(AnOutput, IsUsedUnlessItIsDiverted) {
  EXPECT_TRUE(is_in_use(held(std::nullopt), all, port(1)));
  EXPECT_FALSE(is_in_use(held(to(1)), all, port(1)));
  EXPECT_TRUE(is_in_use(held(to(1)), all, port(2)));
}

TEST_F(AnOutput, IsNotUsedWhenItsPortIsDown) {
  EXPECT_FALSE(is_in_use(held(std::nullopt), {port(2)}, port(1)));
}

// The last bucket is better than none.
TEST_F(AnOutput, IsUsedAlthoughDivertedWhereTheDetourIsDown) {
  EXPECT_TRUE(is_in_use(held(to(1)), {port(1)}, port(1)));
}

TEST_F(AnOutput, IsUsedAsTheDetourOfAnother) {
  auto groups = held(to(2));
  std::erase_if(groups, [&](const GroupEntry& one) { return one.group == port(1); });
  ASSERT_FALSE(groups.empty());
  EXPECT_TRUE(is_in_use(groups, all, port(1)));
}

TEST_F(AnOutput, WithoutAGroupIsUsedWhileItIsLive) {
  const PortNumber host = 6 - port(1) - port(2);
  EXPECT_TRUE(is_in_use(held(std::nullopt), all, host));
  EXPECT_FALSE(is_in_use(held(std::nullopt), {port(1), port(2)}, host));
}

}  // namespace
}  // namespace ebb::drivers
