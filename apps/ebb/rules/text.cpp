// SPDX-License-Identifier: Apache-2.0
#include "rules/text.hpp"

#include "ebb/forwarding/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

namespace ebb::cli {
namespace {

using forwarding::BackupPaths;
using forwarding::kBackGroup;
using forwarding::kReroutedGroups;
using forwarding::port_of;
using forwarding::Rule;
using forwarding::Use;
using topology::ChannelId;
using topology::Graph;
using Json = nlohmann::ordered_json;

std::size_t input_port(const Graph& graph, ChannelId input) {
  return port_of(graph, topology::reverse(input));
}

// With the two bits that say "individual" and "locally administered": a broadcast is no host.
forwarding::Mac mask_of(const forwarding::Match& match) {
  constexpr std::uint64_t kKind = std::uint64_t{3} << 40U;
  return forwarding::Mac{forwarding::mac_mask(match.mask) | kKind};
}

std::string match_text(const char* field, const forwarding::Match& match) {
  if (match.mask == 0) return "";
  return fmt::format(",{}={}/{}", field, to_text(forwarding::mac_of(match.value)),
                     to_text(mask_of(match)));
}

std::string set_rerouted_tag(int value) {
  return fmt::format("load:{}->NXM_OF_ETH_DST[{}],", value,
                     std::countr_zero(forwarding::mac_mask(forwarding::kReroutedTag)));
}

// A rerouted frame may have to leave by the port that it came in by, which a switch refuses unless
// the frame has forgotten that port.
std::string bucket_text(std::size_t port, bool tags) {
  return fmt::format(",bucket=watch_port:{0},actions={1}output:{0}", port,
                     tags ? set_rerouted_tag(1) + "load:0->NXM_OF_IN_PORT[]," : "");
}

std::string group_text(const Graph& graph, const forwarding::FastReroute& reroute, bool rerouted) {
  const std::size_t port = port_of(graph, reroute.output);
  std::string text = fmt::format("group_id={},type=ff", rerouted ? kReroutedGroups + port : port) +
                     bucket_text(port, false);
  for (const ChannelId other : reroute.untagged) text += bucket_text(port_of(graph, other), false);
  if (!rerouted && reroute.backup)
    text += bucket_text(port_of(graph, *reroute.backup), reroute.backup_tags);
  if (!rerouted && reroute.back)
    text += fmt::format(",bucket=watch_group:{0},actions=group:{0}", kBackGroup);
  return text + "\n";
}

// The switches that stand in, each once. Rerouted frames are not rerouted again: they may take what
// needs no tag.
std::string otherwise_text(const Graph& graph, const forwarding::FastReroute& reroute,
                           bool rerouted) {
  std::vector<std::string> names;
  for (const ChannelId other : reroute.untagged) {
    const std::string name = graph.target(other) == graph.target(reroute.output)
                                 ? "a parallel link"
                                 : graph.name(graph.target(other));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  if (!rerouted && reroute.backup) names.push_back(graph.name(graph.target(*reroute.backup)));
  if (!rerouted && reroute.back) names.emplace_back("where it came from");
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string actions_text(const Graph& graph, const forwarding::Table& table, const Rule& rule,
                         Classes classes) {
  const std::size_t port = port_of(graph, rule.output);
  const bool delivers = graph.is_host(graph.target(rule.output));
  std::string text;
  if (classes == Classes::in_tags)
    text += delivers ? "pop_vlan," : fmt::format("set_field:{}->vlan_pcp,", rule.cos);
  const bool arrived = delivers && table.backup_paths == BackupPaths::everywhere;
  if (arrived || rule.clears_tag) text += set_rerouted_tag(0);
  const forwarding::FastReroute* reroute = table.fast_reroute(rule.output);
  if (rule.use != Use::primary || reroute == nullptr) return text + fmt::format("output:{}", port);
  const bool rerouted = (rule.destination.value & forwarding::kReroutedTag) != 0;
  return text + fmt::format("group:{}", rerouted && needs_rerouted_group(*reroute)
                                            ? kReroutedGroups + port
                                            : port);
}

std::string flow_text(const Graph& graph, const forwarding::Table& table, const Rule& rule,
                      Classes classes) {
  const std::string input =
      rule.input ? fmt::format(",in_port={}", input_port(graph, *rule.input)) : "";
  // OpenFlow sets the priority of frames alone that are known to have a tag.
  const bool tagged = classes == Classes::in_tags;
  return fmt::format("{}priority={}{}{}{}{},actions={}", tagged ? "table=1," : "", rule.priority,
                     tagged ? ",vlan_tci=0x1000/0x1000" : "", input,
                     match_text("dl_dst", rule.destination), match_text("dl_src", rule.source),
                     actions_text(graph, table, rule, classes));
}

std::string when_text(const Graph& graph, const forwarding::Table& table, const Rule& rule) {
  if (table.backup_paths == BackupPaths::none) return "";
  std::string text = fmt::format(" in class {}", rule.cos);
  if (rule.use == Use::backup) return text + ", backup";
  if (rule.use != Use::primary) return text;
  const forwarding::FastReroute* reroute = table.fast_reroute(rule.output);
  if (reroute == nullptr) return text + ", while live";
  const bool rerouted = (rule.destination.value & forwarding::kReroutedTag) != 0;
  return text + ", else to " + otherwise_text(graph, *reroute, rerouted);
}

Json rule_json(const Graph& graph, const forwarding::Table& table, const Rule& rule) {
  const auto match = [](const forwarding::Match& one) {
    return Json{{"value", to_text(forwarding::mac_of(one.value))}, {"mask", to_text(mask_of(one))}};
  };
  Json json = {{"priority", rule.priority}};
  if (rule.input) json["input"] = input_port(graph, *rule.input);
  if (rule.destination.mask != 0) json["destination"] = match(rule.destination);
  if (rule.source.mask != 0) json["source"] = match(rule.source);
  json["port"] = port_of(graph, rule.output);
  json["to"] = graph.name(graph.target(rule.output));
  if (table.backup_paths == BackupPaths::none) return json;
  json["use"] = rule.use == Use::always    ? "always"
                : rule.use == Use::primary ? "primary"
                                           : "backup";
  json["class"] = rule.cos;
  if (rule.clears_tag) json["clears_tag"] = true;
  return json;
}

}  // namespace

std::string flows_text(const Graph& graph, const forwarding::Table& table, Classes classes) {
  std::string text;
  if (classes == Classes::in_tags) {
    text += "table=0,priority=2,vlan_tci=0x0000/0x1000,actions=push_vlan:0x8100,goto_table:1\n";
    text += "table=0,priority=1,actions=goto_table:1\n";
  }
  for (const Rule& rule : table.rules) text += flow_text(graph, table, rule, classes) + "\n";
  return text;
}

std::string groups_text(const Graph& graph, const forwarding::Table& table) {
  std::string text;
  const auto& all = table.fast_reroutes;
  if (std::any_of(all.begin(), all.end(), [](const auto& one) { return one.back; })) {
    text += fmt::format("group_id={},type=indirect,bucket=actions={}in_port\n", kBackGroup,
                        set_rerouted_tag(1));
  }
  for (const forwarding::FastReroute& reroute : all) {
    text += group_text(graph, reroute, false);
    if (needs_rerouted_group(reroute)) text += group_text(graph, reroute, true);
  }
  return text;
}

std::string explained(const Graph& graph, const forwarding::Table& table) {
  std::string text;
  for (const Rule& rule : table.rules) {
    text += fmt::format("{}  to {}{}\n", flow_text(graph, table, rule, Classes::left_out),
                        graph.name(graph.target(rule.output)), when_text(graph, table, rule));
  }
  return text;
}

Json table_json(const Graph& graph, const forwarding::Table& table) {
  Json list = Json::array();
  for (const Rule& rule : table.rules) list.push_back(rule_json(graph, table, rule));
  Json json = {{"switch", graph.name(graph.switch_node(table.of_switch))},
               {"rules", std::move(list)}};
  if (table.backup_paths != BackupPaths::everywhere) return json;
  json["fast_reroutes"] = Json::array();
  for (const forwarding::FastReroute& reroute : table.fast_reroutes) {
    Json one = {{"port", port_of(graph, reroute.output)}};
    for (const ChannelId other : reroute.untagged) one["untagged"].push_back(port_of(graph, other));
    if (reroute.backup) one["backup"] = port_of(graph, *reroute.backup);
    if (!reroute.backup_tags) one["backup_tags"] = false;
    if (reroute.back) one["back"] = true;
    json["fast_reroutes"].push_back(std::move(one));
  }
  return json;
}

}  // namespace ebb::cli
