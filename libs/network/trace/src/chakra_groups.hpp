// SPDX-License-Identifier: Apache-2.0
//
// Which ranks take part in a collective of a Chakra trace.
//
//   ChakraGroups of_nodes(8, {2, 4}, groups);
//   const auto group = of_nodes.find(node, 4, {{"1", {0, 2, 4, 6}}});  // of rank 4
#pragma once

#include "chakra_nodes.hpp"
#include "collective_groups.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ebb::trace {

// A group of ranks by its name.
struct ChakraGroup {
  std::string name;
  std::vector<std::uint32_t> ranks;  // empty: all
};

// A JSON list of {"pg_name": NAME, "ranks": [...]}, or a JSON object {NAME: [ranks]}.
[[nodiscard]] Result<std::vector<ChakraGroup>> read_chakra_groups(std::string_view json,
                                                                  const std::string& file);

class ChakraGroups {
 public:
  // `dimensions` of the network, the fastest first, with as many places as there are ranks; empty:
  // one dimension. `groups` must outlive it.
  ChakraGroups(std::uint32_t ranks, std::vector<std::uint32_t> dimensions,
               CollectiveGroups& groups);

  // The group of a collective of a rank: what `named` calls its `pg_name`, otherwise that of its
  // `involved_dim`, and all ranks where the node names neither.
  [[nodiscard]] Result<CollectiveGroups::Index> find(const ChakraNode& node, std::uint32_t rank,
                                                     const std::vector<ChakraGroup>& named);

 private:
  [[nodiscard]] Result<std::vector<std::uint32_t>> members(
      const ChakraNode& node, std::uint32_t rank, const std::vector<ChakraGroup>& named) const;
  [[nodiscard]] Result<std::vector<std::uint32_t>> along(const std::vector<bool>& involved,
                                                         std::uint32_t rank) const;

  std::uint32_t world_size_;
  std::vector<std::uint32_t> dimensions_;
  CollectiveGroups& groups_;
  CollectiveGroups::Index world_ = 0;
};

}  // namespace ebb::trace
