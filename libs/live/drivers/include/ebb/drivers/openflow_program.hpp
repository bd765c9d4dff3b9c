// SPDX-License-Identifier: Apache-2.0
//
// What an OpenFlow 1.3 switch of a fabric holds: its table of ebb rules, a fast-failover group for
// each output that has a detour, and four kinds of rules beside them.
//
//   priority    frames                       what becomes of them
//   1000+n      of the table, priority n     to the port, or to the group of the port
//   900         ARP requests for 10/8        answered: the IP address says the MAC address
//   800         probes (cabling_check.hpp)   to the controller
//   700         DMP requests from a host     back to it, with its address as source
//   600         DMP from anywhere else       dropped
//
// Ports have the numbers that ebb rules gives them; a group has the number of its output.
#pragma once

#include "ebb/forwarding/table.hpp"
#include "ebb/forwarding/vlan_trees.hpp"
#include "ebb/openflow/message.hpp"
#include "ebb/topology/graph.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace ebb::drivers {

struct Program {
  std::uint64_t cookie = 0;  // of all its rules; another program has another
  std::vector<openflow::GroupMod> groups;
  std::vector<openflow::FlowMod> flows;
};

// The order of the buckets in the fast-failover group of an output: a switch takes the first bucket
// that is live.
enum class FailoverOrder : std::uint8_t {
  primary_first,  // the output, and the detour while the output is not live
  detour_first,   // the detour, although the output is live
  primary_only    // the detour leads nowhere: a link further on it is diverted itself
};
using FailoverOrderOf = std::function<FailoverOrder(topology::ChannelId)>;

[[nodiscard]] Program program(const topology::Graph& graph, const forwarding::AddressPlan& plan,
                              const forwarding::Table& table, const FailoverOrderOf& order);

// Rules that every program has beside its tables: ARP, probes, DMP.
void add_services(const topology::Graph& graph, const forwarding::AddressPlan& plan,
                  std::uint32_t at, Program& program);
// Its cookie, made of its rules. The last step of making a program.
void seal(Program& program);

// The group of one output, to be modified. It has a detour.
[[nodiscard]] openflow::GroupMod group_of(const topology::Graph& graph,
                                          const forwarding::Table& table,
                                          topology::ChannelId output, FailoverOrder order);

// What an OpenFlow 1.3 switch of VLAN trees holds (forwarding/vlan_trees.hpp). Table 0 gives each
// frame of a host its VLAN, which stands for the PVID of the port; table 1 forwards by VLAN and
// destination, and takes the tag off before a host. Of the open links of a bundle a frame takes one
// by its destination.

// `open` by link; every bundle has one that is.
[[nodiscard]] Program vlan_program(const topology::Graph& graph,
                                   const forwarding::AddressPlan& plan,
                                   const forwarding::VlanNetwork& network, std::uint32_t at,
                                   const std::vector<bool>& open);

}  // namespace ebb::drivers
