// SPDX-License-Identifier: Apache-2.0
#include "command_line/help.hpp"
#include "command_line/inputs.hpp"
#include "command_line/text.hpp"
#include "rules/text.hpp"

#include "ebb/forwarding/address.hpp"
#include "ebb/forwarding/vlan_trees.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ebb::cli {
namespace {

using forwarding::Lag;
using topology::Graph;
using Json = nlohmann::ordered_json;

struct VlanOptions {
  NetworkOptions network;
  std::string format = "table";
};

struct Assigned : forwarding::VlanNetwork {
  const Graph& graph;
};

Result<Assigned> assign(const Graph& graph) {
  auto network = forwarding::vlan_network(graph);
  if (!network) return fail(network.error());
  return Assigned{std::move(*network), graph};
}

std::string switch_name(const Graph& graph, std::uint32_t s) {
  return graph.name(graph.switch_node(s));
}

// Ports are numbered from 1, as OpenFlow does.
std::vector<std::size_t> ports_of(const Graph& graph, std::uint32_t at, const Lag& lag) {
  std::vector<std::size_t> ports;
  const auto outputs = graph.outputs(graph.switch_node(at));
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (std::binary_search(lag.links.begin(), lag.links.end(), link_of(outputs[i])))
      ports.push_back(i + 1);
  }
  return ports;
}

std::vector<std::size_t> host_ports(const Graph& graph, std::uint32_t at) {
  std::vector<std::size_t> ports;
  const auto outputs = graph.outputs(graph.switch_node(at));
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (graph.is_host(graph.target(outputs[i]))) ports.push_back(i + 1);
  }
  return ports;
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  return fmt::format("{}", fmt::join(words, between));
}

void print_table(const Assigned& all) {
  Table table({{"VLAN", Table::Align::right}, {"PVID of host ports on"}, {"tagged on links"}});
  for (std::uint32_t v = 0; v < all.assignment.vlans.size(); ++v) {
    std::vector<std::string> sources;
    for (std::uint32_t s = 0; s < all.graph.switch_count(); ++s) {
      if (all.assignment.pvid[s] == v) sources.push_back(switch_name(all.graph, s));
    }
    std::vector<std::string> links;
    for (const std::uint32_t b : all.assignment.vlans[v].lags) {
      const Lag& lag = all.lags[b];
      const std::size_t parallel = lag.links.size();
      links.push_back(switch_name(all.graph, lag.a) + "-" + switch_name(all.graph, lag.b) +
                      (parallel > 1 ? fmt::format(" x{}", parallel) : ""));
    }
    table.add(
        {std::to_string(all.assignment.vlans[v].id), joined(sources, " "), joined(links, ", ")});
  }
  fmt::print("{}", table.text());
}

Json switch_json(const Assigned& all, std::uint32_t s) {
  Json tagged = Json::array();
  for (const forwarding::Vlan& vlan : all.assignment.vlans) {
    for (const std::uint32_t b : vlan.lags) {
      if (all.lags[b].a != s && all.lags[b].b != s) continue;
      tagged.push_back({{"vlan", vlan.id},
                        {"to", switch_name(all.graph, all.lags[b].other(s))},
                        {"ports", ports_of(all.graph, s, all.lags[b])}});
    }
  }
  const auto pvid = all.assignment.pvid[s];
  return {{"switch", switch_name(all.graph, s)},
          {"pvid", pvid ? Json(all.assignment.vlans[*pvid].id) : Json(nullptr)},
          {"untagged_ports", host_ports(all.graph, s)},
          {"tagged", std::move(tagged)}};
}

void print_json(const Assigned& all) {
  Json vlans = Json::array();
  for (const forwarding::Vlan& vlan : all.assignment.vlans) vlans.push_back(vlan.id);
  Json switches = Json::array();
  for (std::uint32_t s = 0; s < all.graph.switch_count(); ++s)
    switches.push_back(switch_json(all, s));
  fmt::print("{}\n", Json{{"vlans", vlans},
                          {"may_deadlock", may_deadlock(all.lags, all.trees)},
                          {"switches", switches}}
                         .dump(2));
}

