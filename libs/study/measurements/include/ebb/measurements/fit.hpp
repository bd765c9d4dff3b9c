// SPDX-License-Identifier: Apache-2.0
//
// The model of a box fitted to series by least squares. Base and energies are not negative; what a
// port draws may be, because fits scatter around zero. A parameter that the series cannot tell from
// others is named with them and has no value.
//
//   const auto fit = fit_box(*series);
//   for (const Estimate& estimate : fit->estimates) ...
//
// Intervals are of 95 %, by the covariance of Newey and West (1987), which holds when residuals are
// correlated in time. The number of neighbours is that of Andrews (1991) for the correlation seen.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/measurements/series.hpp"
#include "ebb/power/library.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ebb::measurements {

// In watts and joules.
struct Estimate {
  Parameter parameter;
  double value = 0;
  double low = 0;
  double high = 0;
  bool at_bound = false;  // the best value without the bound is negative
};

// Parameters of which only a combination shows in the power, or none at all.
struct Unidentified {
  std::vector<Parameter> parameters;
  bool never_used = false;  // the one parameter's regressor is always zero
};

struct Residuals {
  double rms = 0;                   // W, by intervals less parameters
  double largest = 0;               // W
  std::optional<double> r_squared;  // none: the power never changes
  double autocorrelation = 0;       // of neighbours
  std::size_t neighbours = 0;       // whose correlation the intervals allow for
};

struct Fit {
  std::vector<Estimate> estimates;
  std::vector<Unidentified> unidentified;
  Residuals residuals;
  std::size_t intervals = 0;
};

// Fails when there are too few intervals.
[[nodiscard]] Result<Fit> fit_box(const Series& series);

// What a part file needs beside the fit.
struct FittedBox {
  std::string name;  // of the part
  int ports = 0;
  power::Source source;
  std::map<std::string, std::string> media;  // by module, for names that tell none
};

// A setup is named as "100G LR", from which its rate and its medium are read. Errors: what lacks.
[[nodiscard]] Result<power::Library> library_of(const Fit& fit, const FittedBox& box);

}  // namespace ebb::measurements
