// SPDX-License-Identifier: Apache-2.0
#include "ebb/drivers/vlan_program.hpp"

#include "ebb/forwarding/ports.hpp"
#include "ebb/core/check.hpp"

#include <algorithm>

namespace ebb::drivers {
namespace {

using openflow::Field;
using openflow::FieldId;
using openflow::FlowMod;
using openflow::kVlanPresent;
using openflow::Output;
using topology::ChannelId;
using topology::Graph;

constexpr std::uint8_t kForwarding = 1;  // table
constexpr std::uint16_t kFromHost = 2;
constexpr std::uint16_t kTagged = 1;
constexpr std::uint16_t kToHost = 2;
constexpr std::uint16_t kOnward = 1;

const Field kAnyVlan{FieldId::vlan_vid, kVlanPresent, kVlanPresent};

Field to_host(const forwarding::AddressPlan& plan, std::uint32_t host) {
  return {FieldId::eth_dst, static_cast<std::uint64_t>(forwarding::mac_of(plan.of_host(host)))};
}

// The "PVID": what comes from a host is tagged.
FlowMod tag(const Graph& graph, ChannelId to_host, std::uint16_t vlan) {
  return {.priority = kFromHost,
          .match = {{{FieldId::in_port, forwarding::port_of(graph, to_host)}}},
          .instructions = {openflow::ApplyActions{
                               {openflow::PushVlan{},
                                openflow::SetField{{FieldId::vlan_vid, kVlanPresent | vlan}}}},
                           openflow::GotoTable{kForwarding}}};
}

FlowMod deliver(const Graph& graph, const forwarding::AddressPlan& plan, ChannelId output) {
  const std::uint32_t host = graph.host_number(graph.target(output));
  return {.table = kForwarding,
          .priority = kToHost,
          .match = {{kAnyVlan, to_host(plan, host)}},
          .instructions = {openflow::ApplyActions{
              {openflow::PopVlan{}, Output{forwarding::port_of(graph, output)}}}}};
}

std::vector<std::uint32_t> open_ports(const Graph& graph, std::uint32_t at,
                                      const forwarding::Bundle& bundle,
                                      const std::vector<bool>& open) {
  std::vector<std::uint32_t> ports;
  for (const ChannelId output : graph.outputs(graph.switch_node(at))) {
    const auto link = topology::link_of(output);
    const bool of_it = std::binary_search(bundle.links.begin(), bundle.links.end(), link);
    if (of_it && open[index(link)]) ports.push_back(forwarding::port_of(graph, output));
  }
  EBB_CHECK(!ports.empty(), "every bundle keeps a link");
  return ports;
}

}  // namespace

Program vlan_program(const Graph& graph, const forwarding::AddressPlan& plan,
                     const forwarding::VlanNetwork& network, std::uint32_t at,
                     const std::vector<bool>& open) {
  Program made;
  const auto& [vlans, pvids] = network.assignment;
  for (const ChannelId output : graph.outputs(graph.switch_node(at))) {
    if (!graph.is_host(graph.target(output))) continue;
    made.flows.push_back(tag(graph, output, vlans[*pvids[at]].id));
    made.flows.push_back(deliver(graph, plan, output));
  }
  made.flows.push_back({.priority = kTagged,
                        .match = {{kAnyVlan}},
                        .instructions = {openflow::GotoTable{kForwarding}}});
  for (const auto& [key, bundle] : next_bundles(network, at)) {
    const auto ports = open_ports(graph, at, network.bundles[bundle], open);
    for (std::uint32_t host = 0; host < graph.host_count(); ++host) {
      if (plan.switch_of(host) != key.second) continue;
      const Field vlan{FieldId::vlan_vid, kVlanPresent | vlans[key.first].id};
      made.flows.push_back(
          {.table = kForwarding,
           .priority = kOnward,
           .match = {{vlan, to_host(plan, host)}},
           .instructions = {openflow::ApplyActions{{Output{ports[host % ports.size()]}}}}});
    }
  }
  add_services(graph, plan, at, made);
  seal(made);
  return made;
}

}  // namespace ebb::drivers
