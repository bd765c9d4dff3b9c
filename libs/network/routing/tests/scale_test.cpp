// SPDX-License-Identifier: Apache-2.0
//
// On 300,000 hosts: no tables that grow with them, and a step in well under a microsecond.
#include "networks.hpp"

#include <fmt/format.h>

#include <chrono>

namespace ebb::routing {
namespace {

using Seconds = std::chrono::duration<double>;

// Sends packets between random hosts, chance choosing among candidates; gives the steps taken.
std::uint64_t send(const Graph& graph, const Routing& routing, int packets) {
  RandomStream random(1, "scale");
  Candidates outputs;
  std::uint64_t steps = 0;
  for (int packet = 0; packet < packets; ++packet) {
    const NodeId from =
        graph.host_node(static_cast<std::uint32_t>(random.below(graph.host_count())));
    const NodeId to = graph.host_node(static_cast<std::uint32_t>(random.below(graph.host_count())));
    RouteState state = routing.start(from, to, random, EmptyNetwork());
    for (NodeId at = switch_of(graph, from); at != to; ++steps) {
      routing.candidates(at, to, state, outputs);
      const Candidate taken = outputs[random.below(outputs.size())];
      state = routing.advance(at, taken, state);
      at = graph.target(taken.channel);
    }
  }
  return steps;
}

class Scale : public testing::TestWithParam<Case> {};

TEST_P(Scale, RoutesAtOnceAndWithoutTables) {
  constexpr int kPackets = 200'000;
  const Graph graph = build(GetParam());
  const auto begin = std::chrono::steady_clock::now();
  const auto routing = route(GetParam(), graph);
  const Seconds making = std::chrono::steady_clock::now() - begin;
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t steps = send(graph, *routing, kPackets);
  const Seconds sending = std::chrono::steady_clock::now() - start;
  const double nanoseconds = 1e9 * sending.count() / static_cast<double>(steps);
  fmt::print("{}: {} bytes, made in {:.0f} ms, {:.2f} steps per packet, {:.0f} ns per step\n",
             GetParam().scheme, routing->memory_bytes(), 1e3 * making.count(),
             static_cast<double>(steps) / kPackets, nanoseconds);
  EXPECT_GT(graph.host_count(), 300'000U);
  // Some bytes for each switch, none for a pair of them.
  EXPECT_LT(routing->memory_bytes(), 65'536U + 16U * graph.switch_count());
  EXPECT_LT(making.count(), 10.0);   // the check that the graph is what it says
  EXPECT_LT(nanoseconds, 10'000.0);  // generous: sanitizers and busy machines run this too
}

const Case kFbfly{"", "fbfly", {{"hosts", "15"}, {"dims", "15x15x15x6"}, {"parallel", "1x1x1x3"}}};
const Case kClos{"", "clos", {{"ports", "72"}, {"levels", "4"}, {"hosts", "303264"}}};
const Case kDragonflyPlus{
    "",
    "dragonfly-plus",
    {{"p", "24"}, {"leaves", "24"}, {"spines", "24"}, {"h", "24"}, {"g", "530"}}};
const Case kDragonfly{"", "dragonfly", {{"p", "18"}, {"a", "36"}, {"h", "18"}, {"g", "463"}}};

Case with(std::string scheme, Case network) {
  network.scheme = std::move(scheme);
  return network;
}

INSTANTIATE_TEST_SUITE_P(Exascale, Scale,
                         testing::Values(with("minimal-adaptive", kFbfly),
                                         with("dimension-order", kFbfly), with("valiant", kFbfly),
                                         with("ugal", kFbfly), with("up-down", kClos),
                                         with("minimal", kDragonfly), with("valiant", kDragonfly),
                                         with("minimal", kDragonflyPlus),
                                         with("valiant", kDragonflyPlus)),
                         [](const auto& one) {
                           std::string name = one.param.scheme + "_" + one.param.family;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace ebb::routing
