// SPDX-License-Identifier: Apache-2.0
#include "networks.hpp"

namespace ebb::routing {
namespace {

const Case kCase{"conditional", "dragonfly", {{"p", "3"}, {"a", "4"}, {"h", "2"}}};

class Conditional : public testing::Test {
 protected:
  [[nodiscard]] Start start(std::uint32_t from, std::uint32_t to) {
    return routing_->start(graph_.host_node(from), graph_.host_node(to), random_);
  }
  [[nodiscard]] Candidate output(NodeId at, std::uint32_t to, RouteState state) {
    routing_->candidates(at, graph_.host_node(to), state, outputs_);
    EXPECT_EQ(outputs_.size(), 1U);
    return outputs_[0];
  }

  Graph graph_ = build(kCase);
  std::unique_ptr<Routing> routing_ = route(kCase, graph_);
  RandomStream random_{1, "conditional"};
  Candidates outputs_;
};

TEST_F(Conditional, HasAlternativesForOtherGroupsOnly) {
  EXPECT_FALSE(start(0, 1).detour);   // on the same switch
  EXPECT_FALSE(start(0, 11).detour);  // in the same group
  EXPECT_TRUE(start(0, 12).detour);
}

// Port i of a host has the switch's global link i modulo 2: ports 6 and 7, after 3 hosts and 3
// switches.
TEST_F(Conditional, SendsEachHostOverALinkOfItsOwnSwitch) {
  const NodeId at = graph_.switch_node(1);
  for (std::uint32_t port = 0; port < 3; ++port) {
    const Start both = start(3 + port, 50);
    ASSERT_TRUE(both.detour);
    const Candidate detour = output(at, 50, *both.detour);
    EXPECT_EQ(detour.channel, graph_.outputs(at)[6 + port % 2]);
    EXPECT_EQ(detour.vc, 0);
    // From there on, the direct way.
    EXPECT_EQ(routing_->advance(at, detour, *both.detour), both.state);
  }
}

// l0 g1 l1.
TEST_F(Conditional, TakesItsClassesInOrder) {
  std::vector<std::uint8_t> classes;
  const NodeId first = graph_.switch_node(1);
  std::uint32_t to = 12;
  while (routing_->links_ahead(first, graph_.host_node(to), start(3, to).state) < 3) ++to;
  RouteState state = start(3, to).state;
  for (NodeId at = first; at != graph_.host_node(to);) {
    const Candidate taken = output(at, to, state);
    classes.push_back(taken.vc);
    state = routing_->advance(at, taken, state);
    at = graph_.target(taken.channel);
  }
  EXPECT_EQ(classes.back(), 0) << "to the host";
  classes.pop_back();
  EXPECT_EQ(classes, (std::vector<std::uint8_t>{0, 1, 1}));
}

}  // namespace
}  // namespace ebb::routing
