// SPDX-License-Identifier: Apache-2.0
//
// What FRR 8.4.4 of Debian 12 printed: two leaves (10.9.9.1 and 10.9.9.2) and two spines in network
// namespaces, as they were and with more links; and such text as it must not believe.
#include "support/corpus.hpp"

#include "ebb/ospf/drain_cost.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

namespace ebb::ospf {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(std::string(EBB_SOURCE_DIR) + "/" + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string leaf_spine() { return text_of("examples/ospf-leaf-spine.json"); }

std::string sample(const std::string& name) {
  return text_of("libs/live/ospf/tests/samples/" + name);
}

std::string refusal(const std::string& json) {
  const auto read = read_frr_database(json);
  return read ? "" : to_string(read.error());
}

void replace(std::string& text, const std::string& what, const std::string& with) {
  const auto at = text.find(what);
  ASSERT_NE(at, std::string::npos) << what;
  text.replace(at, what.size(), with);
}

TEST(FrrDatabase, HasRoutersAndTheLinksBetweenThem) {
  const auto network = read_frr_database(leaf_spine());
  ASSERT_TRUE(network) << to_string(network.error());
  EXPECT_EQ(network->routers,
            (std::vector<std::string>{"10.9.9.1", "10.9.9.2", "10.9.9.3", "10.9.9.4"}));
  ASSERT_EQ(network->links.size(), 4U);
  const Link& first = network->links[0];
  EXPECT_EQ(network->routers[first.a.router], "10.9.9.1");
  EXPECT_EQ(network->routers[first.b.router], "10.9.9.3");
  EXPECT_EQ(first.a.address, "10.8.0.1");
  EXPECT_EQ(first.b.address, "10.8.0.2");
  EXPECT_EQ(first.a.cost, 10U);
  EXPECT_TRUE(network->prefixes.empty()) << "the subnets of links are no destinations";
}

TEST(FrrDatabase, IsEnoughToDrainALink) {
  const auto network = read_frr_database(leaf_spine());
  ASSERT_TRUE(network);
  EXPECT_EQ(drain_costs(*network, 0).value_or(DrainCosts{}), (DrainCosts{11, 11}));
}

TEST(FrrDatabase, TellsParallelLinksApartAndTheCostOfEachEnd) {
  const auto network = read_frr_database(sample("frr-parallel-links.json"));
  ASSERT_TRUE(network) << to_string(network.error());
  ASSERT_EQ(network->links.size(), 5U);
  const auto at = [&](const std::string& address) {
    return *std::find_if(network->links.begin(), network->links.end(),
                         [&](const Link& link) { return link.a.address == address; });
  };
  EXPECT_EQ(at("10.8.3.1").b.address, "10.8.3.2");
  EXPECT_EQ(at("10.8.3.1").b.cost, 10U);
  EXPECT_EQ(at("10.8.9.1").b.address, "10.8.9.2");
  EXPECT_EQ(at("10.8.9.1").b.cost, 20U);
  EXPECT_EQ(at("10.8.0.1").a.cost, 10U);
  EXPECT_EQ(at("10.8.0.1").b.cost, 12U);
}

TEST(FrrDatabase, HasPrefixesThatSeveralRoutersLeadTo) {
  const auto network = read_frr_database(sample("frr-parallel-links.json"));
  ASSERT_TRUE(network);
  ASSERT_EQ(network->prefixes.size(), 1U);
  EXPECT_EQ(network->prefixes[0].name, "10.7.0.1/32");
  EXPECT_EQ(network->prefixes[0].at.size(), 2U);
}

TEST(FrrDatabase, OfATransitNetworkIsRefused) {
  EXPECT_NE(refusal(sample("frr-transit-network.json"))
                .find("10.9.9.2 has a link of type 'a Transit Network', which is not understood"),
            std::string::npos)
      << refusal(sample("frr-transit-network.json"));
}

TEST(FrrDatabase, WithHalfALinkIsRefused) {
  std::string half = leaf_spine();
  replace(half, R"("neighborRouterId": "10.9.9.3")", R"("neighborRouterId": "10.9.9.2")");
  EXPECT_NE(refusal(half).find("10.9.9.1 has a link to 10.9.9.2 that has no other end"),
            std::string::npos)
      << refusal(half);
  std::string unknown = leaf_spine();
  replace(unknown, R"("neighborRouterId": "10.9.9.3")", R"("neighborRouterId": "10.9.9.7")");
  EXPECT_NE(refusal(unknown).find("10.9.9.1 has a link to 10.9.9.7, which says nothing"),
            std::string::npos)
      << refusal(unknown);
}

// Taken seconds after the daemons had started: not every router had told of each neighbour yet.
TEST(FrrDatabase, OfANetworkThatFormsIsRefused) {
  EXPECT_NE(refusal(sample("frr-forming.json"))
                .find("10.9.9.2 has a link to 10.9.9.4 that has no other end"),
            std::string::npos)
      << refusal(sample("frr-forming.json"));
}

TEST(FrrDatabase, ThatIsNoneIsRefused) {
  for (const std::string text : {"", "{}", "[1]", R"({"routerLinkStates": {"areas": {}}})",
                                 R"({"routerLinkStates": {"areas": {"0.0.0.0": [{}]}}})"})
    EXPECT_NE(refusal(text), "") << text;
}

bool costs_of_every_link(const std::string& json) {
  const auto network = read_frr_database(json);
  if (!network) return false;
  for (std::size_t link = 0; link < network->links.size(); ++link) {
    const auto costs = drain_costs(*network, link);
    EXPECT_TRUE(!costs || costs->a >= network->links[link].a.cost) << json;
  }
  return true;
}

TEST(Corpus, FrrDatabase) { EXPECT_GE(test::replay_corpus("ospf", costs_of_every_link), 2); }

TEST(FrrDatabase, HasCostsAndAddressesThatAreNone) {
  for (const auto& [cost, told] : {std::pair("\"tos0Metric\": 65536", "not 65536"),
                                   std::pair("\"tos0Metric\": -10", "not -10"),
                                   std::pair("\"tos0Metric\": 1e96", "not 1e+96")}) {
    std::string wrong = leaf_spine();
    replace(wrong, "\"tos0Metric\": 10", cost);
    EXPECT_NE(refusal(wrong).find(told), std::string::npos) << refusal(wrong);
  }
  std::string wrong = leaf_spine();
  replace(wrong, "10.8.0.1", "10.8.0.256");
  EXPECT_EQ(refusal(wrong), "error: '10.8.0.256' is no IPv4 address\n");
}

}  // namespace
}  // namespace ebb::ospf
