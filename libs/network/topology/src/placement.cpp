// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/placement.hpp"

#include "ebb/topology/family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>

namespace ebb::topology {
namespace {

// Longer than any building; keeps sums of lengths inside what a link can store.
constexpr Length kLongest = metres(1'000);
constexpr Length kLongestCable = metres(4'000'000);

struct Place {
  std::int64_t row = 0;
  std::int64_t column = 0;

  bool operator==(const Place&) const = default;
};

std::int64_t size_of(std::uint32_t units) { return units; }
std::int64_t size_of(Power power) { return power.count(); }

// How many switches fit a rack, and how many hosts beside them.
template <class T>
std::int64_t switches_in(const std::optional<RackBudget<T>>& budget, std::int64_t most) {
  if (!budget || size_of(budget->of_switch) == 0) return most;
  return std::min(most, size_of(budget->rack) / size_of(budget->of_switch));
}

template <class T>
std::int64_t hosts_in(const std::optional<RackBudget<T>>& budget, std::int64_t switches,
                      std::int64_t most) {
  if (!budget || size_of(budget->host) == 0) return most;
  const std::int64_t left = size_of(budget->rack) - switches * size_of(budget->of_switch);
  return std::min(most, left / size_of(budget->host));
}

std::int64_t hosts_beside(const FloorPlan& plan, std::int64_t switches) {
  std::int64_t most = plan.hosts_per_rack.value_or(std::numeric_limits<std::uint32_t>::max());
  most = hosts_in(plan.units, switches, most);
  return hosts_in(plan.power, switches, most);
}

std::uint32_t boxes_per_rack(const Graph& graph, const FloorPlan& plan) {
  const std::int64_t wished = std::max(1U, plan.switches_per_rack / graph.chips_per_box());
  const std::int64_t fit = switches_in(plan.power, switches_in(plan.units, wished));
  return static_cast<std::uint32_t>(std::max<std::int64_t>(1, fit));
}

// The racks of hosts around each rack of switches, where racks are limited.
class HostRacks {
 public:
  HostRacks(const Graph& graph, const FloorPlan& plan, std::uint32_t boxes_per_rack)
      : chips_per_rack_(std::int64_t{boxes_per_rack} * graph.chips_per_box()) {
    const std::int64_t groups = (graph.switch_count() + chips_per_rack_ - 1) / chips_per_rack_;
    std::vector<std::int64_t> hosts(static_cast<std::size_t>(groups));
    beside_ = hosts_beside(plan, boxes_per_rack);
    alone_ = hosts_beside(plan, 0);
    rank_.resize(graph.host_count());
    for (std::uint32_t h = 0; h < graph.host_count(); ++h)
      rank_[h] = hosts[group_of(switch_of(graph, h))]++;
    switch_rack_.reserve(hosts.size());
    for (const std::int64_t count : hosts) add_group(count);
  }

  [[nodiscard]] std::int64_t rack_of_switch(std::uint32_t number) const {
    return switch_rack_[group_of(number)];
  }
  // To the right of the switches, to their left, and so on outwards.
  [[nodiscard]] std::int64_t rack_of_host(std::uint32_t host, std::uint32_t its_switch) const {
    const std::int64_t home = rack_of_switch(its_switch);
    if (rank_[host] < beside_) return home;
    const std::int64_t further = (rank_[host] - beside_) / alone_;
    return further % 2 == 0 ? home + further / 2 + 1 : home - further / 2 - 1;
  }
  [[nodiscard]] Racks count() const { return {racks_, apart_}; }

  // The switch of a host's first link; hosts of one another have none.
  static std::uint32_t switch_of(const Graph& graph, std::uint32_t host) {
    const NodeId anchor = graph.target(graph.outputs(graph.host_node(host)).front());
    return graph.is_host(anchor) ? 0 : index(anchor);
  }

 private:
  [[nodiscard]] std::size_t group_of(std::uint32_t number) const {
    return static_cast<std::size_t>(number / chips_per_rack_);
  }
  void add_group(std::int64_t hosts) {
    const std::int64_t apart = std::max<std::int64_t>(0, hosts - beside_);
    const std::int64_t around = (apart + alone_ - 1) / alone_;
    switch_rack_.push_back(racks_ + around / 2);
    racks_ += around + 1;
    apart_ += apart;
  }

  std::int64_t chips_per_rack_;
  std::int64_t beside_ = 0;                // hosts in a rack of switches
  std::int64_t alone_ = 0;                 // hosts in a rack of hosts
  std::vector<std::int64_t> rank_;         // of each host among those of its group
  std::vector<std::int64_t> switch_rack_;  // of each group of switches that share one
  std::int64_t racks_ = 0;
  std::int64_t apart_ = 0;
};

class Floor {
 public:
  Floor(const Graph& graph, const FloorPlan& plan)
      : graph_(graph), plan_(plan), boxes_per_rack_(boxes_per_rack(graph, plan)) {
    if (limited(plan)) host_racks_.emplace(graph, plan, boxes_per_rack_);
  }

  [[nodiscard]] Length cable(const Link& link) const {
    const Place a = place_of(link.a);
    const Place b = place_of(link.b);
    if (a == b) return plan_.in_rack;
    return std::abs(a.row - b.row) * plan_.row_pitch +
           std::abs(a.column - b.column) * plan_.rack_pitch + 2 * plan_.rack_overhead;
  }

  // Corner to corner: no cable is longer.
  [[nodiscard]] Length diagonal() const {
    const std::int64_t racks = count().racks + 1;
    const std::int64_t columns = std::min(racks, std::int64_t{plan_.racks_per_row});
    return racks / columns * plan_.row_pitch + columns * plan_.rack_pitch + 2 * plan_.rack_overhead;
  }

  [[nodiscard]] Racks count() const {
    if (host_racks_) return host_racks_->count();
    return {graph_.switch_count() == 0 ? 0 : rack_of(graph_.switch_count() - 1) + 1, 0};
  }

 private:
  [[nodiscard]] std::int64_t rack_of(std::uint32_t switch_number) const {
    if (host_racks_) return host_racks_->rack_of_switch(switch_number);
    return switch_number / graph_.chips_per_box() / boxes_per_rack_;
  }

  // A host that has a link sits with the switch of its first one, or near it.
  [[nodiscard]] std::int64_t rack_of_host(std::uint32_t host) const {
    const std::uint32_t its_switch = HostRacks::switch_of(graph_, host);
    return host_racks_ ? host_racks_->rack_of_host(host, its_switch) : rack_of(its_switch);
  }

  [[nodiscard]] Place place_of(NodeId node) const {
    const std::int64_t rack =
        graph_.is_host(node) ? rack_of_host(graph_.host_number(node)) : rack_of(index(node));
    return {rack / plan_.racks_per_row, rack % plan_.racks_per_row};
  }

  const Graph& graph_;
  const FloorPlan& plan_;
  std::uint32_t boxes_per_rack_;
  std::optional<HostRacks> host_racks_;
};

void check_length(Length length, const char* name, Errors& errors) {
  if (length >= Length() && length <= kLongest) return;
  errors.push_back({fmt::format("'{}' must be between 0 and 1000 m", name), {.path = name}});
}

Errors validate(const FloorPlan& plan) {
  Errors errors;
  if (plan.switches_per_rack == 0)
    errors.push_back({"a rack must hold a switch", {.path = "switches_per_rack"}});
  if (plan.racks_per_row == 0)
    errors.push_back({"a row must hold a rack", {.path = "racks_per_row"}});
  if (switches_in(plan.units, 1) < 1)
    errors.push_back({"a rack is too low for a switch", {.path = "rack_units"}});
  if (switches_in(plan.power, 1) < 1)
    errors.push_back({"a rack has too little power for a switch", {.path = "rack_power"}});
  if (plan.hosts_per_rack == 0U)
    errors.push_back({"a rack must hold a host", {.path = "hosts_per_rack"}});
  if (hosts_in(plan.units, 0, 1) < 1)
    errors.push_back({"a rack is too low for a host", {.path = "rack_units"}});
  if (hosts_in(plan.power, 0, 1) < 1)
    errors.push_back({"a rack has too little power for a host", {.path = "rack_power"}});
  check_length(plan.rack_pitch, "rack_pitch", errors);
  check_length(plan.row_pitch, "row_pitch", errors);
  check_length(plan.in_rack, "in_rack", errors);
  check_length(plan.rack_overhead, "rack_overhead", errors);
  check_length(plan.electrical_limit, "electrical_limit", errors);
  return errors;
}

Length bucket(Length length) {
  for (const std::int64_t small : {1, 2, 3, 5}) {
    if (length <= metres(small)) return metres(small);
  }
  for (std::int64_t decade = 10;; decade *= 10) {
    for (const std::int64_t step : {1, 2, 5}) {
      if (length <= metres(step * decade)) return metres(step * decade);
    }
  }
}

}  // namespace

bool limited(const FloorPlan& plan) { return plan.hosts_per_rack || plan.units || plan.power; }

namespace {

// Switches of all planes with the same number stand together, and their cables run together.
Result<Racks> place_planes(Graph& graph, const FloorPlan& plan) {
  Graph one = one_plane(graph);
  auto racks = place_cables(one, plan);
  if (!racks) return racks;
  for (std::uint32_t l = 0; l < graph.link_count(); ++l) {
    const Link& placed = one.link(LinkId{l % one.link_count()});
    graph.lay_cable(LinkId{l}, placed.length(), placed.medium);
  }
  return racks;
}

}  // namespace

Result<Racks> place_cables(Graph& graph, const FloorPlan& plan) {
  if (graph.planes() > 1) return place_planes(graph, plan);
  if (Errors errors = validate(plan); !errors.empty()) return fail(std::move(errors));
  const Floor floor(graph, plan);
  if (floor.diagonal() > kLongestCable)
    return fail("the floor plan needs cables of more than 4000 km");
  for (std::uint32_t l = 0; l < graph.link_count(); ++l) {
    const Link& link = graph.link(LinkId{l});
    if (link.medium == Medium::backplane) continue;
    const Length length = floor.cable(link);
    graph.lay_cable(LinkId{l}, length,
                    length <= plan.electrical_limit ? Medium::electrical : Medium::optical);
  }
  return floor.count();
}

bool beyond_hosts(const Graph& graph, const Link& link, std::uint32_t hosts) {
  const auto beyond = [&](NodeId node) {
    return graph.is_host(node) && graph.host_number(node) % graph.hosts_of_plane() >= hosts;
  };
  return beyond(link.a) || beyond(link.b);
}

std::vector<CableGroup> count_cables(const Graph& graph, std::uint32_t hosts) {
  std::vector<CableGroup> groups;
  for (const Link& link : graph.links()) {
    if (link.medium == Medium::backplane || beyond_hosts(graph, link, hosts)) continue;
    const Length up_to = bucket(link.length());
    auto group = std::find_if(groups.begin(), groups.end(), [&](const CableGroup& known) {
      return known.medium == link.medium && known.up_to == up_to;
    });
    if (group == groups.end()) group = groups.insert(group, {link.medium, up_to, 0, {}});
    ++group->cables;
    group->total += link.length();
  }
  std::sort(groups.begin(), groups.end(), [](const CableGroup& a, const CableGroup& b) {
    return std::pair(a.medium, a.up_to) < std::pair(b.medium, b.up_to);
  });
  return groups;
}

}  // namespace ebb::topology
