// SPDX-License-Identifier: Apache-2.0
#include "layout/places.hpp"

#include <cmath>
#include <numbers>

namespace ebb::report {
namespace {

Point on_circle_at(std::uint32_t i, std::uint32_t count) {
  const double angle = 2 * std::numbers::pi * i / count;
  return {std::sin(angle), -std::cos(angle)};
}

}  // namespace

std::vector<Point> on_circle(std::uint32_t count) {
  std::vector<Point> points;
  points.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) points.push_back(on_circle_at(i, count));
  return points;
}

std::vector<Point> around_first(std::uint32_t count) {
  std::vector<Point> points = on_circle(count - 1);
  points.insert(points.begin(), Point{});
  return points;
}

std::vector<Point> in_groups(std::uint32_t count, std::uint32_t group) {
  const std::uint32_t groups = (count + group - 1) / group;
  // Neighbouring small circles leave a gap between them.
  const double radius = groups < 2 ? 1 : 0.7 * std::sin(std::numbers::pi / groups);
  std::vector<Point> points;
  points.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Point centre = on_circle_at(i / group, groups);
    const Point offset = on_circle_at(i % group, group);
    points.push_back({centre.x + radius * offset.x, centre.y + radius * offset.y});
  }
  return points;
}

}  // namespace ebb::report
