// SPDX-License-Identifier: Apache-2.0
//
// Planes that are on share the load evenly, so that for a number of planes that are on each plane
// is a problem of its own, and the cheapest ones are taken. All numbers are tried whose bound does
// not already rule them out.
#include "ebb/consolidation/consolidation.hpp"

#include "plane_cover.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace ebb::consolidation {
namespace {

std::int64_t rounded_up(Int128 a, Int128 b) { return static_cast<std::int64_t>((a + b - 1) / b); }

std::vector<Need> needs_of(const std::vector<DataRate>& loads, const Ratio& margin,
                           std::size_t planes_on) {
  std::vector<Need> needs;
  needs.reserve(loads.size());
  for (const DataRate load : loads) needs.push_back(need_of(load, margin, planes_on));
  return needs;
}

// A plane of one group cannot do without it; the other planes then carry what there is, as they do
// for a leaf that fails.
std::vector<Need> needs_in(const Plane& plane, std::vector<Need> needs, std::size_t planes_on) {
  if (plane.groups.size() == 1 && planes_on > 1) {
    for (Need& need : needs) need.without_a_group = {};
  }
  return needs;
}

bool carries_hosts(const Plane& plane, const std::vector<Need>& needs) {
  for (std::size_t leaf = 0; leaf < needs.size(); ++leaf) {
    if (plane.hosts[leaf] < needs[leaf].whole) return false;
  }
  return true;
}

std::size_t fewest_planes(const Network& network) { return network.planes.size() > 1 ? 2 : 1; }

Power power_of(const Plane& plane, const PlaneSelection& selection) {
  Power power = plane.leaves;
  for (std::size_t group = 0; group < plane.groups.size(); ++group) {
    if (!selection.groups[group]) continue;
    power += plane.groups[group].switches;
    for (const std::uint32_t links : selection.links[group])
      power += plane.groups[group].link * links;
  }
  return power;
}

PlaneSelection all_of(const Plane& plane) {
  PlaneSelection all{true, std::vector<bool>(plane.groups.size(), true), {}};
  for (const Group& group : plane.groups) {
    std::vector<std::uint32_t>& links = all.links.emplace_back();
    for (const Bundle& bundle : group.to_leaf) links.push_back(bundle.links);
  }
  return all;
}

PlaneSelection nothing_of(const Plane& plane) {
  return {false,
          std::vector<bool>(plane.groups.size()),
          {plane.groups.size(), std::vector<std::uint32_t>(plane.hosts.size())}};
}

// A number of planes that are on: what each plane would need, and what it takes at least.
struct Number {
  std::size_t planes_on = 0;
  std::vector<Need> needs;
  std::vector<std::pair<Power, std::size_t>> bounds;  // of planes that could be on, ascending
  Power bound;                                        // of them all
};

std::optional<Number> number_of(const Network& network, const Demand& demand,
                                std::size_t planes_on) {
  Number number{planes_on, needs_of(demand.network, demand.margin, planes_on), {}, {}};
  const std::vector<Need> hosts = needs_of(demand.hosts, demand.margin, planes_on);
  for (std::size_t i = 0; i < network.planes.size(); ++i) {
    const Plane& plane = network.planes[i];
    if (!carries_hosts(plane, hosts)) continue;
    if (!number.bounds.empty() && plane == network.planes[number.bounds.back().second]) {
      number.bounds.emplace_back(number.bounds.back().first, i);
      continue;
    }
    const std::vector<Need> needs = needs_in(plane, number.needs, planes_on);
    const PlaneCover cover(plane, needs);
    if (cover.is_possible()) number.bounds.emplace_back(plane.leaves + cover.bound(), i);
  }
  if (number.bounds.size() < planes_on) return std::nullopt;
  std::sort(number.bounds.begin(), number.bounds.end());
  for (std::size_t i = 0; i < planes_on; ++i) number.bound += number.bounds[i].first;
  return number;
}

struct PlaneChoice {
  Power power;
  std::size_t plane = 0;
  PlaneSelection selection;
};

// The cheapest planes, each with the groups and links that it then needs.
Selection best_of(const Network& network, const Number& number) {
  std::vector<PlaneChoice> choices;
  for (const auto& [bound, i] : number.bounds) {
    const Plane& plane = network.planes[i];
    if (!choices.empty() && plane == network.planes[choices.back().plane]) {
      choices.push_back(choices.back());
      choices.back().plane = i;
      continue;
    }
    const std::vector<Need> needs = needs_in(plane, number.needs, number.planes_on);
    PlaneSelection found = PlaneCover(plane, needs).search();
    const Power power = power_of(plane, found);
    choices.push_back({power, i, std::move(found)});
  }
  std::stable_sort(choices.begin(), choices.end(),
                   [](const PlaneChoice& a, const PlaneChoice& b) { return a.power < b.power; });
  Selection selection;
  for (const Plane& plane : network.planes) selection.planes.push_back(nothing_of(plane));
  for (std::size_t i = 0; i < number.planes_on; ++i) {
    selection.planes[choices[i].plane] = std::move(choices[i].selection);
    selection.power += choices[i].power;
  }
  return selection;
}

Selection everything(const Network& network) {
  Selection all;
  for (const Plane& plane : network.planes) all.planes.push_back(all_of(plane));
  all.power = power_of(network, all);
  all.bound = all.power;
  all.enough = false;
  return all;
}

}  // namespace

