// SPDX-License-Identifier: Apache-2.0
#include "patterns/neighbour.hpp"

#include <utility>

namespace ebb::traffic::neighbour {
namespace {

// One step along a line of `k` switches whose hosts are `stride` apart: `by` up, which is k-1 for
// one down.
struct Step {
  std::uint32_t stride = 0;
  std::uint32_t k = 0;
  std::uint32_t by = 0;
};

class Neighbour final : public Pattern {
 public:
  explicit Neighbour(std::vector<Step> steps) : steps_(std::move(steps)) {}

  std::uint32_t destination(std::uint32_t source, std::uint64_t sequence,
                            RandomStream& /*stream*/) const override {
    const Step& step = steps_[sequence % steps_.size()];
    const std::uint32_t x = source / step.stride % step.k;
    const std::uint32_t moved = x < step.k - step.by ? x + step.by : x - (step.k - step.by);
    return source - x * step.stride + moved * step.stride;
  }

 private:
  std::vector<Step> steps_;
};

Result<std::unique_ptr<Pattern>> make(const Shape& shape, const Parameters& /*parameters*/,
                                      std::uint64_t /*seed*/) {
  if (shape.dims.empty()) return fail("neighbour needs a grid; this network is none");
  std::vector<Step> steps;
  std::uint32_t stride = shape.hosts_per_switch;
  for (const std::uint32_t k : shape.dims) {
    if (k > 1) steps.push_back({stride, k, 1});
    if (k > 2) steps.push_back({stride, k, k - 1});
    stride *= k;
  }
  if (steps.empty()) return fail("neighbour needs a grid of two switches or more");
  return std::make_unique<Neighbour>(std::move(steps));
}

}  // namespace

PatternKind kind() {
  return {.name = "neighbour",
          .summary = "to the neighbouring switches of a grid in turn, as a stencil does",
          .parameters = {},
          .make = make};
}

}  // namespace ebb::traffic::neighbour
