// SPDX-License-Identifier: Apache-2.0
//
// The efficiency of a power supply fitted to samples of what it takes and what it gives, as
// supplies tell of themselves:
//
//   time,input_w,output_w
//
// With the efficiency eta_k at load x_k, and straight lines between:
//
//   output / input = sum over k of eta_k h_k(output / rated)
//
// where h_k is 1 at x_k, 0 at all other points, and straight between them. Points lie at the least
// and the most load that was seen, and at those between that are asked for.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/measurements/fit.hpp"
#include "ebb/measurements/series.hpp"
#include "ebb/units/energy.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ebb::measurements {

enum class SampleLeftOut : std::uint8_t { no_power, gain, overload };
inline constexpr std::size_t kSampleLeftOutReasons = 3;
[[nodiscard]] std::string_view to_text(SampleLeftOut reason);

struct SupplySeries {
  Power rated;                     // output of the supply
  std::vector<double> loads;       // output over rated output
  std::vector<double> efficiency;  // output over input
  std::array<std::size_t, kSampleLeftOutReasons> left_out{};
};

[[nodiscard]] Result<SupplySeries> read_supply(const CsvText& samples, Power rated);

// All shares.
struct FittedPoint {
  double load = 0;
  double efficiency = 0;
  double low = 0;  // of 95 %
  double high = 0;
};

struct SupplyFit {
  Power rated;
  std::vector<FittedPoint> points;
  std::vector<double> not_told;  // loads at which no sample tells the efficiency
  Residuals residuals;           // shares instead of watts
  std::size_t samples = 0;
};

// `loads` ascend. Fails when there are too few samples.
[[nodiscard]] Result<SupplyFit> fit_supply(const SupplySeries& series,
                                           const std::vector<double>& loads);

// A part needs an efficiency at full load: where that was not seen, the last one is kept, with a
// source that says it is assumed. Errors: what lacks.
[[nodiscard]] Result<power::Library> library_of(const SupplyFit& fit, const std::string& name,
                                                const power::Source& source);

}  // namespace ebb::measurements
