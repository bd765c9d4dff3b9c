// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/host_kinds.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace ebb::controller {
namespace {

using forwarding::Address;
using forwarding::Rule;
using topology::Graph;

// Bits of addresses that rules look at on the way.
struct Looked {
  Address source = 0;
  Address destination = 0;
  bool at_host_ports = false;  // where a frame comes in from its host
};

bool delivers(const Graph& graph, const Rule& rule) {
  return graph.is_host(graph.target(rule.output));
}

void look(const Graph& graph, const forwarding::Table& table, Looked& looked) {
  for (const Rule& rule : table.rules) {
    if (rule.use == forwarding::Use::alternative || delivers(graph, rule)) continue;
    looked.source |= rule.source.mask;
    looked.destination |= rule.destination.mask;
    if (rule.input && graph.is_host(graph.source(*rule.input))) looked.at_host_ports = true;
  }
}

// The rule is for one host of the switch, by its whole address and nothing else.
bool is_plain(const Reach& reach, std::uint32_t at, const Rule& rule) {
  const std::uint32_t host = reach.graph().host_number(reach.graph().target(rule.output));
  const Address all = reach.plan().switch_mask() | reach.plan().fields().front().mask();
  return reach.plan().switch_of(host) == at && rule.use == forwarding::Use::always && !rule.input &&
         rule.source == forwarding::Match{} &&
         rule.destination == forwarding::Match{reach.plan().of_host(host), all};
}

// Whether rules for hosts are plain, go before all others, and how many there are.
std::pair<bool, std::size_t> home(const Reach& reach, const forwarding::Table& table) {
  std::size_t hosts = 0;
  std::uint16_t others = 0;
  for (const Rule& rule : table.rules) {
    if (rule.use != forwarding::Use::alternative && !delivers(reach.graph(), rule))
      others = std::max(others, rule.priority);
  }
  for (const Rule& rule : table.rules) {
    if (!delivers(reach.graph(), rule)) continue;
    if (rule.priority <= others || !is_plain(reach, table.of_switch, rule)) return {false, 0};
    ++hosts;
  }
  return {true, hosts};
}

bool hosts_have_one_link(const Graph& graph) {
  for (std::uint32_t host = 0; host < graph.host_count(); ++host) {
    if (graph.outputs(graph.host_node(host)).size() != 1) return false;
  }
  return true;
}

bool all_delivered_at_home(const Reach& reach) {
  if (!hosts_have_one_link(reach.graph())) return false;
  std::size_t hosts = 0;
  for (const forwarding::Lookup& lookup : reach.lookups()) {
    const auto [plain, found] = home(reach, lookup.table());
    if (!plain) return false;
    hosts += found;
  }
  return hosts == reach.graph().host_count();
}

// The first of each switch and value of these bits.
std::vector<std::uint32_t> firsts(const Reach& reach, Address bits) {
  std::set<std::pair<std::uint32_t, Address>> known;
  std::vector<std::uint32_t> hosts;
  for (std::uint32_t host = 0; host < reach.graph().host_count(); ++host) {
    if (known.emplace(reach.plan().switch_of(host), reach.plan().of_host(host) & bits).second)
      hosts.push_back(host);
  }
  return hosts;
}

std::vector<std::uint32_t> every_host(const Graph& graph) {
  std::vector<std::uint32_t> hosts(graph.host_count());
  std::iota(hosts.begin(), hosts.end(), 0U);
  return hosts;
}

}  // namespace

HostKinds host_kinds(const Reach& reach) {
  const std::vector<std::uint32_t> all = every_host(reach.graph());
  if (!all_delivered_at_home(reach)) return {all, all, false};
  Looked looked;
  for (const forwarding::Lookup& lookup : reach.lookups())
    look(reach.graph(), lookup.table(), looked);
  return {looked.at_host_ports ? all : firsts(reach, looked.source),
          firsts(reach, looked.destination), true};
}

}  // namespace ebb::controller
