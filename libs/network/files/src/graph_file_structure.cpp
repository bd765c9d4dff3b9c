// SPDX-License-Identifier: Apache-2.0
#include "graph_file_structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace ebb::files {
namespace {

using topology::Link;
using topology::NodeId;

// Disjoint sets of nodes, joined link by link.
class Islands {
 public:
  explicit Islands(std::uint32_t nodes) : parent_(nodes) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }

  // The smallest node of the island.
  std::uint32_t root(std::uint32_t node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
  }

  void join(NodeId a, NodeId b) {
    const auto [low, high] = std::minmax({root(index(a)), root(index(b))});
    parent_[high] = low;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

void report_node(const GraphHeader& header, const NodeTable& nodes, std::uint32_t node,
                 std::string message, Diagnostics& errors) {
  const bool host = nodes.is_host(NodeId{node});
  const Place at = host ? header.hosts_at : header.switches_at;
  errors.add(std::move(message), at.line, at.column, host ? "hosts" : "switches");
}

// A header of a few bytes can announce millions of nodes: this looks for bare ones at a bit each,
// before anything larger is made.
bool all_nodes_have_links(const GraphHeader& header, const NodeTable& nodes,
                          std::span<const Link> links, Diagnostics& errors) {
  const std::uint32_t count = header.switches + header.hosts;
  if (count == 1) return true;
  std::vector<bool> linked(count);
  for (const Link& link : links) linked[index(link.a)] = linked[index(link.b)] = true;
  bool all = true;
  for (std::uint32_t node = 0; node < count && !errors.full(); ++node) {
    if (linked[node]) continue;
    report_node(header, nodes, node, fmt::format("{} has no link", nodes.name(NodeId{node})),
                errors);
    all = false;
  }
  return all;
}

}  // namespace

void check_structure(const GraphHeader& header, const NodeTable& nodes, std::span<const Link> links,
                     Diagnostics& errors) {
  if (!all_nodes_have_links(header, nodes, links, errors)) return;
  const std::uint32_t count = header.switches + header.hosts;
  Islands islands(count);
  for (const Link& link : links) islands.join(link.a, link.b);
  std::uint32_t unreached = 0;
  std::uint32_t first = 0;
  for (std::uint32_t node = 0; node < count; ++node) {
    if (islands.root(node) == 0) continue;
    if (unreached++ == 0) first = node;
  }
  if (unreached == 0) return;
  report_node(header, nodes, first,
              fmt::format("the graph falls apart: {} of {} nodes, {} among them, cannot be reached "
                          "from {}",
                          unreached, count, nodes.name(NodeId{first}), nodes.name(NodeId{0})),
              errors);
}

}  // namespace ebb::files
