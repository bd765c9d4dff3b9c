// SPDX-License-Identifier: Apache-2.0
//
// What an OpenFlow 1.3 switch of VLAN trees holds (rules/vlan_trees.hpp). Table 0 gives each frame
// of a host its VLAN, which stands for the PVID of the port; table 1 forwards by VLAN and
// destination, and takes the tag off before a host. Of the open links of a bundle a frame takes one
// by its destination.
#pragma once

#include "ebb/drivers/openflow_program.hpp"
#include "ebb/forwarding/vlan_trees.hpp"

#include <vector>

namespace ebb::drivers {

// `open` by link; every bundle has one that is.
[[nodiscard]] Program vlan_program(const topology::Graph& graph,
                                   const forwarding::AddressPlan& plan,
                                   const forwarding::VlanNetwork& network, std::uint32_t at,
                                   const std::vector<bool>& open);

}  // namespace ebb::drivers
