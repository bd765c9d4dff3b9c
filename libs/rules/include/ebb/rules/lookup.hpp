// SPDX-License-Identifier: Apache-2.0
//
// A table made quick to ask: rules of one priority and one pair of masks are found by hashing, so a
// question costs as many steps as there are such sets, not as there are rules.
#pragma once

#include "ebb/rules/table.hpp"

#include <absl/container/flat_hash_map.h>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace ebb::rules {

class Lookup {
 public:
  explicit Lookup(const Table& table);

  // The output of the matching rule of the highest priority.
  [[nodiscard]] std::optional<topology::ChannelId> output(Address source,
                                                          Address destination) const;

 private:
  using Values = std::pair<Address, Address>;
  struct Set {
    std::uint16_t priority = 0;
    Address source = 0;  // masks
    Address destination = 0;
    absl::flat_hash_map<Values, topology::ChannelId> outputs;
  };

  [[nodiscard]] Set& set_of(const Rule& rule);

  std::vector<Set> sets_;  // descending by priority
};

}  // namespace ebb::rules
