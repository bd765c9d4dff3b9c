// SPDX-License-Identifier: Apache-2.0
//
// What an OpenFlow 1.3 switch of a fabric holds: its table of ebb rules, a fast-failover group for
// each output that has a detour, and rules beside them. Table 0 decides what may come in:
//
//   priority    frames                                     what becomes of them
//   40          from a switch                              table 1
//   30          from a host: IP and ARP with its own MAC   table 1
//               and IP address; DMP; ARP requests to all
//   20          other IP and ARP, probes                   dropped
//   10          from a host with its own MAC               table 1
//               all others                                 dropped
//
// Table 1 forwards:
//
//   priority    frames                       what becomes of them
//   1000+n      of the table, priority n     to the port, or to the group of the port
//   900         ARP requests for 10/8        answered: the IP address says the MAC address
//   800         probes (cabling_check.hpp)   to the controller
//   700         DMP requests from a host     back to it, with its address as source
//   600         DMP from anywhere else       dropped
//
// Ports and groups have the numbers that ebb rules gives them (ebb/forwarding/table.hpp).
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
  std::uint64_t cookie = 0;  // of all its rules; another program has another. See is_ours()
  std::vector<openflow::GroupMod> groups;
  std::vector<openflow::FlowMod> flows;
};

// What decides the order of the buckets in fast-failover groups: a switch takes the first bucket
// that is live.
struct FailoverState {
  // Its link sleeps, is about to, wakes or has failed: it comes last, although it may be live.
  std::function<bool(topology::ChannelId)> diverted = [](topology::ChannelId) { return false; };
  // The backup of an output leads nowhere: a link further on it is diverted itself. It is left out
  // while the output is not diverted.
  std::function<bool(topology::ChannelId)> backup_blocked = [](topology::ChannelId) {
    return false;
  };
};

[[nodiscard]] Program program(const topology::Graph& graph, const forwarding::AddressPlan& plan,
                              const forwarding::Table& table, const FailoverState& state);

// Rules that every program has beside its tables: ARP, probes, DMP.
void add_services(const topology::Graph& graph, const forwarding::AddressPlan& plan,
                  std::uint32_t at, Program& program);
// Its cookie, made of its rules. The last step of making a program.
void seal(Program& program);

// Whether a rule or a group that a switch holds is of some program of ebb: cookies of ebb begin
// with 0xebb0, and groups, which have no cookie, have the type that ebb gives to that number.
[[nodiscard]] bool is_ours(const openflow::FlowEntry& flow);
[[nodiscard]] bool is_ours(const openflow::GroupEntry& group);

// The groups of an output that has a fast reroute: one for frames as they come, and where rerouted
// ones have other choices left than the output itself, and fewer than these, one for them.
[[nodiscard]] std::vector<openflow::GroupMod> groups_of(const topology::Graph& graph,
                                                        const forwarding::Table& table,
                                                        topology::ChannelId output,
                                                        const FailoverState& state);
// All groups of a switch whose order may change with whether that output of it is diverted.
[[nodiscard]] std::vector<openflow::GroupMod> groups_with(const topology::Graph& graph,
                                                          const forwarding::Table& table,
                                                          topology::ChannelId output,
                                                          const FailoverState& state);

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
