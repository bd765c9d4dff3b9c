// SPDX-License-Identifier: Apache-2.0
#include "node_names.hpp"

#include <cstdint>

namespace ebb::counters {

using topology::Graph;
using topology::NodeId;

NodeNames::NodeNames(const Graph& graph) {
  const auto add = [&](NodeId node) {
    names_.push_back(graph.name(node));
    nodes_.emplace(names_.back(), node);
  };
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) add(graph.switch_node(s));
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) add(graph.host_node(h));
}

std::optional<NodeId> NodeNames::exact(std::string_view name) const {
  const auto found = nodes_.find(name);
  if (found == nodes_.end()) return std::nullopt;
  return found->second;
}

std::optional<NodeId> NodeNames::of_device(std::string_view name) const {
  if (const auto node = exact(name)) return node;
  return exact(name.substr(0, name.find('.')));
}

std::optional<std::pair<NodeId, std::string_view>> NodeNames::of_interface(
    std::string_view interface) const {
  for (std::size_t colon = interface.find(':'); colon != std::string_view::npos;
       colon = interface.find(':', colon + 1)) {
    if (const auto node = of_device(interface.substr(0, colon)))
      return std::pair{*node, interface.substr(colon + 1)};
  }
  return std::nullopt;
}

}  // namespace ebb::counters
