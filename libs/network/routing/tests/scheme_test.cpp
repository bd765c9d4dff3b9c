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
  EXPECT_EQ(refusal("valiant", graph),
            "routing 'valiant' is for fbfly, dragonfly, dragonfly-plus, not for torus");
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
  EXPECT_NE(refusal("up-down-nonminimal", graph), "");
  EXPECT_EQ(refusal("dimension-order", graph), "");
}

using Texts = std::vector<std::pair<std::string, std::string>>;

std::vector<Texts> grids() {
  return {{{"hosts", "2"}, {"dims", "4"}},
          {{"hosts", "1"}, {"dims", "1"}},
          {{"hosts", "1"}, {"dims", "2x2"}},
          {{"hosts", "1"}, {"dims", "5x4"}, {"parallel", "1x2"}},
          {{"hosts", "1"}, {"dims", "3x1x4"}},
          {{"hosts", "2"}, {"dims", "2x3x3"}, {"parallel", "2x1x3"}},
          {{"hosts", "1"}, {"dims", "6x5"}}};
}

std::vector<Texts> dragonflies() {
  return {{{"p", "1"}, {"a", "2"}, {"h", "1"}},
          {{"p", "2"}, {"a", "4"}, {"h", "2"}},
          {{"p", "1"}, {"a", "4"}, {"h", "2"}, {"g", "5"}},  // parallel links between groups
          {{"p", "1"}, {"a", "3"}, {"h", "3"}, {"g", "4"}},  // an exact number of cycles
          {{"p", "1"}, {"a", "4"}, {"h", "3"}, {"g", "6"}},  // an incomplete last cycle
          {{"p", "1"}, {"a", "2"}, {"h", "4"}, {"g", "6"}},  // both ends of a distance on a switch
          {{"p", "1"}, {"a", "1"}, {"h", "4"}},              // groups of one switch
          {{"p", "1"}, {"a", "4"}, {"h", "2"}, {"g", "2"}},  // two groups
          {{"p", "1"}, {"a", "3"}, {"h", "2"}, {"g", "4"}, {"fill", "0"}}};
}

std::vector<Texts> closes() {
  return {{{"ports", "4"}, {"levels", "2"}, {"hosts", "8"}},
          {{"ports", "6"}, {"levels", "3"}, {"hosts", "54"}},
          {{"ports", "6"}, {"levels", "3"}, {"hosts", "27"}},  // half of the pods
          {{"ports", "6"}, {"levels", "3"}, {"hosts", "11"}},  // a partial pod and leaf
          {{"ports", "4"}, {"levels", "4"}, {"hosts", "32"}},
          {{"ports", "4"}, {"levels", "4"}, {"hosts", "23"}},
          {{"ports", "8"}, {"levels", "2"}, {"hosts", "30"}, {"down", "6"}},  // oversubscribed
          {{"ports", "4"}, {"levels", "2"}, {"hosts", "2"}}};                 // one leaf
}

std::vector<Texts> rail_closes() {
  return {{{"ports", "8"}, {"pods", "2"}, {"servers", "4"}, {"gpus", "2"}},
          {{"ports", "8"}, {"pods", "3"}, {"servers", "2"}, {"gpus", "1"}},
          {{"ports", "6"}, {"pods", "1"}, {"servers", "3"}, {"gpus", "3"}, {"tors", "2"}},
          {{"ports", "4"}, {"pods", "3"}, {"servers", "2"}, {"gpus", "2"}, {"levels", "3"}},
          {{"ports", "4"}, {"pods", "1"}, {"servers", "1"}, {"gpus", "1"}, {"tors", "2"}}};
}

std::vector<Texts> chassis() {
  return {{{"hosts", "32"}, {"chip_ports", "8"}}, {{"hosts", "3"}, {"chip_ports", "8"}},
          {{"hosts", "8"}, {"chip_ports", "8"}},  {{"hosts", "40"}, {"chip_ports", "8"}},
          {{"hosts", "65"}, {"chip_ports", "8"}},  // one host in the last chassis
          {{"hosts", "99"}, {"chip_ports", "8"}}, {{"hosts", "8"}, {"chip_ports", "4"}},
          {{"hosts", "7"}, {"chip_ports", "4"}},  {{"hosts", "60"}, {"chip_ports", "12"}}};
}

std::vector<Texts> irregulars() {
  return {{{"switches", "2"}, {"degree", "1"}, {"hosts", "1"}},
          {{"switches", "12"}, {"degree", "3"}, {"hosts", "1"}},
          {{"switches", "20"}, {"degree", "4"}, {"hosts", "2"}, {"seed", "7"}},
          {{"switches", "16"}, {"degree", "2"}, {"hosts", "1"}, {"seed", "3"}}};
}

std::vector<Texts> dragonfly_pluses() {
  return {{{"p", "1"}, {"leaves", "1"}, {"spines", "1"}, {"h", "2"}},
          {{"p", "2"}, {"leaves", "2"}, {"spines", "2"}, {"h", "2"}},
          {{"p", "1"}, {"leaves", "3"}, {"spines", "2"}, {"h", "3"}, {"g", "4"}},  // two cycles
          {{"p", "1"}, {"leaves", "2"}, {"spines", "3"}, {"h", "3"}, {"g", "6"}},  // a partial one
          {{"p", "1"}, {"leaves", "2"}, {"spines", "2"}, {"h", "3"}, {"g", "2"}},  // two groups
          {{"p", "1"}, {"leaves", "2"}, {"spines", "4"}, {"h", "1"}, {"g", "3"}, {"fill", "0"}}};
}

std::vector<Texts> jellyfishes() {
  return {{{"switches", "4"}, {"ports", "4"}, {"degree", "3"}},
          {{"switches", "15"}, {"ports", "5"}, {"degree", "4"}},
          {{"switches", "21"}, {"ports", "4"}, {"degree", "3"}, {"seed", "7"}}};
}

std::vector<Texts> shapes(const std::string& family) {
  if (family == "dragonfly") return dragonflies();
  if (family == "clos") return closes();
  if (family == "clos_chassis") return chassis();
  if (family == "rail-clos") return rail_closes();
  if (family == "irregular") return irregulars();
  if (family == "jellyfish") return jellyfishes();
  if (family == "dragonfly-plus") return dragonfly_pluses();
  if (family == "slim-fly")
    return {{{"q", "3"}, {"p", "1"}}, {{"q", "4"}, {"p", "1"}}, {{"q", "5"}, {"p", "1"}}};
  if (family == "polarfly")
    return {{{"q", "2"}, {"p", "2"}}, {{"q", "4"}, {"p", "1"}}, {{"q", "5"}, {"p", "1"}}};
  if (family == "complete") return {{{"switches", "5"}, {"hosts", "2"}, {"parallel", "2"}}};
  if (family == "tree") return {{{"switches", "5"}, {"hosts", "2"}, {"parallel", "2"}}};
  return grids();
}

}  // namespace

std::vector<Case> small_cases() {
  std::vector<Case> cases;
  for (const Scheme& scheme : schemes()) {
    for (const topology::Family& family : topology::families()) {
      if (!scheme.supports(family.name)) continue;
      for (Texts& parameters : shapes(family.name)) {
        // Refused: TableRouting.IsRefusedWhereClassesOfServiceRunOut.
        if (scheme.name == "tables" && family.name == "clos_chassis" &&
            (parameters.front().second == "65" || parameters.front().second == "99"))
          continue;
        cases.push_back({scheme.name, family.name, std::move(parameters)});
      }
    }
  }
  return cases;
}

}  // namespace ebb::routing