Need need_of(DataRate load, const Ratio& margin, std::size_t planes_on) {
  const auto planes = static_cast<std::int64_t>(planes_on);
  const std::int64_t share = rounded_up(load.count(), planes);
  std::int64_t whole = rounded_up(static_cast<Int128>(load.count()) * (margin.num() + margin.den()),
                                  static_cast<Int128>(planes) * margin.den());
  if (planes > 1) whole = std::max(whole, rounded_up(load.count(), planes - 1));
  return {bits_per_second(std::max(whole, std::int64_t{1})),
          bits_per_second(std::max(share, std::int64_t{1}))};
}

Selection select(const Network& network, const Demand& demand) {
  std::vector<Number> numbers;
  for (std::size_t on = fewest_planes(network); on <= network.planes.size(); ++on) {
    if (auto number = number_of(network, demand, on)) numbers.push_back(std::move(*number));
  }
  std::stable_sort(numbers.begin(), numbers.end(),
                   [](const Number& a, const Number& b) { return a.bound < b.bound; });
  if (numbers.empty()) return everything(network);
  std::optional<Selection> best;
  for (const Number& number : numbers) {
    if (best && number.bound >= best->power) break;
    Selection selection = best_of(network, number);
    if (!best || selection.power < best->power) best = std::move(selection);
  }
  best->bound = numbers.front().bound;
  return std::move(*best);
}

Power power_of(const Network& network, const Selection& selection) {
  Power power;
  for (std::size_t i = 0; i < network.planes.size(); ++i) {
    if (selection.planes[i].on) power += power_of(network.planes[i], selection.planes[i]);
  }
  return power;
}

namespace {

bool plane_suffices(const Plane& plane, const PlaneSelection& selection,
                    const std::vector<Need>& needs) {
  for (std::size_t leaf = 0; leaf < needs.size(); ++leaf) {
    std::int64_t total = plane.to_leaves[leaf].count();
    std::int64_t most = 0;
    for (std::size_t group = 0; group < plane.groups.size(); ++group) {
      const std::uint32_t links = selection.links[group][leaf];
      if (selection.groups[group] != (links > 0)) return false;
      const std::int64_t gives = plane.groups[group].to_leaf[leaf].rate.count() * links;
      total += gives;
      most = std::max(most, gives);
    }
    if (total < needs[leaf].whole.count()) return false;
    if (total - most < needs[leaf].without_a_group.count()) return false;
  }
  return true;
}

}  // namespace

bool suffices(const Network& network, const Demand& demand, const Selection& selection) {
  const auto on =
      static_cast<std::size_t>(std::count_if(selection.planes.begin(), selection.planes.end(),
                                             [](const PlaneSelection& plane) { return plane.on; }));
  if (on < fewest_planes(network)) return false;
  const std::vector<Need> hosts = needs_of(demand.hosts, demand.margin, on);
  const std::vector<Need> needs = needs_of(demand.network, demand.margin, on);
  for (std::size_t i = 0; i < network.planes.size(); ++i) {
    const Plane& plane = network.planes[i];
    if (!selection.planes[i].on) continue;
    if (!carries_hosts(plane, hosts)) return false;
    if (!plane_suffices(plane, selection.planes[i], needs_in(plane, needs, on))) return false;
  }
  return true;
}

}  // namespace ebb::consolidation
