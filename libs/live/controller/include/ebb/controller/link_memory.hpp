// SPDX-License-Identifier: Apache-2.0
//
// What the next controller of a fabric must know of a link, beside what switches say.
#pragma once

#include "ebb/controller/link_machine.hpp"

#include <string>
#include <vector>

namespace ebb::controller {

struct LinkMemory {
  LinkState state = LinkState::active;
  std::string why;                // it is so
  bool taken_out = false;         // by an operator
  std::vector<Duration> changed;  // how long ago it went to sleep or woke, in the last hour

  bool operator==(const LinkMemory&) const = default;
};

}  // namespace ebb::controller
