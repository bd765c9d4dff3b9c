// SPDX-License-Identifier: Apache-2.0
//
// The fast-failover groups of a switch and its links: which port stands in for which, and which may
// not be paused because frames would have no way left.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace ebb::agent {

using PortNumber = std::uint32_t;  // of OpenFlow

// A group as the switch holds it. A controller that wants `port` to be left alone (to let it sleep,
// because it failed) has put its detour first.
struct Group {
  PortNumber port = 0;
  PortNumber detour = 0;
  bool detour_first = false;

  bool operator==(const Group&) const = default;
};

using Ports = std::set<PortNumber>;

class Ways {
 public:
  void set_groups(std::vector<Group> groups) { groups_ = std::move(groups); }
  void set_link(PortNumber port, bool up);

  // Ports that are in a group.
  [[nodiscard]] Ports ports() const;
  // Those that share a group with `port`, and itself.
  [[nodiscard]] Ports around(PortNumber port) const;
  [[nodiscard]] std::optional<PortNumber> detour_of(PortNumber port) const;
  [[nodiscard]] bool is_up(PortNumber port) const { return !down_.contains(port); }
  // It has a detour, and every group that counts on `port` has another port that is up, meant to be
  // used, and not paused.
  [[nodiscard]] bool may_pause(PortNumber port, const Ports& paused) const;

 private:
  std::vector<Group> groups_;
  Ports down_;
};

}  // namespace ebb::agent
