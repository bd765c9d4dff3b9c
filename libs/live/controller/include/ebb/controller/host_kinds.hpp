// SPDX-License-Identifier: Apache-2.0
//
// Hosts that no table tells apart, so that one may stand for all: those of one switch whose
// addresses agree in the bits that rules look at. Their frames take the same ways but for the last
// link, which is the host's own.
#pragma once

#include "ebb/controller/reach.hpp"

#include <cstdint>
#include <vector>

namespace ebb::controller {

struct HostKinds {
  // One of each kind, ascending.
  std::vector<std::uint32_t> sources;
  std::vector<std::uint32_t> destinations;
  // A frame that comes to the switch of its host is handed to it, whatever else sleeps. Otherwise
  // every host is a kind of its own.
  bool delivered_at_home = false;
};

[[nodiscard]] HostKinds host_kinds(const Reach& reach);

}  // namespace ebb::controller
