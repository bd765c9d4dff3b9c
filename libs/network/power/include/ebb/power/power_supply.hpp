// SPDX-License-Identifier: Apache-2.0
//
// What a switch takes from the wall: its power goes through supplies that lose some of it.
//
// n supplies of rated output R share the output P evenly, so each works at the load x = P / (n R).
// The efficiency eta(x) is linear between the points that are known, and
//   P_wall = P / eta(x)
// Below the first point, x_1, the loss in watts stays what it is there: nobody certifies less, and
// the loss of a real supply only falls. Beyond full load the efficiency stays that of full load.
//   P_wall = P + n R x_1 (1 / eta_1 - 1)   for x < x_1
// Loads and efficiencies are taken to a millionth, rounded down, and P_wall is rounded up to a
// microwatt: integers, the same on every machine. docs/models/power.md has sources and validity.
//
//   const auto supply = supply_of(chip, library);
//   if (*supply) print((*supply)->at_wall(chip_power(chip)));
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/power/library.hpp"
#include "ebb/power/part.hpp"
#include "ebb/units/energy.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ebb::power {

// An output of which the mean and the limits are known.
struct OutputRange {
  Power least;
  Power mean;
  Power most;
};

class SwitchSupply {
 public:
  // Points as validate() accepts them; `count` supplies of that rated output.
  SwitchSupply(std::span<const EfficiencyPoint> efficiency, Power rated, int count);

  // What all supplies together are rated for.
  [[nodiscard]] Power capacity() const { return capacity_; }
  [[nodiscard]] Power at_wall(Power output) const;
  // All that it holds, a line: for fingerprints.
  [[nodiscard]] std::string text() const;

  // By how much the mean of at_wall() may differ from at_wall() of the mean, at most, whatever the
  // output does between its limits m_0 and m_1. A function whose slope is between s_0 and s_1 over
  // a mean m differs by (s_1 - s_0) / 2 times the mean distance from m, which is
  // 2 (m - m_0) (m_1 - m) / (m_1 - m_0) at most.
  [[nodiscard]] Power mean_differs_by(const OutputRange& output) const;

  bool operator==(const SwitchSupply&) const = default;

 private:
  // In millionths.
  struct Point {
    std::int64_t load = 0;
    std::int64_t efficiency = 0;

    bool operator==(const Point&) const = default;
  };
  struct Slopes;

  // The point that ends the part of the curve in which that output lies; the first one for all that
  // is below it, none beyond full load.
  [[nodiscard]] std::size_t end_of(Power output) const;
  [[nodiscard]] Power output_at(const Point& point) const;
  [[nodiscard]] std::int64_t efficiency_at(std::size_t end, Power output) const;
  void add_slopes(std::size_t end, Power output, Slopes& slopes) const;

  std::vector<Point> points_;
  Power capacity_;
};

// The supplies that the chip names; none: it names none. Libraries that were read name no supply
// that is not there, or not rated.
[[nodiscard]] Result<std::optional<SwitchSupply>> supply_of(const Chip& chip,
                                                            const Library& library);

// A mistake in the point of that index.
struct EfficiencyMistake {
  std::size_t point = 0;
  std::string message;
};

// Loads must ascend to full load, and what is taken from the wall must rise with the load.
[[nodiscard]] std::vector<EfficiencyMistake> validate(std::span<const EfficiencyPoint> efficiency);

}  // namespace ebb::power
