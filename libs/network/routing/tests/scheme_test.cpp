// SPDX-License-Identifier: Apache-2.0
#include "networks.hpp"

namespace ebb::routing {
namespace {

std::string refusal(const std::string& scheme, const Graph& graph) {
  const auto routing = make_routing(scheme, graph);
  return routing ? "" : routing.error().front().message;
}

TEST(Schemes, UnknownNamesGetTheNearest) {
  const Graph graph = build({"", "torus", {{"hosts", "1"}, {"dims", "4"}}});
  EXPECT_EQ(refusal("dimention-order", graph),
            "unknown routing 'dimention-order'; did you mean 'dimension-order'?");
}

TEST(Schemes, OtherFamiliesAreRefused) {
  const Graph graph = build({"", "torus", {{"hosts", "1"}, {"dims", "4"}}});
  EXPECT_EQ(refusal("valiant", graph), "routing 'valiant' is for fbfly, dragonfly, not for torus");
}

// A file can name a family and hold other links: ports would then not lead where they should.
TEST(Schemes, GraphsThatAreNotWhatTheySayAreRefused) {
  const Graph whole = build({"", "fbfly", {{"hosts", "1"}, {"dims", "3x3"}}});
  topology::GraphBuilder builder(whole.switch_count(), whole.host_count(),
                                 {{gigabits_per_second(40)}});
  for (std::uint32_t l = 0; l + 1 < whole.link_count(); ++l)
    builder.connect(whole.link(topology::LinkId{l}));
  const Graph broken = std::move(builder).build(whole.origin());
  EXPECT_NE(refusal("minimal-adaptive", broken).find("not those of a fbfly"), std::string::npos);
  EXPECT_EQ(refusal("shortest-path", broken), "");
  EXPECT_EQ(refusal("up-down-tree", broken), "");
}

TEST(Schemes, CableLengthsDoNotMatter) {
  Graph graph = build({"", "fbfly", {{"hosts", "1"}, {"dims", "3x3"}}});
  graph.lay_cable(topology::LinkId{0}, metres(3), topology::Medium::optical);
  EXPECT_EQ(refusal("minimal-adaptive", graph), "");
}

TEST(Schemes, TooManyLegalOutputsAreRefused) {
  const Graph graph = build({"", "fbfly", {{"hosts", "1"}, {"dims", "2"}, {"parallel", "300"}}});
  for (const char* scheme : {"minimal-adaptive", "dimension-order", "valiant", "shortest-path"})
    EXPECT_NE(refusal(scheme, graph).find("legal outputs"), std::string::npos) << scheme;
}

TEST(Schemes, TablesHaveALimit) {
  const Graph graph = build({"", "fbfly", {{"hosts", "1"}, {"dims", "26x26x26"}}});
  EXPECT_NE(refusal("shortest-path", graph).find("tables for 17576 switches"), std::string::npos);
  EXPECT_EQ(refusal("minimal-adaptive", graph), "");
}

TEST(Schemes, DisconnectedGraphsAreRefused) {
  topology::GraphBuilder builder(2, 2, {{gigabits_per_second(40)}});
  builder.connect(builder.host_node(0), builder.switch_node(0));
  builder.connect(builder.host_node(1), builder.switch_node(1));
  const Graph graph = std::move(builder).build({"imported", {}});
  EXPECT_NE(refusal("shortest-path", graph), "");
}

// Longer than a byte can say.
TEST(Schemes, EndlessLinesAreRefused) {
  const Graph graph = build({"", "mesh", {{"hosts", "1"}, {"dims", "300"}}});
  EXPECT_EQ(refusal("shortest-path", graph), "shortest-path handles paths of up to 254 links");
  EXPECT_EQ(refusal("up-down-tree", graph), "up-down-tree handles paths of up to 254 links");
  EXPECT_NE(refusal("up-down-ways", graph), "");
  EXPECT_EQ(refusal("dimension-order", graph), "");
}

}  // namespace
}  // namespace ebb::routing
