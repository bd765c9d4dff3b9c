// SPDX-License-Identifier: Apache-2.0
//
// Ranks as points of a grid, and numbers of ranks that an application can use. Rank r stands at
// x = r mod px, y = (r / px) mod py, z = r / (px py).
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/units/parameters.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace ebb::applications {

// `ranks` of every application, and `grid` of those that let the user choose one.
[[nodiscard]] Parameter ranks_parameter();
[[nodiscard]] Parameter grid_parameter();

using Point = std::array<std::int64_t, 3>;

class Grid {
 public:
  explicit Grid(const Point& sides) : sides_(sides) {}
  // The grid that the parameters name, of two or three dimensions; 0 is the one whose sides differ
  // least, the longest first.
  [[nodiscard]] static Result<Grid> from(const Parameters& parameters, int dimensions);

  [[nodiscard]] std::int64_t side(int axis) const { return sides_[static_cast<std::size_t>(axis)]; }
  [[nodiscard]] Point point(std::uint32_t rank) const;
  // None outside of the grid.
  [[nodiscard]] std::optional<std::uint32_t> rank(const Point& point) const;
  // As `rank`, where the grid goes on at its other side.
  [[nodiscard]] std::uint32_t periodic(const Point& point) const;

 private:
  Point sides_;
};

// The error of ranks that an application cannot use: it names the nearest number that works, up to
// `most`. "needs a square number of ranks, not 60; the nearest is 64".
[[nodiscard]] Errors validate_ranks(std::int64_t ranks, std::string_view needed, std::int64_t most,
                                    const std::function<bool(std::int64_t)>& works);

[[nodiscard]] bool is_power_of_two(std::int64_t number);
// The whole number whose square is `number`; none when there is none.
[[nodiscard]] std::optional<std::int64_t> square_root(std::int64_t number);

}  // namespace ebb::applications
