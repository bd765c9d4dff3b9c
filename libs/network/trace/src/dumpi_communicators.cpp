// SPDX-License-Identifier: Apache-2.0
#include "dumpi_communicators.hpp"

#include <algorithm>
#include <utility>

namespace ebb::trace {

Communicators::Communicators(std::uint32_t ranks) : parent_{kWorld}, joined_(1) {
  joined_[kWorld].reserve(ranks);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) joined_[kWorld].push_back({rank, rank});
}

Communicators::Origin Communicators::next_origin(std::uint32_t rank, std::uint32_t parent,
                                                 std::int64_t colour) {
  return {parent, made_[{rank, parent}]++, colour};
}

std::uint32_t Communicators::make(std::uint32_t rank, std::uint32_t parent, std::int64_t colour,
                                  std::int64_t key) {
  const auto next = static_cast<std::uint32_t>(joined_.size());
  const auto [found, is_new] = by_origin_.emplace(next_origin(rank, parent, colour), next);
  if (is_new) {
    joined_.emplace_back();
    parent_.push_back(parent);
  }
  joined_[found->second].push_back({key, rank});
  return found->second;
}

std::uint32_t Communicators::made(std::uint32_t rank, std::uint32_t parent, std::int64_t colour) {
  return by_origin_.at(next_origin(rank, parent, colour));
}

// A communicator has a higher index than the one that it was made of. Equal keys keep the order
// that ranks have there.
void Communicators::resolve() {
  places_.resize(joined_.size());
  members_.resize(joined_.size());
  for (std::uint32_t which = 0; which < joined_.size(); ++which) {
    std::vector<Member>& joined = joined_[which];
    std::ranges::sort(joined, {}, [&](const Member& member) {
      const auto above =
          which == kWorld ? std::optional(member.rank) : place(parent_[which], member.rank);
      return std::tuple(member.key, above, member.rank);
    });
    for (const Member& member : joined) {
      places_[which].emplace(member.rank, static_cast<std::uint32_t>(members_[which].size()));
      members_[which].push_back(member.rank);
    }
  }
}

std::optional<std::uint32_t> Communicators::place(std::uint32_t communicator,
                                                  std::uint32_t rank) const {
  const auto found = places_[communicator].find(rank);
  if (found == places_[communicator].end()) return std::nullopt;
  return found->second;
}

}  // namespace ebb::trace
