// SPDX-License-Identifier: Apache-2.0
#include "ebb/repro/experiment.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace ebb::repro {
namespace {

int decimals_of(const std::string& text) {
  const auto point = text.find('.');
  return point == std::string::npos ? 0 : static_cast<int>(text.size() - point - 1);
}

// Round half up at the printed decimals, as papers do (1.125 is printed 1.13).
double rounded(double value, int decimals) {
  const double scale = std::pow(10.0, decimals);
  return std::floor(value * scale + 0.5) / scale;
}

}  // namespace

Verdict judge(const Published& published, double measured) {
  const double value = std::strtod(published.value.c_str(), nullptr);
  bool same = false;
  switch (published.tolerance) {
    case Tolerance::shown:
      return Verdict::shown;
    case Tolerance::exact:
      same = measured == value;
      break;
    case Tolerance::above:
      same = measured > value;
      break;
    case Tolerance::below:
      same = measured < value;
      break;
    case Tolerance::band:
      same = std::abs(measured - value) <= published.band_width;
      break;
    case Tolerance::rounded: {
      const int decimals = decimals_of(published.value);
      same = fmt::format("{:.{}f}", rounded(measured, decimals), decimals) ==
             fmt::format("{:.{}f}", value, decimals);
      break;
    }
  }
  return same ? Verdict::reproduced : Verdict::differs;
}

std::string measured_text(const Published& published, double measured) {
  if (measured == std::floor(measured) && std::abs(measured) < 1e15)
    return fmt::format("{:.0f}", measured);
  return fmt::format("{:.{}f}", measured, decimals_of(published.value) + 2);
}

std::string tolerance_text(const Published& published) {
  switch (published.tolerance) {
    case Tolerance::exact:
      return "exact";
    case Tolerance::rounded:
      return "as printed";
    case Tolerance::band:
      return fmt::format("+-{:g}", published.band_width);
    case Tolerance::above:
      return "above";
    case Tolerance::below:
      return "below";
    case Tolerance::shown:
      return "see note";
  }
  return "";
}

std::string verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::reproduced:
      return "reproduced";
    case Verdict::differs:
      return "DIFFERS";
    case Verdict::shown:
      return "both shown";
    case Verdict::not_measured:
      return "NOT MEASURED";
  }
  return "";
}

}  // namespace ebb::repro
