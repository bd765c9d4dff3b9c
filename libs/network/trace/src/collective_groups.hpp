// SPDX-License-Identifier: Apache-2.0
//
// Collectives as traces record them, at each rank on its own: the k-th collective of a group of
// ranks is the same one at all of them, and each has a number that no other has.
//
//   const auto group = groups.index_of({0, 2, 4, 6});
//   groups.take_part(group, 4, kind, bytes(1024));  // of rank 4, in the order of its trace
//   groups.validate();
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/units/data.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace ebb::trace {

// Collectives are numbered through the whole trace, and their tags count from here; tags of
// messages are below it. All are below 2^31, so that the program can be written as Chakra, whose
// tags have 31 bits. Calls of MPI, which are not numbered through, have theirs from
// kFirstCollectiveCallTag on.
inline constexpr std::uint32_t kFirstNumberedCollectiveTag = 0x4000'0000;

class CollectiveGroups {
 public:
  using Index = std::size_t;

  // `ranks` ascend.
  Index index_of(std::vector<std::uint32_t> ranks);
  // The rank takes part in its next collective of the group. `kind` is any number that tells kinds
  // apart. Fails when it is another one than at the ranks before.
  [[nodiscard]] Result<void> take_part(Index group, std::uint32_t rank, std::uint32_t kind,
                                       DataSize size);
  // After the last rank: those that have left some out.
  [[nodiscard]] Errors validate() const;

  [[nodiscard]] const std::vector<std::uint32_t>& ranks(Index group) const {
    return groups_[group].ranks;
  }
  // Of a rank, in the list of its group.
  [[nodiscard]] std::uint32_t place(Index group, std::uint32_t rank) const;
  // The largest that a rank has said.
  [[nodiscard]] DataSize size(Index group, std::size_t which) const {
    return groups_[group].sequence[which].size;
  }
  // How many collectives all groups before each one have.
  [[nodiscard]] std::vector<std::uint64_t> first_numbers() const;
  // Collectives whose ranks disagree about their size.
  [[nodiscard]] std::uint64_t unequal() const { return unequal_; }

 private:
  struct Common {
    std::uint32_t kind = 0;
    DataSize size{};
    bool is_unequal = false;
  };
  struct Group {
    std::vector<std::uint32_t> ranks;
    std::vector<Common> sequence;
    std::vector<std::size_t> taken_part;  // how often, by place in `ranks`
  };

  std::vector<Group> groups_;
  std::map<std::vector<std::uint32_t>, Index> by_ranks_;
  std::uint64_t unequal_ = 0;
};

}  // namespace ebb::trace
