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

// Virtual channels of a way between groups: on the local link in the group where it begins, on the
// global link, and on the local link in the group where it ends.
struct WayClasses {
  std::uint8_t first_local = 0;
  std::uint8_t global = 0;
  std::uint8_t last_local = 0;
};

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
  // One step on such a way.
  void step(std::uint32_t from, std::uint32_t to, WayClasses classes, Candidates& out) const;
  // `vc` up to and on the global link, `vc`+1 in the group of `to`.
  void step(std::uint32_t from, std::uint32_t to, std::uint8_t vc, Candidates& out) const {
    step(from, to, WayClasses{vc, vc, static_cast<std::uint8_t>(vc + 1)}, out);
  }

  // Links of the shortest way to any switch of another group, and one step on it.
  [[nodiscard]] int distance_to_group(std::uint32_t from, std::uint32_t group) const;
  void step_to_group(std::uint32_t from, std::uint32_t group, std::uint8_t vc,
                     Candidates& out) const;

  [[nodiscard]] std::uint32_t switches_of_group() const { return a_; }
  [[nodiscard]] std::uint32_t hosts_of_switch() const { return p_; }
  // Global links of a switch, at most.
  [[nodiscard]] std::uint32_t most_globals() const { return h_; }
  // Of a switch, in port order.
  [[nodiscard]] std::span<const ChannelId> globals(NodeId at) const {
    return graph_.outputs(at).subspan(p_ + a_ - 1);
  }
  // The first global link on the shortest ways to a switch of another group: whose it is in the
  // group of `from`, and its place among the global links of that.
  struct Gateway {
    std::uint32_t near = 0;
    std::uint32_t slot = 0;
  };
  [[nodiscard]] Gateway gateway(std::uint32_t from, std::uint32_t to) const;

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
  void push(std::uint32_t from, const Global& link, WayClasses classes, Candidates& out) const;
  // The links between two groups with the least `cost`, first steps once each.
  template <class Cost>
  void push_cheapest(std::uint32_t from, std::uint32_t group, WayClasses classes, Cost cost,
                     Candidates& out) const;
  // Local links of a way over `link`.
  [[nodiscard]] int locals(const Global& link, std::uint32_t from, std::uint32_t to) const {
    return (link.near != from % a_ ? 1 : 0) + (link.far != to % a_ ? 1 : 0);
  }

  const Graph& graph_;
  std::uint32_t p_ = 1;
  std::uint32_t a_ = 1;
  std::uint32_t g_ = 1;
  std::uint32_t h_ = 0;
  std::vector<Global> links_;         // by distance, then by near
  std::vector<std::uint32_t> first_;  // distance -> index into links_, and one past the end
};

}  // namespace ebb::routing
