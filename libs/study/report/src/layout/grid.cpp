// SPDX-License-Identifier: Apache-2.0
#include "layout/places.hpp"

namespace ebb::report {
namespace {

// Blocks of further dimensions stand apart by this many columns.
constexpr double kBlockGap = 0.8;

// How far a step along each dimension leads, and whether to the right or down.
std::vector<Point> steps(const std::vector<std::uint32_t>& dims) {
  std::vector<Point> made;
  Point next{1, 1};
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const bool right = d % 2 == 0;
    made.push_back(right ? Point{next.x, 0} : Point{0, next.y});
    double& size = right ? next.x : next.y;
    size = size * dims[d] + kBlockGap;
  }
  return made;
}

}  // namespace

std::vector<Point> on_grid(const std::vector<std::uint32_t>& dims) {
  const std::vector<Point> step = steps(dims);
  std::uint32_t count = 1;
  for (const std::uint32_t dim : dims) count *= dim;
  std::vector<Point> points(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t rest = i;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      const std::uint32_t coordinate = rest % dims[d];
      rest /= dims[d];
      points[i].x += coordinate * step[d].x;
      points[i].y += coordinate * step[d].y;
    }
  }
  return points;
}

}  // namespace ebb::report
