// SPDX-License-Identifier: Apache-2.0
#include "collective_groups.hpp"

#include "ebb/program/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ebb::trace {

CollectiveGroups::Index CollectiveGroups::index_of(std::vector<std::uint32_t> ranks) {
  const auto [at, is_new] = by_ranks_.try_emplace(ranks, groups_.size());
  if (is_new) {
    const std::size_t size = ranks.size();
    groups_.push_back({std::move(ranks), {}, std::vector<std::size_t>(size)});
  }
  return at->second;
}

std::uint32_t CollectiveGroups::place(Index group, std::uint32_t rank) const {
  const std::vector<std::uint32_t>& ranks = groups_[group].ranks;
  return static_cast<std::uint32_t>(std::ranges::lower_bound(ranks, rank) - ranks.begin());
}

Result<void> CollectiveGroups::take_part(Index group, std::uint32_t rank, std::uint32_t kind,
                                         DataSize size) {
  Group& taken = groups_[group];
  const std::size_t which = taken.taken_part[place(group, rank)]++;
  if (which == taken.sequence.size()) {
    taken.sequence.push_back({kind, size, false});
    return {};
  }
  Common& common = taken.sequence[which];
  if (common.kind != kind) {
    return fail(fmt::format(
        "it is collective {} of its group, which is of another kind at the ranks before", which));
  }
  if (common.size != size && !common.is_unequal) {
    common.is_unequal = true;
    ++unequal_;
  }
  common.size = std::max(common.size, size);
  return {};
}

Errors CollectiveGroups::validate() const {
  Errors errors;
  for (const Group& group : groups_) {
    for (std::size_t place = 0; place < group.ranks.size(); ++place) {
      if (group.taken_part[place] == group.sequence.size()) continue;
      if (errors.size() >= program::kMostErrors) return errors;
      errors.push_back(
          {fmt::format("takes part in {} of the {} collectives of its group of {} ranks",
                       group.taken_part[place], group.sequence.size(), group.ranks.size()),
           {{}, 0, 0, fmt::format("rank {}", group.ranks[place])}});
    }
  }
  return errors;
}

std::vector<std::uint64_t> CollectiveGroups::first_numbers() const {
  std::vector<std::uint64_t> numbers;
  numbers.reserve(groups_.size());
  std::uint64_t next = 0;
  for (const Group& group : groups_) {
    numbers.push_back(next);
    next += group.sequence.size();
  }
  return numbers;
}

}  // namespace ebb::trace
