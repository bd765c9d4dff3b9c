// SPDX-License-Identifier: Apache-2.0
//
// A group of several serves as many ports as the others of its kind: the first the first ports, and
// so on.
#include "ebb/power/group_numbers.hpp"

#include <algorithm>
#include <utility>

namespace ebb::power {

GroupNumbers::GroupNumbers(std::vector<GroupKind> kinds) : kinds_(std::move(kinds)) {
  for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
    first_.push_back(kind_of_.size());
    kind_of_.insert(kind_of_.end(), kinds_[kind].count, kind);
    const bool is_named = std::any_of(kinds_.begin(), kinds_.end(),
                                      [&](const GroupKind& one) { return one.after == kind; });
    if (!is_named) of_ports_.push_back(kind);
  }
}

std::optional<std::size_t> GroupNumbers::before(std::size_t number) const {
  const std::size_t own = kind_of_[number];
  const auto before = kinds_[own].after;
  if (!before) return std::nullopt;
  const std::size_t first_port = (number - first_[own]) * kinds_[own].ports;
  return first_[*before] + served(*before, first_port);
}

}  // namespace ebb::power
