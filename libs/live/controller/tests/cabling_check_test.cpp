// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/cabling_check.hpp"

#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace ebb::controller {
namespace {

topology::Graph triangle() {
  return *topology::build("complete", {{"switches", "3"}, {"hosts", "1"}},
                          {megabits_per_second(100)});
}

TEST(AProbe, SaysWhoseItIs) {
  const ProbeFrame frame = discovery_probe({70'000, 12}, 99);
  EXPECT_EQ(*read_probe(frame, 99), (Place{70'000, 12}));
  EXPECT_FALSE(read_probe(frame, 98));
  EXPECT_FALSE(read_probe(std::span(frame).first(37), 99));
}

TEST(Ports, CountFromOneWithHostsFirst) {
  const auto graph = triangle();
  const auto first = *forwarding::output_at(graph, 0, 1);
  EXPECT_TRUE(graph.is_host(graph.target(first)));
  for (forwarding::PortNumber port = 1; port <= 3; ++port)
    EXPECT_EQ(forwarding::port_of(graph, *forwarding::output_at(graph, 1, port)), port);
  EXPECT_FALSE(forwarding::output_at(graph, 0, 0));
  EXPECT_FALSE(forwarding::output_at(graph, 0, 4));
  EXPECT_FALSE(forwarding::output_at(graph, 3, 1));
}

// Ports 2 and 3 of each lead to the others: s0 to s1 and s2, s1 to s0 and s2, s2 to s0 and s1.
TEST(CablingCheck, ThatIsAsDescribedHasNothingWrong) {
  const auto graph = triangle();
  CablingCheck cabling(graph);
  EXPECT_EQ(cabling.silent().size(), 6U);
  cabling.heard({0, 2}, {1, 2});
  cabling.heard({1, 2}, {0, 2});
  cabling.heard({0, 3}, {2, 2});
  cabling.heard({2, 2}, {0, 3});
  cabling.heard({1, 3}, {2, 3});
  EXPECT_EQ(cabling.silent(), (std::set<Place>{{2, 3}}));
  cabling.heard({2, 3}, {1, 3});
  EXPECT_TRUE(cabling.silent().empty());
  EXPECT_TRUE(cabling.wrong().empty());
}

TEST(CablingCheck, NamesBothEndsOfACableThatRunsElsewhere) {
  const auto graph = triangle();
  CablingCheck cabling(graph);
  cabling.heard({0, 2}, {2, 2});
  cabling.heard({2, 1}, {0, 3});  // where a host should be
  ASSERT_EQ(cabling.wrong().size(), 2U);
  EXPECT_EQ(cabling.wrong()[0], "s0 port 2 should lead to s1 port 2, but leads to s2 port 2");
  EXPECT_EQ(cabling.wrong()[1], "s2 port 1 should lead to no other switch, but leads to s0 port 3");
}

TEST(CablingCheck, OfASwitchThatWentIsForgotten) {
  const auto graph = triangle();
  CablingCheck cabling(graph);
  cabling.heard({0, 2}, {2, 2});
  cabling.heard({1, 3}, {2, 3});
  cabling.forget(0);
  EXPECT_TRUE(cabling.wrong().empty());
  EXPECT_EQ(cabling.silent().size(), 5U);
}

TEST(Corpus, Probes) {
  int probes = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(EBB_SOURCE_DIR "/fuzz/corpus/probe")) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::vector<std::uint8_t> bytes((std::istreambuf_iterator<char>(file)), {});
    probes += read_probe(bytes, 0x0123456789abcdefU) ? 1 : 0;
  }
  EXPECT_EQ(probes, 2);
}

}  // namespace
}  // namespace ebb::controller
