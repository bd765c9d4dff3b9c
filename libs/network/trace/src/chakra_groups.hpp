// SPDX-License-Identifier: Apache-2.0
//
// Which ranks take part in a collective of a Chakra trace, and which collectives of different ranks
// are the same one: the k-th of a group at each of its ranks.
//
//   ChakraGroups groups(8, {2, 4});
//   const auto group = groups.find(node, 4, {{"1", {0, 2, 4, 6}}});  // of rank 4
//   groups.take_part(*group, 4, node);
//   groups.validate();
#pragma once

#include "chakra_nodes.hpp"

#include <cstddef>
#include <map>
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
  using Index = std::size_t;

  // `dimensions` of the network, the fastest first, with as many places as there are ranks; empty:
  // one dimension.
  ChakraGroups(std::uint32_t ranks, std::vector<std::uint32_t> dimensions);

  // The group of a collective of a rank by what `named` calls so: of `pg_name`, otherwise of
  // `involved_dim`. All ranks, where the node names neither.
  [[nodiscard]] Result<Index> find(const ChakraNode& node, std::uint32_t rank,
                                   const std::vector<ChakraGroup>& named);
  // The rank takes part in its next collective of the group. Fails when it is another one than at
  // the ranks before.
  [[nodiscard]] Result<void> take_part(Index group, std::uint32_t rank, const ChakraNode& node);
  // After the last rank: what ranks have left out.
  [[nodiscard]] Errors validate() const;

  [[nodiscard]] const std::vector<std::uint32_t>& ranks(Index group) const {
    return groups_[group].ranks;
  }
  // The largest that a rank has said.
  [[nodiscard]] DataSize size(Index group, std::size_t which) const {
    return groups_[group].sequence[which].size;
  }
  // How many collectives all groups before this one have.
  [[nodiscard]] std::vector<std::uint64_t> first_numbers() const;
  // Collectives whose ranks disagree about their size.
  [[nodiscard]] std::uint64_t unequal() const { return unequal_; }

 private:
  struct Meeting {
    program::Collective::Kind kind{};
    DataSize size{};
    bool is_unequal = false;
  };
  struct Group {
    std::vector<std::uint32_t> ranks;  // ascending
    std::vector<Meeting> sequence;
    std::vector<std::size_t> taken_part;  // how often, by place in `ranks`
  };
  Index index_of(std::vector<std::uint32_t> ranks);
  [[nodiscard]] Result<std::vector<std::uint32_t>> members(
      const ChakraNode& node, std::uint32_t rank, const std::vector<ChakraGroup>& named) const;
  [[nodiscard]] Result<std::vector<std::uint32_t>> along(const std::vector<bool>& involved,
                                                         std::uint32_t rank) const;

  std::uint32_t world_;
  std::vector<std::uint32_t> dimensions_;
  std::vector<Group> groups_;
  std::map<std::vector<std::uint32_t>, Index> by_ranks_;
  std::uint64_t unequal_ = 0;
};

}  // namespace ebb::trace
