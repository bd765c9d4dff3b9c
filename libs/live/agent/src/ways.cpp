// SPDX-License-Identifier: Apache-2.0
#include "ebb/agent/ways.hpp"

#include <algorithm>

namespace ebb::agent {

void Ways::set_link(PortNumber port, bool up) {
  if (up) {
    down_.erase(port);
  } else {
    down_.insert(port);
  }
}

Ports Ways::ports() const {
  Ports all;
  for (const Group& group : groups_) all.insert({group.port, group.detour});
  return all;
}

Ports Ways::around(PortNumber port) const {
  Ports all{port};
  for (const Group& group : groups_) {
    if (group.port == port || group.detour == port) all.insert({group.port, group.detour});
  }
  return all;
}

std::optional<PortNumber> Ways::detour_of(PortNumber port) const {
  for (const Group& group : groups_) {
    if (group.port == port) return group.detour;
  }
  return std::nullopt;
}

bool Ways::may_pause(PortNumber port, const Ports& paused) const {
  if (!detour_of(port)) return false;
  return std::all_of(groups_.begin(), groups_.end(), [&](const Group& group) {
    if (group.port != port && group.detour != port) return true;
    // As a detour it carries all of a link that sleeps; on its own it carries nothing to divert.
    if (group.detour_first) return false;
    const PortNumber other = group.port == port ? group.detour : group.port;
    return is_up(other) && !paused.contains(other);
  });
}

}  // namespace ebb::agent
