// SPDX-License-Identifier: Apache-2.0
//
// Published numbers of Slim Fly and PolarFly, and the fields that they are made from.
#include "../src/families/galois_field.hpp"

#include "ebb/topology/family.hpp"
#include "ebb/topology/metrics.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace ebb::topology {
namespace {

const RateTable kRates = {gigabits_per_second(40)};

TEST(GaloisField, KnowsPrimePowers) {
  std::vector<int> found;
  for (int q = 0; q <= 32; ++q) {
    if (prime_power(q)) found.push_back(q);
  }
  EXPECT_EQ(found,
            (std::vector<int>{2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29, 31, 32}));
}

// The laws of a field, for every two or three elements.
TEST(GaloisField, IsAField) {
  for (const std::uint32_t q : {2U, 3U, 4U, 5U, 8U, 9U, 16U, 25U, 27U}) {
    const GaloisField field(q);
    std::set<std::uint32_t> powers;
    for (std::uint32_t e = 0; e + 1 < q; ++e) powers.insert(field.power(e));
    EXPECT_EQ(powers.size(), q - 1) << q;
    for (std::uint32_t a = 0; a < q; ++a) {
      EXPECT_EQ(field.add(a, field.negative(a)), 0U) << q;
      if (a != 0) {
        EXPECT_EQ(field.multiply(a, field.inverse(a)), 1U) << q;
      }
      for (std::uint32_t b = 0; b < q; ++b) {
        for (std::uint32_t c = 0; c < q; ++c) {
          ASSERT_EQ(field.multiply(a, field.add(b, c)),
                    field.add(field.multiply(a, b), field.multiply(a, c)))
              << q << ": " << a << ' ' << b << ' ' << c;
        }
      }
    }
  }
}

Graph make(const std::string& family, int q) {
  return build(family, {{"q", std::to_string(q)}, {"p", "1"}}, kRates).value();
}

// How many switches have so many links to others.
std::map<std::size_t, int> switches_by_degree(const Graph& graph) {
  std::map<std::size_t, int> count;
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s)
    ++count[graph.outputs(graph.switch_node(s)).size() - 1];
  return count;
}

std::set<std::uint32_t> neighbours(const Graph& graph, std::uint32_t s) {
  std::set<std::uint32_t> found;
  for (const ChannelId channel : graph.outputs(graph.switch_node(s))) {
    if (!graph.is_host(graph.target(channel))) found.insert(index(graph.target(channel)));
  }
  return found;
}

// The Hoffman-Singleton graph is the one graph of degree 7 and diameter 2 with 50 = 1 + 7^2
// switches: the Moore bound. Switches that are joined share no neighbour, all others one.
TEST(SlimFly, OrderFiveIsTheHoffmanSingletonGraph) {
  const Graph graph = make("slim-fly", 5);
  EXPECT_EQ(graph.switch_count(), 50U);
  EXPECT_EQ(switches_by_degree(graph), (std::map<std::size_t, int>{{7, 50}}));
  EXPECT_EQ(distances(graph).diameter, 2U);
  for (std::uint32_t s = 0; s < 50; ++s) {
    const auto of_s = neighbours(graph, s);
    for (std::uint32_t t = s + 1; t < 50; ++t) {
      int shared = 0;
      for (const std::uint32_t other : neighbours(graph, t)) shared += of_s.contains(other) ? 1 : 0;
      ASSERT_EQ(shared, of_s.contains(t) ? 0 : 1) << s << ' ' << t;
    }
  }
}

