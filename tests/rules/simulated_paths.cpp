// SPDX-License-Identifier: Apache-2.0
//
// The paths that packets take in the simulator under the routing `tables`, for simulated_paths.py,
// which compares them with those of a real Open vSwitch.
//
//   ebb_simulated_paths --networks             small networks of every family, one a line
//   ebb_simulated_paths --cables FAMILY ...    "s0 3 s1 2": port 3 of s0 is joined to port 2 of s1
//   ebb_simulated_paths FAMILY ... < requests  "h0 h7 s0-s1": a packet while that link is down;
//   "-":
//                                              while none is. Answers "s0:3 s1:1": switch and port
//
// A link is down in two ways, which must give the same path: asleep, by orders to the simulator,
// and failed, which the routing is told.
#include "../../libs/network/forwarding/tests/networks.hpp"

#include "ebb/core/random.hpp"
#include "ebb/netsim/network.hpp"
#include "ebb/routing/scheme.hpp"
#include "ebb/traffic/message.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ebb {
namespace {

using topology::ChannelId;
using topology::Graph;
using topology::LinkId;
using topology::NodeId;

std::string port_text(const Graph& graph, ChannelId output) {
  return fmt::format("{}:{}", graph.name(graph.source(output)), forwarding::port_of(graph, output));
}

// Another routing, and which outputs its packets took. They come one at a time.
class Recorded final : public routing::Routing {
 public:
  Recorded(const Graph& graph, const routing::Routing& routing)
      : graph_(graph), routing_(routing) {}

  [[nodiscard]] int virtual_channels() const override { return routing_.virtual_channels(); }
  [[nodiscard]] bool takes_first_live() const override { return routing_.takes_first_live(); }
  [[nodiscard]] routing::RouteState start(NodeId source, NodeId destination, RandomStream& random,
                                          const routing::CongestionView& view) const override {
    paths.emplace_back();
    return routing_.start(source, destination, random, view);
  }
  void candidates(NodeId at, NodeId destination, routing::RouteState state,
                  routing::Candidates& out) const override {
    routing_.candidates(at, destination, state, out);
  }
  [[nodiscard]] routing::RouteState advance(NodeId at, const routing::Candidate& taken,
                                            routing::RouteState state) const override {
    paths.back() += (paths.back().empty() ? "" : " ") + port_text(graph_, taken.channel);
    return routing_.advance(at, taken, state);
  }
  [[nodiscard]] int remaining_hops(NodeId at, NodeId destination,
                                   routing::RouteState state) const override {
    return routing_.remaining_hops(at, destination, state);
  }
  [[nodiscard]] std::size_t memory_bytes() const override { return routing_.memory_bytes(); }

  mutable std::vector<std::string> paths;

