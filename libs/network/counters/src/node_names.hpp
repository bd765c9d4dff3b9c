// SPDX-License-Identifier: Apache-2.0
//
// Nodes of a graph by the names that devices have elsewhere.
#pragma once

#include "ebb/topology/graph.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ebb::counters {

class NodeNames {
 public:
  explicit NodeNames(const topology::Graph& graph);

  // Exactly that name.
  [[nodiscard]] std::optional<topology::NodeId> exact(std::string_view name) const;
  // That name, or what it has before its first point: s1.example.org is s1.
  [[nodiscard]] std::optional<topology::NodeId> of_device(std::string_view name) const;
  // Of "s0:eth1" the node s0, and "eth1".
  [[nodiscard]] std::optional<std::pair<topology::NodeId, std::string_view>> of_interface(
      std::string_view interface) const;
  [[nodiscard]] const std::vector<std::string>& all() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::map<std::string, topology::NodeId, std::less<>> nodes_;
};

}  // namespace ebb::counters
