// SPDX-License-Identifier: Apache-2.0
//
// How many links are in which state, and which are not at rest: what the controller asks at every
// tick, without looking at every link.
#pragma once

#include "ebb/controller/link_machine.hpp"
#include "ebb/topology/graph.hpp"

#include <array>
#include <cstdint>
#include <set>

namespace ebb::controller {

class LinksByState {
 public:
  // All active.
  explicit LinksByState(std::uint32_t links);

  void moved(topology::LinkId link, LinkState from, LinkState to);

  [[nodiscard]] std::uint32_t count(LinkState state) const {
    return counts_[static_cast<std::size_t>(state)];
  }
  // On their way to sleep or back, or failed and perhaps to be told again.
  [[nodiscard]] const std::set<topology::LinkId>& moving() const { return moving_; }

  // Calls for each link that is moving, or not active, ascending. What it calls may move links:
  // those behind are not seen, those ahead are as they are by then.
  template <class Call>
  void for_each_moving(const Call& call) const {
    for_each(moving_, call);
  }
  template <class Call>
  void for_each_not_active(const Call& call) const {
    for_each(not_active_, call);
  }

 private:
  template <class Call>
  static void for_each(const std::set<topology::LinkId>& links, const Call& call) {
    for (auto at = links.begin(); at != links.end();) {
      const topology::LinkId link = *at;
      call(link);
      at = links.upper_bound(link);
    }
  }

  std::array<std::uint32_t, 5> counts_{};
  std::set<topology::LinkId> moving_;
  std::set<topology::LinkId> not_active_;
};

}  // namespace ebb::controller
