// SPDX-License-Identifier: Apache-2.0
//
// What a link-state routing protocol knows of a network: routers, and point-to-point links with a
// cost at each end. Every router computes its shortest paths from it.
#pragma once

#include "ebb/core/result.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::ospf {

using Router = std::size_t;  // its position in LinkState::routers
using Cost = std::uint32_t;
inline constexpr Cost kMostCost = 65535;  // of an interface, RFC 2328

// One end of a link: the interface of a router, and what it costs to send there.
struct Interface {
  Router router = 0;
  Cost cost = 1;
  std::string address;  // empty: it has none
};

struct Link {
  Interface a;
  Interface b;
};

// Somewhere that frames go to which several routers lead: the nearest takes them.
struct Attachment {
  Router router = 0;
  Cost cost = 0;
};
struct SharedPrefix {
  std::string name;
  std::vector<Attachment> at;
};

struct LinkState {
  std::vector<std::string> routers;  // their ids
  std::vector<Link> links;
  std::vector<SharedPrefix> prefixes;  // those that one router alone leads to go where it is
};

// Of what FRR prints for `show ip ospf database router json`: one area of point-to-point links. Any
// router of the area may be asked. The two ends of a link are found by the subnet that they share.
// All mistakes at once; refused are
//   - several areas, transit networks and virtual links;
//   - a link of which one end alone is there, as while an adjacency forms.
[[nodiscard]] Result<LinkState> read_frr_database(std::string_view json);

}  // namespace ebb::ospf
