// SPDX-License-Identifier: Apache-2.0
//
// Patterns that know grids: tornado, neighbour.

#include "kinds.hpp"

#include <algorithm>
#include <utility>

// Half way round minus one, the worst case of minimal routing on rings (Dally and Towles,
// Principles and Practices of Interconnection Networks, Section 3.2). On a grid every coordinate x
// of k moves to (x + ceil(k/2) - 1) mod k and the place at the switch stays; on other networks the
// hosts form one ring: i sends to (i + ceil(N/2) - 1) mod N.
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

// The halo exchange of a stencil on a periodic grid: a host sends to the hosts in its place at the
// neighbouring switches in turn, one up and one down in each dimension, the first dimension first.
// A dimension of 2 switches has one neighbour, a dimension of 1 none. Lines are closed: on a mesh
// the two ends of a line are partners too.
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
