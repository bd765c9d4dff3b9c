// SPDX-License-Identifier: Apache-2.0
//
// Steps on a Dragonfly+, computed from switch numbers: up to a spine, over a global link, down to a
// leaf (topology's dragonfly_plus.cpp has the numbering).
//
// Turning the circle of groups maps the network onto itself, so one table of which spines lead how
// far serves all groups: an entry for each global link of a group at most.
#pragma once

#include "ebb/routing/routing.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ebb::routing {

class DragonflyPlus {
 public:
  // Of a graph that passed check_origin, made by dragonfly-plus.
  explicit DragonflyPlus(const Graph& graph);

  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] std::uint32_t groups() const { return g_; }
  [[nodiscard]] std::uint32_t group_of(std::uint32_t s) const { return s / size(); }
  [[nodiscard]] std::uint32_t switch_of(NodeId host) const {
    const std::uint32_t leaf = graph_.host_number(host) / p_;
    return leaf / leaves_ * size() + leaf % leaves_;
  }
  [[nodiscard]] std::size_t memory_bytes() const;
  // Legal outputs of a packet at most.
  [[nodiscard]] std::uint64_t width() const;

  // Links of the shortest path to a leaf that takes no global link inside a group and one between
  // two groups. A spine without a global link to the group of the leaf goes by way of a leaf of its
  // own group.
  [[nodiscard]] int distance(std::uint32_t from, std::uint32_t to) const;
  // One step on such a path, on `vc`. A spine without a global link to the group of `to`, which
  // only packets meet that come from a third group on `vc`-1, goes down on that.
  void step(std::uint32_t from, std::uint32_t to, std::uint8_t vc, Candidates& out) const;

  // Links to any switch of another group, from a leaf or from a spine with a global link to that
  // group, and one step on such a path.
  [[nodiscard]] int distance_to_group(std::uint32_t from, std::uint32_t /*group*/) const {
    return is_leaf(from) ? 2 : 1;
  }
  void step_to_group(std::uint32_t from, std::uint32_t group, std::uint8_t vc,
                     Candidates& out) const;

 private:
  [[nodiscard]] std::uint32_t size() const { return leaves_ + spines_; }
  [[nodiscard]] bool is_leaf(std::uint32_t s) const { return s % size() < leaves_; }
  // Of a spine, in port order.
  [[nodiscard]] std::span<const ChannelId> globals(std::uint32_t spine) const {
    return graph_.outputs(NodeId{spine}).subspan(leaves_);
  }
  // Spines of a group with a global link to another, counted in their group, ascending.
  [[nodiscard]] std::span<const std::uint32_t> spines_between(std::uint32_t from_group,
                                                              std::uint32_t to_group) const {
    const std::uint32_t d = (from_group + g_ - to_group) % g_;
    return std::span(spines_at_).subspan(first_[d], first_[d + 1] - first_[d]);
  }
  [[nodiscard]] bool leads_to(std::uint32_t spine, std::uint32_t group) const;
  // Every link of the switch to the other level of its group.
  void push_all(std::uint32_t from, std::uint8_t vc, Candidates& out) const;

  const Graph& graph_;
  std::uint32_t p_ = 1;
  std::uint32_t leaves_ = 1;
  std::uint32_t spines_ = 1;
  std::uint32_t g_ = 1;
  std::vector<std::uint32_t> spines_at_;  // by distance back on the circle of groups
  std::vector<std::uint32_t> first_;      // distance -> index into spines_at_, and one past the end
};

}  // namespace ebb::routing
