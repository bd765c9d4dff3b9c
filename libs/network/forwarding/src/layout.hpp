// SPDX-License-Identifier: Apache-2.0
//
// How the number of an access switch falls into fields: the digits of a number of mixed radix, the
// lowest first. The families number their switches so that these digits are coordinates (grids),
// the switch of a group and the group (dragonfly), or leaf, pod and block (clos).
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/forwarding/address.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/units/parameters.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ebb::forwarding {

struct Digit {
  std::string name;
  std::uint64_t radix = 1;  // values it can take in this network
};

// Of `access_switches` switches with hosts.
[[nodiscard]] std::vector<Digit> layout(const topology::Graph& graph,
                                        std::uint64_t access_switches);

// The host field and one for each digit. Refuses more than kAddressBits, with the widths.
[[nodiscard]] Result<std::vector<Field>> fields_for(std::uint64_t most_hosts,
                                                    const std::vector<Digit>& digits);

// Refuses a graph that names a family with a layout of its own but has other links than that would
// make: its digits would mean nothing.
[[nodiscard]] Result<void> check_origin(const topology::Graph& graph);

// Of a graph that passed check_origin.
[[nodiscard]] Parameters parameters_of(const topology::Graph& graph);

[[nodiscard]] bool is_grid(const topology::Graph& graph);

}  // namespace ebb::forwarding
