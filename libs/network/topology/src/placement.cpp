// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

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

class Floor {
 public:
  Floor(const Graph& graph, const FloorPlan& plan)
      : graph_(graph),
        plan_(plan),
        boxes_per_rack_(std::max(1U, plan.switches_per_rack / graph.chips_per_box())) {}

  [[nodiscard]] Length cable(const Link& link) const {
    const Place a = place_of(link.a);
    const Place b = place_of(link.b);
    if (a == b) return plan_.in_rack;
    return std::abs(a.row - b.row) * plan_.row_pitch +
           std::abs(a.column - b.column) * plan_.rack_pitch + 2 * plan_.rack_overhead;
  }

  // Corner to corner: no cable is longer.
  [[nodiscard]] Length diagonal() const {
    const std::int64_t racks = rack_of(graph_.switch_count()) + 1;
    const std::int64_t columns = std::min(racks, std::int64_t{plan_.racks_per_row});
    return racks / columns * plan_.row_pitch + columns * plan_.rack_pitch + 2 * plan_.rack_overhead;
  }

 private:
  [[nodiscard]] std::int64_t rack_of(std::uint32_t switch_number) const {
    return switch_number / graph_.chips_per_box() / boxes_per_rack_;
  }

  [[nodiscard]] Place place_of(NodeId node) const {
    // A host that has a link sits with the switch of its first one.
    const NodeId anchor = graph_.is_host(node) ? graph_.target(graph_.outputs(node).front()) : node;
    const std::int64_t rack = graph_.is_host(anchor) ? 0 : rack_of(index(anchor));
    return {rack / plan_.racks_per_row, rack % plan_.racks_per_row};
  }

  const Graph& graph_;
  const FloorPlan& plan_;
  std::uint32_t boxes_per_rack_;
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

Result<void> place_cables(Graph& graph, const FloorPlan& plan) {
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
  return {};
}

bool beyond_hosts(const Graph& graph, const Link& link, std::uint32_t hosts) {
  const auto beyond = [&](NodeId node) {
    return graph.is_host(node) && graph.host_number(node) >= hosts;
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