// Hosts are known by their addresses, so nothing is learned or flooded. Of parallel links a frame
// takes one by its destination.
void print_forwarding(const Assigned& all, const forwarding::AddressPlan& plan, std::uint32_t at) {
  for (const auto& [key, lag] : forwarding::next_lags(all, at)) {
    const auto ports = ports_of(all.graph, at, all.lags[lag]);
    for (std::uint32_t host = 0; host < all.graph.host_count(); ++host) {
      if (plan.switch_of(host) != key.second) continue;
      fmt::print("table=1,priority=1,dl_vlan={},dl_dst={},actions=output:{}\n",
                 all.assignment.vlans[key.first].id,
                 forwarding::to_text(forwarding::mac_of(plan.of_host(host))),
                 ports[host % ports.size()]);
    }
  }
}

// Table 0 gives each frame of a host its VLAN; table 1 forwards by VLAN and takes the tag off.
void print_switch(const Assigned& all, const forwarding::AddressPlan& plan, std::uint32_t s) {
  fmt::print("# {}\n", switch_name(all.graph, s));
  const auto outputs = all.graph.outputs(all.graph.switch_node(s));
  if (const auto pvid = all.assignment.pvid[s]) {
    constexpr int kPresent = 0x1000;  // of a tag, in OpenFlow's vlan_vid
    for (const std::size_t port : host_ports(all.graph, s)) {
      fmt::print(
          "table=0,priority=2,in_port={},actions=push_vlan:0x8100,set_field:{}->vlan_vid,"
          "goto_table:1\n",
          port, kPresent + all.assignment.vlans[*pvid].id);
    }
  }
  fmt::print("table=0,priority=1,vlan_tci=0x1000/0x1000,actions=goto_table:1\n");
  for (const std::size_t port : host_ports(all.graph, s)) {
    const auto host = all.graph.host_number(all.graph.target(outputs[port - 1]));
    fmt::print("table=1,priority=2,vlan_tci=0x1000/0x1000,dl_dst={},actions=pop_vlan,output:{}\n",
               forwarding::to_text(forwarding::mac_of(plan.of_host(host))), port);
  }
  print_forwarding(all, plan, s);
}

Result<void> print_flows(const Assigned& all) {
  const auto plan = forwarding::AddressPlan::make(all.graph);
  if (!plan) return fail(plan.error());
  for (std::uint32_t s = 0; s < all.graph.switch_count(); ++s) print_switch(all, *plan, s);
  return {};
}

// Nothing is printed of VLANs that are wrong.
ExitCode print_checks(const Assigned& all, bool print) {
  const Errors errors = check_vlans(all.graph, all.lags, all.trees, all.assignment);
  for (const Error& error : errors) fmt::print(stderr, "error: {}\n", error.message);
  if (!errors.empty()) return ExitCode::not_met;
  if (!print) return ExitCode::done;
  fmt::print("\n{} VLANs, each a tree: a broadcast ends; all pairs of hosts are reached\n{}\n",
             all.assignment.vlans.size(),
             may_deadlock(all.lags, all.trees)
                 ? "with link-level flow control the paths have a channel-dependency cycle"
                 : "with link-level flow control no channel-dependency cycle: no deadlock");
  return ExitCode::done;
}

ExitCode vlans(const VlanOptions& options) {
  const auto graph = load_network(options.network);
  if (!graph) return refuse(graph.error());
  if (graph->planes() > 1)
    return refuse({{"every plane has the VLAN trees of one: leave out 'planes'", {}}});
  const auto all = assign(*graph);
  if (!all) return refuse(all.error());
  if (const ExitCode code = print_checks(*all, false); code != ExitCode::done) return code;
  if (options.format == "json") {
    print_json(*all);
    return ExitCode::done;
  }
  if (options.format == "openflow") {
    const auto printed = print_flows(*all);
    return printed ? ExitCode::done : refuse(printed.error());
  }
  print_table(*all);
  return print_checks(*all, true);
}

}  // namespace

void add_rules_vlans(CLI::App& rules, ExitCode& code) {
  const auto options = std::make_shared<VlanOptions>();
  CLI::App* verb = rules.add_subcommand(
      "vlans", "A tree for each source switch, as VLANs: many paths on plain Ethernet");
  verb->add_option("--format", options->format, "table, json or openflow")
      ->check(one_of({"table", "json", "openflow"}));
  add_network_argument(*verb, options->network);
  add_network_options(*verb, options->network);
  verb->callback([options, &code] { code = vlans(*options); });
}

}  // namespace ebb::cli
