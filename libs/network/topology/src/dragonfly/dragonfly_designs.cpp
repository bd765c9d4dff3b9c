// SPDX-License-Identifier: Apache-2.0
#include "dragonfly/dragonfly_designs.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace ebb::topology::dragonfly {
namespace {

ParameterTexts shape(std::int64_t p, std::int64_t a, std::int64_t h, std::int64_t g) {
  return {{"p", std::to_string(p)},
          {"a", std::to_string(a)},
          {"h", std::to_string(h)},
          {"g", std::to_string(g)}};
}

std::int64_t groups_for(const Demand& demand, std::int64_t p, std::int64_t a) {
  return std::max<std::int64_t>(2, (demand.hosts + a * p - 1) / (a * p));
}

bool meets(const Demand& demand, const ParameterTexts& candidate) {
  const auto known = topology::figures("dragonfly", candidate);
  return known && known->switch_ports <= demand.ports &&
         known->oversubscription <= demand.oversubscription.to_double();
}

// The fewest global ports per switch that join all groups and carry the traffic.
std::optional<ParameterTexts> with_fewest_links(const Demand& demand, std::int64_t p,
                                                std::int64_t a) {
  const std::int64_t g = groups_for(demand, p, a);
  for (std::int64_t h = (g - 1 + a - 1) / a; p + a - 1 + h <= demand.ports; ++h) {
    auto candidate = shape(p, a, h, g);
    if (meets(demand, candidate)) return candidate;
  }
  return std::nullopt;
}

std::optional<ParameterTexts> fewest_switches(const Demand& demand) {
  std::optional<ParameterTexts> best;
  std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
  for (std::int64_t p = demand.ports; p >= 1; --p) {
    for (std::int64_t a = 1; p + a <= demand.ports; ++a) {
      const std::int64_t switches = a * groups_for(demand, p, a);
      if (switches >= fewest) continue;
      auto candidate = with_fewest_links(demand, p, a);
      if (!candidate) continue;
      fewest = switches;
      best = std::move(candidate);
    }
  }
  return best;
}

// p : a : h = 1 : 2 : 1 keeps local and global channels equally loaded ("Technology-Driven,
// Highly-Scalable Dragonfly Topology", section 3); p grows with the oversubscription allowed.
std::optional<ParameterTexts> balanced(const Demand& demand) {
  const Ratio& o = demand.oversubscription;
  for (std::int64_t h = demand.ports / 2; h >= 1; --h) {
    const std::int64_t a = 2 * h;
    const std::int64_t p = std::max<std::int64_t>(1, h * o.num() / o.den());
    if (p + a - 1 + h > demand.ports) continue;
    const std::int64_t g = groups_for(demand, p, a);
    if (g > a * h + 1) return std::nullopt;  // smaller h only gets smaller networks
    auto candidate = shape(p, a, h, g);
    if (meets(demand, candidate)) return candidate;
  }
  return std::nullopt;
}

}  // namespace

std::vector<ParameterTexts> designs(const Demand& demand) {
  std::vector<ParameterTexts> found;
  for (auto& candidate : {balanced(demand), fewest_switches(demand)}) {
    if (candidate && std::find(found.begin(), found.end(), *candidate) == found.end())
      found.push_back(*candidate);
  }
  return found;
}

}  // namespace ebb::topology::dragonfly
