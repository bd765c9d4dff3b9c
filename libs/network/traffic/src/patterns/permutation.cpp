// SPDX-License-Identifier: Apache-2.0
#include "patterns/permutation.hpp"

#include <numeric>
#include <utility>

namespace ebb::traffic::permutation {
namespace {

class Permutation final : public Pattern {
 public:
  explicit Permutation(std::vector<std::uint32_t> partner) : partner_(std::move(partner)) {}

  std::uint32_t destination(std::uint32_t source, std::uint64_t /*sequence*/,
                            RandomStream& /*stream*/) const override {
    return partner_[source];
  }

 private:
  std::vector<std::uint32_t> partner_;
};

// One shuffle (Fisher and Yates) of 0 .. n-1; false as soon as an element ends in its own place.
bool shuffle_without_fixed_point(std::vector<std::uint32_t>& order, RandomStream& stream) {
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t last = order.size(); last-- > 0;) {
    std::swap(order[last], order[stream.below(last + 1)]);
    if (order[last] == last) return false;
  }
  return true;
}

// Shuffles until none is in place: uniform among derangements, after e = 2.7 attempts on average.
Result<std::unique_ptr<Pattern>> make(const Shape& shape, const Parameters& /*parameters*/,
                                      std::uint64_t seed) {
  RandomStream stream(seed, "traffic/pattern/permutation");
  std::vector<std::uint32_t> order(shape.hosts);
  while (!shuffle_without_fixed_point(order, stream)) {
  }
  return std::make_unique<Permutation>(std::move(order));
}

}  // namespace

PatternKind kind() {
  return {.name = "permutation",
          .summary = "each host sends to one partner, drawn once for all hosts",
          .parameters = {},
          .make = make};
}

}  // namespace ebb::traffic::permutation
