// SPDX-License-Identifier: Apache-2.0
//
// From the text of a link's end to a node: "s12", "h7" or a name from the file's own lists.
#pragma once

#include "ebb/topology/graph.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace ebb::files {

// "s12" and "h7" address nodes by number whatever their names are. "s012" is not of that form.
struct NumberedNode {
  bool is_host = false;
  std::uint64_t number = 0;
};
[[nodiscard]] std::optional<NumberedNode> numbered_node(std::string_view text);

// What a name must be for YAML and CSV to carry it unescaped; empty when it is fine.
[[nodiscard]] std::string complaint_about_name(std::string_view name);

// Lookups make no copies. `names` (one per node, or none) must outlive the table.
class NodeTable {
 public:
  NodeTable(std::uint32_t switches, std::uint32_t hosts, std::span<const std::string> names);

  [[nodiscard]] bool is_host(topology::NodeId node) const { return index(node) >= switches_; }
  [[nodiscard]] std::optional<topology::NodeId> find(std::string_view text) const;
  [[nodiscard]] std::string name(topology::NodeId node) const;
  // The message for a text that find() does not know.
  [[nodiscard]] std::string unknown(std::string_view text) const;

 private:
  [[nodiscard]] std::string numbers_in_use() const;

  std::uint32_t switches_;
  std::uint32_t hosts_;
  std::span<const std::string> names_;
  std::unordered_map<std::string_view, std::uint32_t> by_name_;
};

}  // namespace ebb::files
