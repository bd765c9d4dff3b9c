// SPDX-License-Identifier: Apache-2.0
#include "ebb/ospf/drain_cost.hpp"

#include "shortest_paths.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>

namespace ebb::ospf {
namespace {

using Distances = std::vector<std::uint64_t>;  // by router, to one
using NextHops = std::vector<std::vector<Router>>;

// The least cost at end `from` by which no route passes from there to `to`. A router with a route
// over the link has one that is shorter without it: from `from` itself to a third router, or from a
// third router to `to`.
std::uint64_t least_cost(const std::vector<Distances>& without, Router from, Router to) {
  std::uint64_t least = 1;
  const auto exceed = [&](std::uint64_t detour, std::uint64_t straight) {
    if (detour != kUnreachable && straight != kUnreachable && detour >= straight)
      least = std::max(least, detour - straight + 1);
  };
  for (Router other = 0; other < without.size(); ++other) {
    if (other == from || other == to) continue;
    exceed(without[other][from], without[other][to]);  // to the other router
    exceed(without[to][other], without[from][other]);  // from the other router
  }
  return least;
}

// A cycle in who may send to whom; empty: there is none.
class CycleSearch {
 public:
  explicit CycleSearch(const NextHops& next_hops)
      : next_hops_(next_hops), state_(next_hops.size(), State::fresh) {}

  std::vector<Router> run() {
    for (Router router = 0; router < state_.size(); ++router) {
      if (state_[router] == State::fresh && follow(router)) return cycle_;
    }
    return {};
  }

 private:
  enum class State : std::uint8_t { fresh, on_path, done };
  struct Step {
    Router router = 0;
    std::size_t next = 0;  // of its next hops, to be followed
  };

  bool follow(Router start) {
    std::vector<Step> path{{start}};
    state_[start] = State::on_path;
    while (!path.empty()) {
      Step& last = path.back();
      if (last.next == next_hops_[last.router].size()) {
        state_[last.router] = State::done;
        path.pop_back();
        continue;
      }
      const Router next = next_hops_[last.router][last.next++];
      if (state_[next] == State::on_path) return close(path, next);
      if (state_[next] == State::done) continue;
      state_[next] = State::on_path;
      path.push_back({next});
    }
    return false;
  }
  bool close(const std::vector<Step>& path, Router first) {
    const auto begin = std::find_if(path.begin(), path.end(),
                                    [&](const Step& step) { return step.router == first; });
    std::transform(begin, path.end(), std::back_inserter(cycle_),
                   [](const Step& step) { return step.router; });
    return true;
  }

  const NextHops& next_hops_;
  std::vector<State> state_;
  std::vector<Router> cycle_;
};

// A router has, at any time, the routes of before the change or those of after it. Where it knows
// of the cost of one end alone, it has for each destination one of the two: shortest paths to a
// destination take a link one way or not at all.
struct Change {
  PathGraph before;
  PathGraph after;
};

// Frames may go round exactly where the next hops of both together have a cycle.
std::vector<Router> micro_loop(const Change& change, std::span<const Attachment> destination) {
  NextHops next_hops(change.before.size());
  for (const PathGraph* graph : {&change.before, &change.after})
    graph->add_next_hops(graph->distances(destination), destination, next_hops);
  return CycleSearch(next_hops).run();
}

std::string loop_text(const LinkState& network, const std::vector<Router>& loop,
                      const std::string& destination) {
  std::vector<std::string> names;
  names.reserve(loop.size());
  for (const Router router : loop) names.push_back(network.routers[router]);
  return fmt::format("frames to {} may go round between {} while routers update", destination,
                     fmt::join(names, ", "));
}

std::optional<std::string> loops(const LinkState& network, std::size_t link, DrainCosts costs) {
  Change change{PathGraph(network), PathGraph(network)};
  change.after.set_costs(link, costs.a, costs.b);
  for (Router router = 0; router < network.routers.size(); ++router) {
    const std::array destination{Attachment{router, 0}};
    if (const auto loop = micro_loop(change, destination); !loop.empty())
      return loop_text(network, loop, network.routers[router]);
  }
  for (const SharedPrefix& prefix : network.prefixes) {
    if (const auto loop = micro_loop(change, prefix.at); !loop.empty())
      return loop_text(network, loop, prefix.name);
  }
  return std::nullopt;
}

std::vector<Distances> distances_without(const LinkState& network, std::size_t link) {
  PathGraph graph(network);
  graph.remove(link);
  std::vector<Distances> distances;
  distances.reserve(graph.size());
  for (Router router = 0; router < graph.size(); ++router) {
    const std::array destination{Attachment{router, 0}};
    distances.push_back(graph.distances(destination));
  }
  return distances;
}

}  // namespace

Result<DrainCosts> drain_costs(const LinkState& network, std::size_t link) {
  const Interface& a = network.links[link].a;
  const Interface& b = network.links[link].b;
  const auto without = distances_without(network, link);
  if (without[b.router][a.router] == kUnreachable) {
    return fail(fmt::format("without the link {} does not reach {}", network.routers[a.router],
                            network.routers[b.router]));
  }
  const auto raised = [](std::uint64_t least, Cost now) {
    return std::max<std::uint64_t>(least, now);
  };
  const std::uint64_t at_a = raised(least_cost(without, a.router, b.router), a.cost);
  const std::uint64_t at_b = raised(least_cost(without, b.router, a.router), b.cost);
  if (const auto most = std::max(at_a, at_b); most > kMostCost)
    return fail(fmt::format("a cost of {} would be needed, and {} is the most", most, kMostCost));
  const DrainCosts costs{static_cast<Cost>(at_a), static_cast<Cost>(at_b)};
  if (const auto loop = loops(network, link, costs)) return fail(*loop);
  return costs;
}

}  // namespace ebb::ospf
