// SPDX-License-Identifier: Apache-2.0
#include "patterns/tornado.hpp"

#include <algorithm>
#include <utility>

namespace ebb::traffic::tornado {
namespace {

std::uint32_t half_way_minus_one(std::uint32_t k) { return (k + 1) / 2 - 1; }

// Switches on rings, the first varying fastest. A flat network is one ring of one-host switches.
class Tornado final : public Pattern {
 public:
  Tornado(std::uint32_t hosts_per_switch, std::vector<std::uint32_t> rings)
      : hosts_per_switch_(hosts_per_switch), rings_(std::move(rings)) {}

  std::uint32_t destination(std::uint32_t source, std::uint64_t /*sequence*/,
                            RandomStream& /*stream*/) const override {
    std::uint32_t rest = source / hosts_per_switch_;
    std::uint32_t stride = hosts_per_switch_;
    std::uint32_t result = source % hosts_per_switch_;
    for (const std::uint32_t k : rings_) {
      const std::uint64_t moved = std::uint64_t{rest % k} + half_way_minus_one(k);
      result += static_cast<std::uint32_t>(moved % k) * stride;
      rest /= k;
      stride *= k;
    }
    return result;
  }

 private:
  std::uint32_t hosts_per_switch_;
  std::vector<std::uint32_t> rings_;
};

Result<std::unique_ptr<Pattern>> make(const Shape& shape, const Parameters& /*parameters*/,
                                      std::uint64_t /*seed*/) {
  const bool flat = shape.dims.empty();
  auto rings = flat ? std::vector<std::uint32_t>{shape.hosts} : shape.dims;
  if (*std::max_element(rings.begin(), rings.end()) < 3) {
    return fail(flat ? "tornado needs 3 hosts or more: half way round 2 minus one is no way at all"
                     : "tornado needs a dimension of 3 switches or more: half way round 2 minus "
                       "one is no way at all");
  }
  return std::make_unique<Tornado>(flat ? 1 : shape.hosts_per_switch, std::move(rings));
}

}  // namespace

PatternKind kind() {
  return {.name = "tornado",
          .summary = "half way round minus one, in every dimension of a grid",
          .parameters = {},
          .make = make};
}

}  // namespace ebb::traffic::tornado
