// SPDX-License-Identifier: Apache-2.0
#include "patterns/transpose.hpp"

#include <fmt/format.h>

namespace ebb::traffic::transpose {
namespace {

class Transpose final : public Pattern {
 public:
  explicit Transpose(std::uint32_t side) : side_(side) {}

  std::uint32_t destination(std::uint32_t source, std::uint64_t /*sequence*/,
                            RandomStream& /*stream*/) const override {
    return source % side_ * side_ + source / side_;
  }

  bool sends(std::uint32_t source) const override { return source % side_ != source / side_; }

 private:
  std::uint32_t side_;
};

// The largest m with m^2 <= n, by bits: no floating point.
std::uint64_t integer_root(std::uint64_t n) {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 16U; bit > 0; bit >>= 1U) {
    if ((root + bit) * (root + bit) <= n) root += bit;
  }
  return root;
}

Result<std::unique_ptr<Pattern>> make(const Shape& shape, const Parameters& /*parameters*/,
                                      std::uint64_t /*seed*/) {
  const std::uint64_t side = integer_root(shape.hosts);
  if (side * side == shape.hosts)
    return std::make_unique<Transpose>(static_cast<std::uint32_t>(side));
  const std::uint64_t above = (side + 1) * (side + 1);
  const bool down = side >= 2 && shape.hosts - side * side < above - shape.hosts;
  return fail(fmt::format("transpose needs a square number of hosts, not {}; the nearest is {}",
                          shape.hosts, down ? side * side : above));
}

}  // namespace

PatternKind kind() {
  return {.name = "transpose",
          .summary = "row and column of the host swapped; m^2 hosts",
          .parameters = {},
          .make = make};
}

}  // namespace ebb::traffic::transpose
