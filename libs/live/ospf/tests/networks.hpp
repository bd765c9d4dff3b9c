// SPDX-License-Identifier: Apache-2.0
//
// Small networks, and what becomes of a frame in them, found without the code that is tested: every
// order in which routers update is tried, and all shortest paths come from one table of distances.
#pragma once

#include "ebb/ospf/drain_cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ebb::ospf {

using Pairs = std::vector<std::pair<Router, Router>>;

inline LinkState make_network(std::size_t routers, const Pairs& links) {
  LinkState made;
  for (std::size_t i = 0; i < routers; ++i) made.routers.push_back(fmt::format("r{}", i));
  for (const auto& [a, b] : links) made.links.push_back({{a, 10, ""}, {b, 10, ""}});
  return made;
}

inline LinkState make_ring(std::size_t routers) {
  Pairs links;
  for (std::size_t i = 0; i < routers; ++i) links.emplace_back(i, (i + 1) % routers);
  return make_network(routers, links);
}

inline LinkState with_costs(LinkState network, std::size_t link, DrainCosts costs) {
  network.links[link].a.cost = costs.a;
  network.links[link].b.cost = costs.b;
  return network;
}

// Distances between all routers, by Floyd and Warshall.
inline std::vector<std::vector<std::uint64_t>> all_distances(const LinkState& network) {
  constexpr std::uint64_t kFar = std::numeric_limits<std::uint64_t>::max() / 4;
  const std::size_t size = network.routers.size();
  std::vector<std::vector<std::uint64_t>> far(size, std::vector<std::uint64_t>(size, kFar));
  for (std::size_t i = 0; i < size; ++i) far[i][i] = 0;
  for (const Link& link : network.links) {
    auto& there = far[link.a.router][link.b.router];
    there = std::min<std::uint64_t>(there, link.a.cost);
    auto& back = far[link.b.router][link.a.router];
    back = std::min<std::uint64_t>(back, link.b.cost);
  }
  for (std::size_t by = 0; by < size; ++by) {
    for (std::size_t from = 0; from < size; ++from) {
      for (std::size_t to = 0; to < size; ++to)
        far[from][to] = std::min(far[from][to], far[from][by] + far[by][to]);
    }
  }
  return far;
}

// By router, to a destination.
using Routes = std::vector<std::set<Router>>;

inline Routes routes_to(const LinkState& network, Router destination) {
  const auto far = all_distances(network);
  Routes routes(network.routers.size());
  const auto offer = [&](const Interface& from, Router to) {
    if (from.router != destination &&
        far[from.router][destination] == from.cost + far[to][destination])
      routes[from.router].insert(to);
  };
  for (const Link& link : network.links) {
    offer(link.a, link.b.router);
    offer(link.b, link.a.router);
  }
  return routes;
}

// Nobody has a route over the link, but its ends to each other.
inline bool is_drained(const LinkState& network, std::size_t link, DrainCosts costs) {
  const LinkState changed = with_costs(network, link, costs);
  const auto far = all_distances(changed);
  const auto passes = [&](const Interface& from, Router to) {
    for (Router source = 0; source < far.size(); ++source) {
      for (Router target = 0; target < far.size(); ++target) {
        if (source == from.router && target == to) continue;
        if (far[source][target] == far[source][from.router] + from.cost + far[to][target] &&
            source != target)
          return true;
      }
    }
    return false;
  };
  const Link& one = changed.links[link];
  return !passes(one.a, one.b.router) && !passes(one.b, one.a.router);
}

inline bool goes_round(const Routes& routes, Router at, std::vector<Router>& path) {
  if (std::find(path.begin(), path.end(), at) != path.end()) return true;
  path.push_back(at);
  for (const Router next : routes[at]) {
    if (goes_round(routes, next, path)) return true;
  }
  path.pop_back();
  return false;
}

// Each router has the routes of one of four moments, in all combinations: so it is at some time in
// some order of the updates. Empty: no frame goes round in any of them.
inline std::string some_loop(const LinkState& network, std::size_t link, DrainCosts costs) {
  const Link& old = network.links[link];
  const std::array moments{DrainCosts{old.a.cost, old.b.cost}, DrainCosts{costs.a, old.b.cost},
                           DrainCosts{old.a.cost, costs.b}, costs};
  for (Router destination = 0; destination < network.routers.size(); ++destination) {
    std::array<Routes, 4> known;
    for (std::size_t i = 0; i < known.size(); ++i)
      known[i] = routes_to(with_costs(network, link, moments[i]), destination);
    const std::size_t combinations = std::size_t{1} << (2 * network.routers.size());
    for (std::size_t which = 0; which < combinations; ++which) {
      Routes routes(network.routers.size());
      for (Router router = 0; router < routes.size(); ++router)
        routes[router] = known[(which >> (2 * router)) & 3U][router];
      for (Router from = 0; from < routes.size(); ++from) {
        std::vector<Router> path;
        if (goes_round(routes, from, path)) return fmt::format("to {} from {}", destination, from);
      }
    }
  }
  return "";
}

}  // namespace ebb::ospf
