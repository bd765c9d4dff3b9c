// SPDX-License-Identifier: Apache-2.0
#include "ebb/drivers/openflow_program.hpp"

#include "ebb/controller/cabling_check.hpp"
#include "ebb/core/check.hpp"
#include "ebb/forwarding/dmp_frame.hpp"
#include "ebb/forwarding/table.hpp"

#include <algorithm>
#include <bit>

namespace ebb::drivers {
namespace {

using forwarding::Address;
using forwarding::kBackGroup;
using forwarding::kReroutedGroups;
using forwarding::port_of;
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
constexpr std::uint64_t kIpType = 0x0800;
constexpr std::uint64_t kArpType = 0x0806;
constexpr std::uint64_t kTen = std::uint64_t{10} << 24U;  // 10/8
constexpr std::uint64_t kEveryone = 0xffffffffffffU;      // the broadcast address
constexpr std::uint8_t kForwarding = 1;                   // table
// Priorities of table 0.
constexpr std::uint16_t kBetweenSwitches = 40;
constexpr std::uint16_t kAllowed = 30;
constexpr std::uint16_t kForbidden = 20;
constexpr std::uint16_t kOwnSource = 10;
// In the mask of every address match: a broadcast or a foreign address is no host of the fabric.
constexpr std::uint64_t kKind = std::uint64_t{3} << 40U;

std::uint64_t mac(Address address) {
  return static_cast<std::uint64_t>(forwarding::mac_of(address));
}

Load set_rerouted_tag(bool on) {
  const auto bit =
      static_cast<std::uint16_t>(std::countr_zero(forwarding::mac_mask(forwarding::kReroutedTag)));
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
  if (graph.is_host(graph.target(rule.output))) return {set_rerouted_tag(false), Output{port}};
  Actions actions;
  if (rule.clears_tag) actions.emplace_back(set_rerouted_tag(false));
  const forwarding::FastReroute* reroute = table.fast_reroute(rule.output);
  if (rule.use != forwarding::Use::primary || reroute == nullptr) {
    actions.emplace_back(Output{port});
  } else {
    const bool rerouted = (rule.destination.value & forwarding::kReroutedTag) != 0;
    actions.emplace_back(openflow::ToGroup{
        rerouted && needs_rerouted_group(*reroute) ? kReroutedGroups + port : port});
  }
  return actions;
}

FlowMod flow(std::uint16_t priority, openflow::Match match, Actions actions) {
  FlowMod mod{.priority = priority, .match = std::move(match)};
  if (!actions.empty()) mod.instructions.push_back(openflow::ApplyActions{std::move(actions)});
  return mod;
}

// Every switch answers for every address: the IP address holds the low bits of the MAC address, so
// one rule computes the answer and nothing is ever flooded.
FlowMod arp_answer() {
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

FlowMod onward(std::uint16_t priority, openflow::Match match) {
  return {.priority = priority,
          .match = std::move(match),
          .instructions = {openflow::GotoTable{kForwarding}}};
}

void admit_host(std::uint32_t port, std::uint64_t address, std::vector<FlowMod>& flows) {
  const Field in_port{FieldId::in_port, port};
  const Field from{FieldId::eth_src, address};
  const std::uint64_t ip = kTen | (address & 0xffffffU);
  flows.push_back(
      onward(kAllowed, {{in_port, from, {FieldId::eth_type, kIpType}, {FieldId::ipv4_src, ip}}}));
  flows.push_back(
      onward(kAllowed, {{in_port, from, {FieldId::eth_type, kArpType}, {FieldId::arp_spa, ip}}}));
  flows.push_back(onward(kOwnSource, {{in_port, from}}));
}

// Table 0: what may come in by which port. A host that has no address yet asks by DMP, and by ARP
// to everyone, which the switch answers itself. What meets no rule is dropped.
void add_admission(const Graph& graph, const forwarding::AddressPlan& plan, std::uint32_t at,
                   std::vector<FlowMod>& flows) {
  for (const ChannelId output : graph.outputs(graph.switch_node(at))) {
    const std::uint32_t port = port_of(graph, output);
    if (graph.is_host(graph.target(output))) {
      admit_host(port, mac(plan.of_host(graph.host_number(graph.target(output)))), flows);
    } else {
      flows.push_back(onward(kBetweenSwitches, {{{FieldId::in_port, port}}}));
    }
  }
  flows.push_back(onward(kAllowed, {{{FieldId::eth_type, dmp::kEtherType}}}));
  flows.push_back(onward(
      kAllowed,
      {{{FieldId::eth_dst, kEveryone}, {FieldId::eth_type, kArpType}, {FieldId::arp_op, 1}}}));
  for (const std::uint64_t type :
       {kIpType, kArpType, std::uint64_t{controller::kDiscoveryEtherType}})
    flows.push_back(flow(kForbidden, {{{FieldId::eth_type, type}}}, {}));
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

namespace {

struct Choice {
  openflow::Bucket bucket;
  bool last = false;  // its link is diverted
};

// A rerouted frame may have to leave by the port that it came in by, which a switch refuses unless
// the frame has forgotten that port.
openflow::Bucket bucket_to(std::uint32_t port, bool tags) {
  openflow::Bucket bucket{.watch_port = port, .actions = {}};
  if (tags) {
    bucket.actions.emplace_back(set_rerouted_tag(true));
    bucket.actions.emplace_back(Load{Bits{FieldId::in_port, 0, 32}, 0});
  }
  bucket.actions.emplace_back(Output{port});
  return bucket;
}

// A bucket must watch something. The group that sends frames back is always live, and a group may
// send to another.
openflow::Bucket bucket_back() {
  return {.watch_group = kBackGroup, .actions = {openflow::ToGroup{kBackGroup}}};
}

openflow::GroupMod back_group() {
  return {.type = openflow::GroupType::indirect,
          .group = kBackGroup,
          .buckets = {{.actions = {set_rerouted_tag(true), Output{openflow::port::kInPort}}}}};
}

// What is not diverted goes first, in the order of the table.
std::vector<openflow::Bucket> in_order(std::vector<Choice> choices) {
  std::stable_partition(choices.begin(), choices.end(),
                        [](const Choice& choice) { return !choice.last; });
  std::vector<openflow::Bucket> buckets;
  buckets.reserve(choices.size());
  for (Choice& choice : choices) buckets.push_back(std::move(choice.bucket));
  return buckets;
}

openflow::GroupMod group_for(const Graph& graph, const forwarding::FastReroute& reroute,
                             const FailoverState& state, bool rerouted) {
  const std::uint32_t port = port_of(graph, reroute.output);
  const bool diverted = state.diverted(reroute.output);
  std::vector<Choice> choices = {{bucket_to(port, false), diverted}};
  for (const ChannelId other : reroute.untagged)
    choices.push_back({bucket_to(port_of(graph, other), false), state.diverted(other)});
  if (!rerouted && reroute.backup && (diverted || !state.backup_blocked(reroute.output)))
    choices.push_back({bucket_to(port_of(graph, *reroute.backup), reroute.backup_tags), false});
  if (!rerouted && reroute.back) choices.push_back({bucket_back(), false});
  return {.type = openflow::GroupType::fast_failover,
          .group = rerouted ? kReroutedGroups + port : port,
          .buckets = in_order(std::move(choices))};
}

}  // namespace

std::vector<openflow::GroupMod> groups_of(const Graph& graph, const forwarding::Table& table,
                                          ChannelId output, const FailoverState& state) {
  const forwarding::FastReroute* reroute = table.fast_reroute(output);
  EBB_CHECK(reroute != nullptr, "the output has a fast reroute");
  std::vector<openflow::GroupMod> groups = {group_for(graph, *reroute, state, false)};
  if (needs_rerouted_group(*reroute)) groups.push_back(group_for(graph, *reroute, state, true));
  return groups;
}

std::vector<openflow::GroupMod> groups_with(const Graph& graph, const forwarding::Table& table,
                                            ChannelId output, const FailoverState& state) {
  std::vector<openflow::GroupMod> groups;
  for (const forwarding::FastReroute& reroute : table.fast_reroutes) {
    const auto& others = reroute.untagged;
    if (reroute.output != output && std::find(others.begin(), others.end(), output) == others.end())
      continue;
    for (openflow::GroupMod& group : groups_of(graph, table, reroute.output, state))
      groups.push_back(std::move(group));
  }
  return groups;
}

Program program(const Graph& graph, const forwarding::AddressPlan& plan,
                const forwarding::Table& table, const FailoverState& state) {
  Program made;
  if (std::any_of(table.fast_reroutes.begin(), table.fast_reroutes.end(),
                  [](const forwarding::FastReroute& one) { return one.back; }))
    made.groups.push_back(back_group());
  for (const forwarding::FastReroute& reroute : table.fast_reroutes) {
    for (openflow::GroupMod& group : groups_of(graph, table, reroute.output, state))
      made.groups.push_back(std::move(group));
  }
  for (const forwarding::Rule& rule : table.rules) {
    made.flows.push_back(flow(static_cast<std::uint16_t>(kTable + rule.priority),
                              match_of(graph, rule), actions_of(graph, table, rule)));
  }
  add_services(graph, plan, table.of_switch, made);
  for (FlowMod& one : made.flows) one.table = kForwarding;
  add_admission(graph, plan, table.of_switch, made.flows);
  seal(made);
  return made;
}

void add_services(const Graph& graph, const forwarding::AddressPlan& plan, std::uint32_t at,
                  Program& program) {
  program.flows.push_back(arp_answer());
  program.flows.push_back(flow(kProbe, {{{FieldId::eth_type, controller::kDiscoveryEtherType}}},
                               {Output{openflow::port::kController}}));
  add_hosts(graph, plan, at, program.flows);
}

namespace {

constexpr std::uint64_t kCookieMask = std::uint64_t{0xffff} << 48U;
constexpr std::uint64_t kCookie = std::uint64_t{0xebb0} << 48U;

}  // namespace

bool is_ours(const openflow::FlowEntry& flow) { return (flow.cookie & kCookieMask) == kCookie; }

bool is_ours(const openflow::GroupEntry& group) {
  if (group.group == kBackGroup) return group.type == openflow::GroupType::indirect;
  return group.type == openflow::GroupType::fast_failover && group.group < 2 * kReroutedGroups;
}

void seal(Program& program) {
  program.cookie = kCookie | (hash(program.flows) & ~kCookieMask);
  for (FlowMod& flow : program.flows) flow.cookie = program.cookie;
}

namespace {

using openflow::Field;
using openflow::FieldId;
using openflow::FlowMod;
using openflow::kVlanPresent;
using openflow::Output;
using topology::ChannelId;
using topology::Graph;

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
                                      const forwarding::Lag& lag, const std::vector<bool>& open) {
  std::vector<std::uint32_t> ports;
  for (const ChannelId output : graph.outputs(graph.switch_node(at))) {
    const auto link = topology::link_of(output);
    const bool of_it = std::binary_search(lag.links.begin(), lag.links.end(), link);
    if (of_it && open[index(link)]) ports.push_back(forwarding::port_of(graph, output));
  }
  EBB_CHECK(!ports.empty(), "every lag keeps a link");
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
  for (const auto& [key, lag] : next_lags(network, at)) {
    const auto ports = open_ports(graph, at, network.lags[lag], open);
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
