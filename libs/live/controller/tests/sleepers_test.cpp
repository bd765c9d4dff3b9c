// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/sleepers.hpp"

#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace ebb::controller {
namespace {

using topology::ChannelId;
using topology::LinkId;

struct Ruled {
  Ruled(const std::string& family, const ParameterTexts& parameters)
      : graph(*topology::build(family, parameters, {megabits_per_second(100)})),
        plan(*forwarding::AddressPlan::make(graph)) {
    const auto maker = forwarding::TableMaker::make(graph, plan);
    for (std::uint32_t s = 0; s < graph.switch_count(); ++s)
      tables.push_back(
          maker->table(s, forwarding::Detail::compact, forwarding::Alternatives::everywhere));
  }
  [[nodiscard]] std::size_t asleep() const {
    const Sleepers found = sleepers(graph, plan, tables);
    return static_cast<std::size_t>(
        std::count(found.may_sleep.begin(), found.may_sleep.end(), true));
  }

  topology::Graph graph;
  forwarding::AddressPlan plan;
  std::vector<forwarding::Table> tables;
};

TEST(Sleepers, OfAFlattenedButterflyAreTheLinksWithoutCoordinateZero) {
  const Ruled ruled("fbfly", {{"hosts", "2"}, {"dims", "3x3"}});
  const Sleepers found = sleepers(ruled.graph, ruled.plan, ruled.tables);
  for (std::uint32_t link = 0; link < ruled.graph.link_count(); ++link) {
    const topology::Link& ends = ruled.graph.link(LinkId{link});
    if (ruled.graph.is_host(ends.a) || ruled.graph.is_host(ends.b)) {
      EXPECT_FALSE(found.may_sleep[link]);
      continue;
    }
    const std::uint32_t a = index(ends.a);
    const std::uint32_t b = index(ends.b);
    const bool same_row = a / 3 == b / 3;
    const bool to_zero = same_row ? a % 3 == 0 || b % 3 == 0 : a / 3 == 0 || b / 3 == 0;
    EXPECT_EQ(found.may_sleep[link], !to_zero) << a << " to " << b;
  }
}

TEST(Sleepers, KnowWhereTheirFramesGo) {
  const Ruled ruled("complete", {{"switches", "3"}, {"hosts", "1"}});
  const Sleepers found = sleepers(ruled.graph, ruled.plan, ruled.tables);
  const auto names = [&](const std::vector<ChannelId>& channels) {
    std::string text;
    for (const ChannelId one : channels)
      text += ruled.graph.name(ruled.graph.source(one)) + ">" +
              ruled.graph.name(ruled.graph.target(one)) + " ";
    return text;
  };
  for (const ChannelId output : ruled.graph.outputs(ruled.graph.switch_node(1))) {
    if (ruled.graph.target(output) != ruled.graph.switch_node(2)) continue;
    EXPECT_TRUE(found.may_sleep[index(topology::link_of(output))]);
    EXPECT_EQ(names(found.instead[index(output)]), "s1>s0 s0>s2 ");
  }
}

TEST(Sleepers, OfATreeAreNone) {
  EXPECT_EQ(Ruled("tree", {{"switches", "4"}, {"hosts", "1"}}).asleep(), 0U);
}

// All but one of parallel links, and none that leaves a host behind.
TEST(Sleepers, AreFoundInEveryFamily) {
  EXPECT_EQ(Ruled("fbfly", {{"hosts", "1"}, {"dims", "4x4"}}).asleep(), 24U);  // of 48
  EXPECT_GT(Ruled("clos", {{"ports", "4"}, {"levels", "3"}, {"hosts", "16"}}).asleep(), 0U);
  EXPECT_GT(Ruled("dragonfly", {{"p", "1"}, {"a", "4"}, {"h", "1"}}).asleep(), 0U);
  EXPECT_GT(Ruled("complete", {{"switches", "6"}, {"hosts", "1"}, {"parallel", "5"}}).asleep(), 0U);
}

}  // namespace
}  // namespace ebb::controller
