// SPDX-License-Identifier: Apache-2.0
#include "grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace ebb::applications {
namespace {

constexpr std::int64_t kMostRanks = 1'000'000;

// The divisor of `ranks` that is nearest to a side of a square or cube of as many points.
std::int64_t shortest_side(std::int64_t ranks, int dimensions) {
  std::int64_t side = 1;
  for (std::int64_t i = 1; (dimensions == 3 ? i * i * i : i * i) <= ranks; ++i) {
    if (ranks % i == 0) side = i;
  }
  return side;
}

Point most_even_grid(std::int64_t ranks, int dimensions) {
  const std::int64_t third = dimensions == 3 ? shortest_side(ranks, 3) : 1;
  const std::int64_t second = shortest_side(ranks / third, 2);
  Point sides = {ranks / third / second, second, third};
  std::ranges::sort(sides, std::greater<>());
  return sides;
}

}  // namespace

Parameter ranks_parameter() { return {"ranks", Range<std::int64_t>{1, kMostRanks}, "16", "ranks"}; }

Parameter grid_parameter() {
  return {"grid", WholeList{0, kMostRanks}, "0",
          "ranks in each dimension, such as 4x4; 0: as even as possible"};
}

Result<Grid> Grid::from(const Parameters& parameters, int dimensions) {
  const std::int64_t ranks = parameters.integer("ranks");
  const std::vector<std::int64_t>& given = parameters.list("grid");
  if (given == std::vector<std::int64_t>{0}) return Grid(most_even_grid(ranks, dimensions));
  Point sides = {1, 1, 1};
  if (given.size() != static_cast<std::size_t>(dimensions)) {
    return fail(fmt::format("'grid' must have {} sides, got {}", dimensions, given.size()),
                {.path = "grid"});
  }
  std::ranges::copy(given, sides.begin());
  const double points =
      static_cast<double>(sides[0]) * static_cast<double>(sides[1]) * static_cast<double>(sides[2]);
  if (points != static_cast<double>(ranks)) {
    return fail(fmt::format("'grid' must have as many points as there are ranks, {}", ranks),
                {.path = "grid"});
  }
  return Grid(sides);
}

Point Grid::point(std::uint32_t rank) const {
  return {rank % sides_[0], rank / sides_[0] % sides_[1], rank / (sides_[0] * sides_[1])};
}

std::optional<std::uint32_t> Grid::rank(const Point& point) const {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (point[axis] < 0 || point[axis] >= sides_[axis]) return std::nullopt;
  }
  return periodic(point);
}

std::uint32_t Grid::periodic(const Point& point) const {
  Point inside{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    inside[axis] = (point[axis] % sides_[axis] + sides_[axis]) % sides_[axis];
  return static_cast<std::uint32_t>(inside[0] + sides_[0] * (inside[1] + sides_[1] * inside[2]));
}

Errors validate_ranks(std::int64_t ranks, std::string_view needed, std::int64_t most,
                      const std::function<bool(std::int64_t)>& works) {
  if (ranks <= most && works(ranks)) return {};
  std::int64_t nearest = std::min(ranks, most);
  for (std::int64_t distance = 0; !works(nearest); ++distance) {
    const std::int64_t from = std::min(ranks, most);
    if (from > distance && works(from - distance)) nearest = from - distance;
    if (from + distance <= most && works(from + distance)) nearest = from + distance;
  }
  return {{fmt::format("needs {}, not {}; the nearest is {}", needed, ranks, nearest),
           {.path = "ranks"}}};
}

bool is_power_of_two(std::int64_t number) {
  return std::has_single_bit(static_cast<std::uint64_t>(number));
}

std::optional<std::int64_t> square_root(std::int64_t number) {
  const auto root = std::llround(std::sqrt(static_cast<double>(number)));
  if (root * root != number) return std::nullopt;
  return root;
}

}  // namespace ebb::applications
