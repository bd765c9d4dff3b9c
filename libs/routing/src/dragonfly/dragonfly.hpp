// SPDX-License-Identifier: Apache-2.0
//
// Steps on a dragonfly, computed from switch numbers. Switch a*i+s is switch s of group i; ports
// are its hosts, the rest of its group ascending, its global links (topology's dragonfly.hpp).
//
// Turning the circle of groups maps the network onto itself, so one table of the global links of a
// group serves all groups: a*h entries.
#pragma once

#include "ebb/routing/routing.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ebb::routing {

class Dragonfly {
 public:
  // Of a graph that passed check_origin, made by dragonfly.
  explicit Dragonfly(const Graph& graph);

  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] std::uint32_t groups() const { return g_; }
  [[nodiscard]] std::uint32_t group_of(std::uint32_t s) const { return s / a_; }
  [[nodiscard]] std::uint32_t switch_of(NodeId host) const { return graph_.host_number(host) / p_; }
  [[nodiscard]] std::size_t memory_bytes() const;
  // Legal outputs of a packet at most.
  [[nodiscard]] std::uint64_t width() const;

  // Links of the shortest way that takes no global link inside a group and one between two groups.
  [[nodiscard]] int distance(std::uint32_t from, std::uint32_t to) const;
  // One step on such a way: `vc` up to and on the global link, `vc`+1 in the group of `to`.
  void step(std::uint32_t from, std::uint32_t to, std::uint8_t vc, Candidates& out) const;

  // Links of the shortest way to any switch of another group, and one step on it.
  [[nodiscard]] int distance_to_group(std::uint32_t from, std::uint32_t group) const;
  void step_to_group(std::uint32_t from, std::uint32_t group, std::uint8_t vc,
                     Candidates& out) const;

 private:
  // A global link that leads `distance` groups back on the circle: from switch `near` of its group
  // to switch `far` of the other.
  struct Global {
    std::uint32_t distance = 0;
    std::uint32_t near = 0;
    std::uint32_t far = 0;
    std::uint32_t early_slot = 0;  // among the global links of `near`; see slot()
    std::uint32_t late_slot = 0;
  };

  [[nodiscard]] std::vector<Global> links_of_group(std::uint32_t group) const;
  [[nodiscard]] std::span<const Global> links_between(std::uint32_t from_group,
                                                      std::uint32_t to_group) const;
  [[nodiscard]] std::uint32_t slot(const Global& link, std::uint32_t group) const;
  [[nodiscard]] ChannelId local(std::uint32_t from, std::uint32_t to) const;
  // The first step to and over a global link.
  void push(std::uint32_t from, const Global& link, std::uint8_t vc, Candidates& out) const;
  // The links between two groups with the least `cost`, first steps once each.
  template <class Cost>
  void push_cheapest(std::uint32_t from, std::uint32_t group, std::uint8_t vc, Cost cost,
                     Candidates& out) const;

  const Graph& graph_;
  std::uint32_t p_ = 1;
  std::uint32_t a_ = 1;
  std::uint32_t g_ = 1;
  std::vector<Global> links_;         // by distance, then by near
  std::vector<std::uint32_t> first_;  // distance -> index into links_, and one past the end
};

}  // namespace ebb::routing
