// SPDX-License-Identifier: Apache-2.0
//
// The YAML part of a graph file: everything but the links.
#pragma once

#include "ebb/files/document.hpp"
#include "ebb/topology/graph.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ebb::files {

struct Place {
  int line = 0;
  int column = 0;
};

struct GraphHeader {
  std::uint32_t switches = 0;
  std::uint32_t hosts = 0;
  std::vector<std::string> names;  // one per node when a list of names was given, or none
  Place switches_at;
  Place hosts_at;
  bool nodes_known = false;  // false: the node lists were refused, so links cannot be checked
  std::vector<topology::RateLadder> ladders;
  std::size_t ladder_count = 0;  // as written, sound or not, so that links can be checked
  std::uint32_t chips_per_box = 1;
  topology::Origin origin{"imported", {}};
  std::optional<Value> links;
};

// Reports every mistake; what could be understood is filled in.
[[nodiscard]] GraphHeader read_graph_header(const Value& root, Diagnostics& errors);

}  // namespace ebb::files
