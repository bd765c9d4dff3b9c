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

constexpr ProbeKey kKey{1, 2, 3};
const std::vector<std::uint8_t> kExpected{0xf2, 0xb1, 0xe6, 0x6e, 0x53, 0xf9, 0x0f, 0xce,
                                          0x4f, 0xdd, 0x70, 0xcb, 0x1e, 0xd9, 0x25, 0xb4};

TEST(AProbe, SaysWhoseItIs) {
  const ProbeSeal seal(kKey);
  const Probe probe{{70'000, 12}, 99};
  const ProbeFrame frame = seal.seal(probe);
  EXPECT_EQ(*seal.open(frame), probe);
  EXPECT_EQ(*seal.open(std::span(frame).first(54)), probe);
  EXPECT_FALSE(seal.open(std::span(frame).first(53)));
}

// HMAC-SHA-256 with the key 1, 2, 3, 0, ... of type, "ebb-wire", switch 1, port 2, number 3, as
// `openssl dgst -sha256 -mac HMAC` gives it: another program can check a probe.
TEST(AProbe, HasTheCodeThatTheStandardSays) {
  const ProbeFrame frame = ProbeSeal(kKey).seal({{1, 2}, 3});
  const std::vector<std::uint8_t> code(frame.begin() + 38, frame.begin() + 54);
  EXPECT_EQ(code, kExpected);
}

TEST(AProbe, OfAnotherKeyIsNotBelieved) {
  const ProbeFrame frame = ProbeSeal(kKey).seal({{1, 2}, 3});
  EXPECT_FALSE(ProbeSeal(ProbeKey{1, 2, 4}).open(frame));
}

// Whoever sees probes cannot make one of another port, or of a later time.
TEST(AProbe, ThatWasChangedIsNotBelieved) {
  const ProbeSeal seal(kKey);
  for (std::size_t byte = 12; byte < 54; ++byte) {
    ProbeFrame frame = seal.seal({{1, 2}, 3});
    frame[byte] ^= 1U;
    EXPECT_FALSE(seal.open(frame)) << "byte " << byte;
  }
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

// A port whose probes come in nowhere: whoever heard it before, rightly or not, is silent.
TEST(CablingCheck, WhatCameFromAPortThatIsLostIsForgotten) {
  const auto graph = triangle();
  CablingCheck cabling(graph);
  cabling.heard({1, 2}, {0, 2});
  cabling.heard({2, 2}, {1, 3});
  cabling.lost({1, 3});
  EXPECT_TRUE(cabling.wrong().empty());
  EXPECT_EQ(cabling.silent().size(), 5U);
  cabling.lost({2, 2});  // nobody heard it: what s1 heard of s0 stays
  EXPECT_EQ(cabling.silent().size(), 5U);
  cabling.lost({0, 2});
  EXPECT_EQ(cabling.silent().size(), 6U);
}

TEST(Corpus, Probes) {
  const ProbeSeal seal(kKey);
  int probes = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(EBB_SOURCE_DIR "/fuzz/corpus/probe")) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::vector<std::uint8_t> bytes((std::istreambuf_iterator<char>(file)), {});
    probes += seal.open(bytes) ? 1 : 0;
  }
  EXPECT_EQ(probes, 2);
}

}  // namespace
}  // namespace ebb::controller