// "Slim Fly: A Cost Effective Low-Diameter Network Topology": the network of about 10,000 hosts.
TEST(SlimFly, OrderNineteenHasThePublishedSize) {
  const auto known = properties("slim-fly", {{"q", "19"}, {"p", "15"}});
  ASSERT_TRUE(known);
  EXPECT_EQ(known->switches, 722);
  EXPECT_EQ(known->hosts, 10'830);
  EXPECT_EQ(known->switch_ports, 29 + 15);
  EXPECT_EQ(known->diameter, 2);
  EXPECT_EQ(properties("slimfly", {{"q", "19"}})->hosts, 10'830);
}

// Degrees (3q - d) / 2 of every kind of order, primes and powers.
TEST(SlimFly, HasDiameterTwoAndThePublishedDegree) {
  const std::map<int, std::size_t> degrees = {{3, 5},   {4, 6},   {7, 11},  {8, 12},  {9, 13},
                                              {11, 17}, {13, 19}, {16, 24}, {17, 25}, {19, 29}};
  for (const auto& [q, degree] : degrees) {
    const Graph graph = make("slim-fly", q);
    EXPECT_EQ(switches_by_degree(graph), (std::map<std::size_t, int>{{degree, 2 * q * q}})) << q;
    EXPECT_EQ(distances(graph).diameter, 2U) << q;
  }
}

TEST(SlimFly, BisectionCountsTheLinksBetweenTheHalves) {
  for (const std::uint32_t q : {4U, 5U, 7U, 8U}) {
    const Graph graph = make("slim-fly", static_cast<int>(q));
    const auto is_first = [&](NodeId node) {
      const std::uint32_t column = index(node) / q;
      return column < q ? column < q / 2 : column - q < q - q / 2;
    };
    std::int64_t cut = 0;
    for (const Link& link : graph.links()) {
      if (graph.connects_switches(link) && is_first(link.a) != is_first(link.b)) ++cut;
    }
    EXPECT_EQ(properties("slim-fly", {{"q", std::to_string(q)}})->bisection_links, cut) << q;
  }
}

// "PolarFly: A Cost-Effective and Flexible Low-Diameter Topology": 993 switches of 32 links.
TEST(PolarFly, OrderThirtyOneHasThePublishedSize) {
  const auto known = properties("polarfly", {{"q", "31"}, {"p", "16"}});
  ASSERT_TRUE(known);
  EXPECT_EQ(known->switches, 993);
  EXPECT_EQ(known->hosts, 15'888);
  EXPECT_EQ(known->switch_ports, 32 + 16);
  EXPECT_EQ(known->diameter, 2);
  EXPECT_EQ(distances(make("polarfly", 31)).diameter, 2U);
}

// q + 1 quadrics have q links, all other switches q + 1; two switches share one neighbour, or with
// a quadric that is joined to the other none.
TEST(PolarFly, HasAPathOfTwoLinksBetweenAnyTwo) {
  for (const int q : {2, 3, 4, 5, 7, 8, 9}) {
    const Graph graph = make("polarfly", q);
    const auto order = static_cast<std::size_t>(q);
    EXPECT_EQ(switches_by_degree(graph),
              (std::map<std::size_t, int>{{order, q + 1}, {order + 1, q * q}}))
        << q;
    EXPECT_EQ(distances(graph).diameter, 2U) << q;
    for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
      const auto of_s = neighbours(graph, s);
      for (std::uint32_t t = 0; t < s; ++t) {
        int shared = 0;
        for (const std::uint32_t other : neighbours(graph, t))
          shared += of_s.contains(other) ? 1 : 0;
        ASSERT_LE(shared, 1) << q << ": " << s << ' ' << t;
        if (!of_s.contains(t)) {
          ASSERT_EQ(shared, 1) << q << ": " << s << ' ' << t;
        }
      }
    }
  }
}

TEST(DiameterTwo, RefusesOrdersWithoutAField) {
  const auto refusal = [](const char* family, const char* q) {
    const auto known = properties(family, {{"q", q}});
    return known ? "accepted" : known.error().front().message;
  };
  EXPECT_EQ(refusal("polarfly", "6"), "'q' must be a prime power, got 6; the nearest are 5 and 7");
  EXPECT_EQ(refusal("slim-fly", "10"),
            "'q' must be a prime power, got 10; the nearest are 9 and 11");
  EXPECT_EQ(refusal("slim-fly", "2"), "'q' must be 4w-1, 4w or 4w+1, got 2; 3 is the least");
  EXPECT_EQ(refusal("polarfly", "2"), "accepted");
}

// Half of the links of a switch for hosts, which the papers call balanced, is about full
// throughput: the published 15 and 16 hosts per switch.
TEST(DiameterTwo, HalfOfTheLinksCarryTheHosts) {
  EXPECT_NEAR(properties("slim-fly", {{"q", "19"}})->oversubscription, 1, 0.02);
  EXPECT_NEAR(properties("polarfly", {{"q", "31"}})->oversubscription, 1, 0.02);
}

}  // namespace
}  // namespace ebb::topology
