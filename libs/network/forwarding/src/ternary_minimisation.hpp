// SPDX-License-Identifier: Apache-2.0
//
// Ternary minimisation: few masked values that tell a field's values apart by their outputs, with
// priorities. Values that do not occur may match anything. An output of low priority may also match
// the values of those above it, which have been taken by then.
//
// The search for the fewest is NP-hard; this is a greedy search, polynomial and the same on every
// call. Outputs that would need the most masks on their own come last. Each takes, for its lowest
// value not yet covered, the largest of a few cubes that can be grown from there. Never more masks
// than values.
#pragma once

#include "table_routing.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ebb::forwarding {

struct Cube {
  std::uint64_t value = 0;
  std::uint64_t mask = 0;  // bits that must be as in `value`

  [[nodiscard]] bool holds(std::uint64_t other) const { return (other & mask) == value; }
};

struct TernaryEntry {
  Cube cube;
  std::uint32_t output = 0;
};

// The outputs of a field's values.
struct OutputsByValue {
  static constexpr std::int32_t kAny = -1;   // does not occur
  static constexpr std::int32_t kNone = -2;  // no mask may match it
  int bits = 0;
  std::vector<std::int32_t> output;  // by value, 2^bits of them; outputs count from 0
};

// Layers of falling priority; the cubes of one layer are disjoint.
[[nodiscard]] std::vector<std::vector<TernaryEntry>> minimise(const OutputsByValue& outputs);

// Rules that match the values of one field by their next hops: `next_hops` by value of the field;
// nothing: a value that earlier layers have matched.
[[nodiscard]] Layers minimised(const Field& field,
                               std::span<const std::optional<TableRouting::NextHop>> next_hops);

}  // namespace ebb::forwarding
