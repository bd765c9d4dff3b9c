// SPDX-License-Identifier: Apache-2.0
#include "ebb/drivers/openflow_program.hpp"

#include "ebb/forwarding/ports.hpp"
#include "ebb/controller/wiring.hpp"
#include "ebb/core/check.hpp"
#include "ebb/forwarding/dmp_frame.hpp"

#include <bit>

namespace ebb::drivers {
namespace {

using forwarding::port_of;
using forwarding::Address;
using openflow::Actions;
using openflow::Bits;
using openflow::Field;
using openflow::FieldId;
using openflow::FlowMod;
using openflow::Load;
using openflow::Move;
using openflow::Output;
using topology::ChannelId;
using topology::Graph;

constexpr std::uint16_t kTable = 1000;
constexpr std::uint16_t kArp = 900;
constexpr std::uint16_t kProbe = 800;
constexpr std::uint16_t kDmp = 700;
constexpr std::uint16_t kDmpElsewhere = 600;
constexpr std::uint64_t kArpType = 0x0806;
// In the mask of every address match: a broadcast or a foreign address is no host of the fabric.
constexpr std::uint64_t kKind = std::uint64_t{3} << 40U;

std::uint64_t mac(Address address) {
  return static_cast<std::uint64_t>(forwarding::mac_of(address));
}

Load set_mark(bool on) {
  const auto bit =
      static_cast<std::uint16_t>(std::countr_zero(forwarding::mac_mask(forwarding::kMark)));
  return Load{Bits{FieldId::eth_dst, bit, 1}, on ? 1U : 0U};
}

Field address_field(FieldId id, const forwarding::Match& match) {
  return {id, mac(match.value), forwarding::mac_mask(match.mask) | kKind};
}

openflow::Match match_of(const Graph& graph, const forwarding::Rule& rule) {
  openflow::Match match;
  if (rule.input)
    match.fields.push_back({FieldId::in_port, port_of(graph, topology::reverse(*rule.input))});
  match.fields.push_back(address_field(FieldId::eth_dst, rule.destination));
  if (rule.source.mask != 0) match.fields.push_back(address_field(FieldId::eth_src, rule.source));
  return match;
}

Actions actions_of(const Graph& graph, const forwarding::Table& table,
                   const forwarding::Rule& rule) {
  const std::uint32_t port = port_of(graph, rule.output);
  if (graph.is_host(graph.target(rule.output))) return {set_mark(false), Output{port}};
  if (rule.use == forwarding::Use::conditional && table.detour(rule.output))
    return {openflow::ToGroup{port}};
  if (rule.clears) return {set_mark(false), Output{port}};
  return {Output{port}};
}

FlowMod flow(std::uint16_t priority, openflow::Match match, Actions actions) {
  FlowMod mod{.priority = priority, .match = std::move(match)};
  if (!actions.empty()) mod.instructions.push_back(openflow::ApplyActions{std::move(actions)});
  return mod;
}

// Every switch answers for every address: the IP address holds the low bits of the MAC address, so
// one rule computes the answer and nothing is ever flooded.
FlowMod arp_answer() {
  constexpr std::uint64_t kTen = std::uint64_t{10} << 24U;
  constexpr std::uint64_t kTenMask = std::uint64_t{255} << 24U;
  const auto all = [](FieldId field, std::uint16_t bits) { return Bits{field, 0, bits}; };
  return flow(
      kArp,
      {{{FieldId::eth_type, kArpType}, {FieldId::arp_op, 1}, {FieldId::arp_tpa, kTen, kTenMask}}},
      {Move{all(FieldId::eth_src, 48), FieldId::eth_dst, 0},
       openflow::SetField{{FieldId::eth_src, mac(0)}},
       Move{all(FieldId::arp_tpa, 24), FieldId::eth_src, 0},
       openflow::SetField{{FieldId::arp_op, 2}},
       Move{all(FieldId::arp_sha, 48), FieldId::arp_tha, 0},
       Move{all(FieldId::eth_src, 48), FieldId::arp_sha, 0},
       Move{all(FieldId::arp_tpa, 32), FieldId::register0, 0},
       Move{all(FieldId::arp_spa, 32), FieldId::arp_tpa, 0},
       Move{all(FieldId::register0, 32), FieldId::arp_spa, 0}, Output{openflow::port::kInPort}});
}

void add_hosts(const Graph& graph, const forwarding::AddressPlan& plan, std::uint32_t at,
               std::vector<FlowMod>& flows) {
  for (const ChannelId output : graph.outputs(graph.switch_node(at))) {
    if (!graph.is_host(graph.target(output))) continue;
    const std::uint64_t given = mac(plan.of_host(graph.host_number(graph.target(output))));
    flows.push_back(flow(
        kDmp, {{{FieldId::in_port, port_of(graph, output)}, {FieldId::eth_type, dmp::kEtherType}}},
        {openflow::SetField{{FieldId::eth_src, given}}, Output{openflow::port::kInPort}}));
  }
  flows.push_back(flow(kDmpElsewhere, {{{FieldId::eth_type, dmp::kEtherType}}}, {}));
}

// FNV-1a over the encoded rules, so that a switch can be asked whether it has this program.
std::uint64_t hash(const std::vector<FlowMod>& flows) {
  std::uint64_t state = 0xcbf29ce484222325U;
  for (const FlowMod& flow : flows) {
    const auto bytes = openflow::encode({.xid = 0, .body = flow});
    EBB_CHECK(bytes.has_value(), "a rule does not fit into a message");
    for (const std::byte one : *bytes)
      state = (state ^ static_cast<std::uint8_t>(one)) * 0x100000001b3U;
  }
  return state;
}

}  // namespace

openflow::GroupMod group_of(const Graph& graph, const forwarding::Table& table, ChannelId output,
                            Way way) {
  const auto instead = table.detour(output);
  EBB_CHECK(instead.has_value(), "the output has no detour");
  const std::uint32_t port = port_of(graph, output);
  const std::uint32_t other = port_of(graph, *instead);
  openflow::Bucket straight{.watch_port = port, .actions = {Output{port}}};
  openflow::Bucket around{.watch_port = other, .actions = {set_mark(true), Output{other}}};
  openflow::GroupMod group{.type = openflow::GroupType::fast_failover, .group = port};
  group.buckets = way == Way::detoured   ? std::vector{around, straight}
                  : way == Way::straight ? std::vector{straight, around}
                                         : std::vector{straight};
  return group;
}

Program program(const Graph& graph, const forwarding::AddressPlan& plan,
                const forwarding::Table& table, const WayOf& way) {
  Program made;
  for (const forwarding::Detour& detour : table.detours)
    made.groups.push_back(group_of(graph, table, detour.output, way(detour.output)));
  for (const forwarding::Rule& rule : table.rules) {
    made.flows.push_back(flow(static_cast<std::uint16_t>(kTable + rule.priority),
                              match_of(graph, rule), actions_of(graph, table, rule)));
  }
  add_services(graph, plan, table.of_switch, made);
  seal(made);
  return made;
}

void add_services(const Graph& graph, const forwarding::AddressPlan& plan, std::uint32_t at,
                  Program& program) {
  program.flows.push_back(arp_answer());
  program.flows.push_back(flow(kProbe, {{{FieldId::eth_type, controller::kProbeEtherType}}},
                               {Output{openflow::port::kController}}));
  add_hosts(graph, plan, at, program.flows);
}

void seal(Program& program) {
  program.cookie = hash(program.flows);
  for (FlowMod& flow : program.flows) flow.cookie = program.cookie;
}

}  // namespace ebb::drivers
