// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/divide.hpp"

#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace ebb::topology {
namespace {

Graph network(const char* family, const ParameterTexts& parameters) {
  return build(family, parameters, {gigabits_per_second(40)}).value();
}

std::vector<std::uint32_t> sizes(const std::vector<std::uint32_t>& part, std::uint32_t parts) {
  std::vector<std::uint32_t> result(parts, 0);
  for (const std::uint32_t p : part) ++result.at(p);
  return result;
}

std::uint64_t cut(const Graph& graph, const std::vector<std::uint32_t>& part,
                  const std::vector<std::uint32_t>& weights) {
  std::uint64_t total = 0;
  for (std::uint32_t l = 0; l < graph.link_count(); ++l) {
    const Link& link = graph.link(LinkId{l});
    if (graph.is_host(link.a) || graph.is_host(link.b)) continue;
    if (part[index(link.a)] != part[index(link.b)]) total += weights[l];
  }
  return total;
}

TEST(Divide, GivesEveryPartItsShare) {
  const Graph graph = network("fbfly", {{"hosts", "4"}, {"dims", "8x8"}});
  const std::vector<std::uint32_t> weights(graph.link_count(), 1);
  for (const std::uint32_t parts : {1U, 2U, 3U, 4U, 8U, 64U}) {
    const auto part = divide(graph, parts, weights);
    ASSERT_EQ(part.size(), 64U);
    for (const std::uint32_t size : sizes(part, parts)) {
      EXPECT_GE(size, 1U);
      EXPECT_LE(size, 64 / parts + 64 / parts / 4 + 1) << parts;
    }
    EXPECT_EQ(part, divide(graph, parts, weights));
  }
}

// Halves of an 8x8 flattened butterfly along a dimension cut 4*4*8 = 128 links, blocks do as well;
// cutting anywhere else is dearer when one dimension's links weigh more.
TEST(Divide, CutsWhereLinksWeighLittle) {
  const Graph graph = network("mesh", {{"hosts", "1"}, {"dims", "8x8"}});
  std::vector<std::uint32_t> weights(graph.link_count(), 100);
  // Links between columns 3 and 4 of the first dimension are the long ones.
  std::uint64_t light = 0;
  for (std::uint32_t l = 0; l < graph.link_count(); ++l) {
    const Link& link = graph.link(LinkId{l});
    if (graph.is_host(link.a) || graph.is_host(link.b)) continue;
    const std::uint32_t low = std::min(index(link.a), index(link.b));
    const std::uint32_t high = std::max(index(link.a), index(link.b));
    if (low % 8 == 3 && high == low + 1) {
      weights[l] = 1;
      ++light;
    }
  }
  ASSERT_EQ(light, 8U);
  EXPECT_EQ(cut(graph, divide(graph, 2, weights), weights), 8U);
}

}  // namespace
}  // namespace ebb::topology
