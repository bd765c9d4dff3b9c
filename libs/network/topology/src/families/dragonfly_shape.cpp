// SPDX-License-Identifier: Apache-2.0
#include "families/dragonfly_shape.hpp"

#include "families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace ebb::topology::dragonfly {
namespace {

// Switches one global link away from switch s of group 0, as numbers of the whole network.
std::vector<std::int64_t> across(const Shape& shape, std::int64_t s) {
  std::vector<std::int64_t> switches;
  const std::int64_t end = std::min((s + 1) * shape.h, shape.global_ports());
  for (std::int64_t port = s * shape.h; port < end; ++port) {
    const std::int64_t group = (shape.g - shape.distance(port)) % shape.g;
    switches.push_back(group * shape.a + shape.partner(port) / shape.h);
  }
  return switches;
}

// Switches at most `hops` links from switch s of group 0. Neighbours of other groups are those of
// group 0, turned.
class Neighbourhood {
 public:
  explicit Neighbourhood(const Shape& shape)
      : shape_(shape), seen_(static_cast<std::size_t>(shape.a * shape.g)) {
    for (std::int64_t s = 0; s < shape.a; ++s) across_.push_back(across(shape, s));
  }

  [[nodiscard]] std::int64_t within(std::int64_t s, int hops) {
    std::fill(seen_.begin(), seen_.end(), false);
    std::vector<std::int64_t> frontier = {s};
    seen_[static_cast<std::size_t>(s)] = true;
    std::int64_t count = 1;
    for (int hop = 0; hop < hops; ++hop) {
      std::vector<std::int64_t> next;
      for (const std::int64_t from : frontier) expand(from, next);
      count += static_cast<std::int64_t>(next.size());
      frontier = std::move(next);
    }
    return count;
  }

 private:
  void expand(std::int64_t from, std::vector<std::int64_t>& next) {
    const std::int64_t group = from / shape_.a;
    for (std::int64_t s = 0; s < shape_.a; ++s) visit(group * shape_.a + s, next);
    for (const std::int64_t to : across_[static_cast<std::size_t>(from % shape_.a)])
      visit((group * shape_.a + to) % (shape_.a * shape_.g), next);
  }

  void visit(std::int64_t to, std::vector<std::int64_t>& next) {
    if (seen_[static_cast<std::size_t>(to)]) return;
    seen_[static_cast<std::size_t>(to)] = true;
    next.push_back(to);
  }

  const Shape& shape_;
  std::vector<std::vector<std::int64_t>> across_;
  std::vector<bool> seen_;
};

}  // namespace

std::int64_t Shape::distance(std::int64_t port) const {
  const std::int64_t x = port % (g - 1);
  if (port / (g - 1) < cycles || x < near_pairs) return x + 1;
  if (opposite && x == near_pairs) return g / 2;
  return g - (last_cycle() - x);
}

std::int64_t Shape::partner(std::int64_t port) const {
  const std::int64_t cycle = port / (g - 1);
  const std::int64_t size = cycle < cycles ? g - 1 : last_cycle();
  return cycle * (g - 1) + size - 1 - port % (g - 1);
}

// At distance d < g/2 a run of groups has d links across each of its two ends; at g/2 every link
// crosses.
std::int64_t Shape::bisection() const {
  const std::int64_t near = (g - 1) / 2;
  const std::int64_t full = product({cycles, near, near + 1});
  const std::int64_t last = product({near_pairs, near_pairs + 1});
  const std::int64_t across = g % 2 == 0 ? cycles + (opposite ? 1 : 0) : 0;
  return sum({full, last, product({across, g / 2})});
}

Result<Shape> shape_of(const Parameters& parameters, std::int64_t p, std::int64_t a,
                       std::string_view a_name) {
  Shape shape{p, a, parameters.integer("h"), parameters.integer("g")};
  const std::int64_t ports = shape.a * shape.h;
  if (shape.g == 0) shape.g = ports + 1;
  if (shape.g < 2 || shape.g > ports + 1) {
    return fail(fmt::format("'g' must be between 2 and {}*h+1 = {}, so that every pair of groups "
                            "is joined, got {}",
                            a_name, ports + 1, shape.g),
                {.path = "g"});
  }
  const bool fill = parameters.integer("fill") == 1;
  shape.cycles = fill ? ports / (shape.g - 1) : 1;
  const std::int64_t rest = fill ? ports % (shape.g - 1) : 0;
  shape.near_pairs = rest / 2;
  shape.opposite = rest % 2 == 1 && shape.g % 2 == 0;
  return shape;
}

// Each link once: from its end with the shorter way round, and for the opposite group from the
// first half of the circle.
void join_groups(GraphBuilder& builder, const Shape& shape, std::int64_t stride,
                 std::int64_t first) {
  const auto node = [&](std::int64_t group, std::int64_t port) {
    return builder.switch_node(static_cast<std::uint32_t>(group * stride + first + port / shape.h));
  };
  for (std::int64_t port = 0; port < shape.global_ports(); ++port) {
    const std::int64_t distance = shape.distance(port);
    if (2 * distance > shape.g) continue;
    const std::int64_t groups = 2 * distance == shape.g ? shape.g / 2 : shape.g;
    for (std::int64_t i = 0; i < groups; ++i) {
      const std::int64_t other = (i - distance + shape.g) % shape.g;
      builder.connect(node(i, port), node(other, shape.partner(port)));
    }
  }
}

std::int64_t diameter(const Shape& shape) {
  const std::int64_t switches = product({shape.a, shape.g});
  const std::int64_t degree = shape.a - 1 + shape.h;
  // Two links reach degree^2 + 1 switches at most.
  if (switches > sum({product({degree, degree}), 1})) return 3;
  constexpr std::int64_t kLongestSearch = 10'000'000;
  if (product({shape.a, switches, degree}) > kLongestSearch) return 3;
  Neighbourhood neighbourhood(shape);
  std::int64_t longest = 0;
  for (std::int64_t s = 0; s < shape.a; ++s) {
    int hops = 0;
    while (neighbourhood.within(s, hops) < switches) ++hops;
    longest = std::max<std::int64_t>(longest, hops);
  }
  return longest;
}

}  // namespace ebb::topology::dragonfly
