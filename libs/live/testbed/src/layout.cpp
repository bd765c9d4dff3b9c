// SPDX-License-Identifier: Apache-2.0
#include "ebb/testbed/layout.hpp"

#include "ebb/core/check.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ebb::testbed {
namespace {

using topology::ChannelId;
using topology::Graph;
using topology::NodeId;

bool is_name_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '-' || letter == '_';
}

void check_node(const Graph& graph, NodeId node, Errors& errors) {
  const std::size_t links = graph.outputs(node).size();
  if (graph.is_host(node) && links != 1) {
    errors.push_back({fmt::format("host {} has {} links; in a test fabric a host has one",
                                  graph.name(node), links),
                      {}});
  }
  if (!graph.is_host(node) && links > kMostPorts) {
    errors.push_back({fmt::format("switch {} has {} ports; in a test fabric it has at most {}",
                                  graph.name(node), links, kMostPorts),
                      {}});
  }
}

void check_rates(const Graph& graph, Errors& errors) {
  for (const topology::RateTable& rate_table : graph.rate_tables()) {
    if (rate_table.back() <= kFastestPort) continue;
    errors.push_back({fmt::format("rate {}; ports of software switches have at most {}: scale the "
                                  "rates down, as 1Mb/s, 10Mb/s, 100Mb/s",
                                  to_text(rate_table.back()), to_text(kFastestPort)),
                      {}});
  }
}

Node node_of(const std::string& fabric, const Graph& graph, NodeId id) {
  const bool host = graph.is_host(id);
  Node node{.name = graph.name(id)};
  node.space = fmt::format("ebb-{}-{}{}", fabric, host ? 'h' : 's',
                           host ? graph.host_number(id) : index(id));
  for (const ChannelId output : graph.outputs(id)) {
    node.ports.push_back({host ? "eth0" : fmt::format("p{}", node.ports.size() + 1),
                          graph.full_rate(graph.link(link_of(output)))});
  }
  return node;
}

End end_of(const Graph& graph, ChannelId output) {
  const NodeId node = graph.source(output);
  const auto outputs = graph.outputs(node);
  const auto at = std::find(outputs.begin(), outputs.end(), output);
  return {index(node), static_cast<std::size_t>(at - outputs.begin())};
}

}  // namespace

bool is_fabric_name(const std::string& name) {
  return !name.empty() && name.size() <= kLongestFabricName && name[0] != '-' &&
         std::all_of(name.begin(), name.end(), is_name_letter);
}

Errors validate_size(std::int64_t switches, std::int64_t hosts) {
  Errors errors;
  const auto check = [&](const char* what, std::int64_t is, std::int64_t most) {
    if (is <= most) return;
    errors.push_back({fmt::format("{} {}; a test fabric has at most {}", is, what, most), {}});
  };
  check("switches", switches, kMostSwitches);
  check("hosts", hosts, kMostHosts);
  return errors;
}

Errors validate_graph(const Graph& graph) {
  Errors errors = validate_size(graph.switch_count(), graph.host_count());
  if (!errors.empty()) return errors;
  for (std::uint32_t n = 0; n < graph.node_count(); ++n) check_node(graph, NodeId{n}, errors);
  check_rates(graph, errors);
  return errors;
}

Layout lay_out(std::string name, const Graph& graph, std::vector<HostAddress> addresses) {
  EBB_CHECK(is_fabric_name(name) && validate_graph(graph).empty(),
            "the reader of fabric files has looked, for a test fabric");
  EBB_CHECK(addresses.size() == graph.host_count(), "an address for each host");
  Layout layout{.name = std::move(name), .switches = graph.switch_count()};
  for (std::uint32_t n = 0; n < graph.node_count(); ++n)
    layout.nodes.push_back(node_of(layout.name, graph, NodeId{n}));
  for (std::uint32_t l = 0; l < graph.link_count(); ++l) {
    const ChannelId there = topology::forward(topology::LinkId{l});
    layout.cables.push_back({end_of(graph, there), end_of(graph, reverse(there))});
  }
  layout.addresses = std::move(addresses);
  return layout;
}

}  // namespace ebb::testbed