 private:
  const Graph& graph_;
  const routing::Routing& routing_;
};

struct Pair {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

// A packet for each pair, one after the other, with some links asleep.
std::vector<std::string> simulate(const Graph& graph, const routing::Routing& routing,
                                  std::span<const Pair> pairs, std::span<const LinkId> asleep) {
  constexpr Duration kApart = std::chrono::milliseconds(1);  // longer than any path takes
  std::vector<traffic::Message> messages;
  for (const Pair& pair : pairs) {
    const TimePoint at(kApart * static_cast<std::int64_t>(messages.size() + 1));
    messages.push_back({at, pair.from, pair.to, bytes(1000), 0});
  }
  netsim::ChannelModel model;
  for (const DataRate rate : graph.rate_tables().front())
    model.rate_levels.push_back({rate, 1, watts(1)});
  model.sleep = netsim::ChannelModel::Sleep{Power{}, std::chrono::microseconds(1), {}};
  Recorded recorded(graph, routing);
  netsim::Script script(messages, graph.host_count());
  netsim::Observer nobody;
  netsim::Network network({graph, recorded, {model}, netsim::Hardware{}, Power{}, 1}, script,
                          nobody);
  for (const LinkId link : asleep) {
    for (const ChannelId channel :
         {topology::forward(link), topology::reverse(topology::forward(link))})
      (void)network.apply({policy::ChannelId{index(channel)}, policy::Sleep{}});
  }
  network.run_until_idle();
  if (recorded.paths.size() != pairs.size()) throw std::runtime_error("a packet did not set out");
  return recorded.paths;
}

std::uint32_t host_named(const Graph& graph, const std::string& name) {
  for (std::uint32_t host = 0; host < graph.host_count(); ++host) {
    if (graph.name(graph.host_node(host)) == name) return host;
  }
  throw std::runtime_error("no host " + name);
}

LinkId must_be_link(const Graph& graph, const std::string& name) {
  const auto link = topology::link_named(graph, name);
  if (!link) throw std::runtime_error("no link " + name);
  return *link;
}

std::vector<std::string> paths_without(const Graph& graph, const routing::Routing& all,
                                       std::span<const Pair> pairs, const std::string& down) {
  if (down == "-") return simulate(graph, all, pairs, {});
  const LinkId link = must_be_link(graph, down);
  const std::vector<std::string> asleep = simulate(graph, all, pairs, {&link, 1});
  const auto bypassing = routing::make_table_routing(graph, {&link, 1});
  if (!bypassing) throw std::runtime_error(to_string(bypassing.error()));
  if (simulate(graph, **bypassing, pairs, {}) != asleep)
    throw std::runtime_error(down + ": another path while it sleeps than when it has failed");
  return asleep;
}

void answer(const Graph& graph) {
  const auto routing = routing::make_table_routing(graph, {});
  if (!routing) throw std::runtime_error(to_string(routing.error()));
  struct Asked {
    std::vector<Pair> pairs;
    std::vector<std::size_t> places;
  };
  std::map<std::string, Asked> by_link;
  std::size_t count = 0;
  for (std::string from, to, down; std::cin >> from >> to >> down; ++count) {
    by_link[down].pairs.push_back({host_named(graph, from), host_named(graph, to)});
    by_link[down].places.push_back(count);
  }
  std::vector<std::string> answers(count);
  for (const auto& [down, asked] : by_link) {
    const auto paths = paths_without(graph, **routing, asked.pairs, down);
    for (std::size_t i = 0; i < paths.size(); ++i) answers[asked.places[i]] = paths[i];
  }
  for (const std::string& one : answers) fmt::print("{}\n", one);
}

void print_cables(const Graph& graph) {
  for (std::uint32_t link = 0; link < graph.link_count(); ++link) {
    const ChannelId ways[] = {topology::forward(LinkId{link}),
                              topology::reverse(topology::forward(LinkId{link}))};
    std::string text;
    for (const ChannelId way : ways) {
      const NodeId at = graph.source(way);
      text += fmt::format("{} {} ", graph.name(at),
                          graph.is_host(at) ? 1 : forwarding::port_of(graph, way));
    }
    fmt::print("{}{}\n", text, topology::link_name(graph, LinkId{link}));
  }
}

forwarding::Shape shape_of(std::span<const std::string> words) {
  forwarding::Shape shape{words.front(), {}};
  for (const std::string& word : words.subspan(1)) {
    const std::size_t sign = word.find('=');
    shape.parameters.emplace_back(word.substr(0, sign), word.substr(sign + 1));
  }
  return shape;
}

void run(std::span<const std::string> words) {
  if (words.empty()) throw std::runtime_error("a family and its parameters, or --networks");
  if (words.front() == "--networks") {
    for (const forwarding::Shape& shape : forwarding::small_shapes())
      fmt::print("{}\n", shape.text());
    return;
  }
  const bool cables = words.front() == "--cables";
  const Graph graph = forwarding::build(shape_of(words.subspan(cables ? 1 : 0)));
  cables ? print_cables(graph) : answer(graph);
}

}  // namespace
}  // namespace ebb

int main(int count, char** words) {
  try {
    ebb::run(std::vector<std::string>(words + 1, words + count));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
