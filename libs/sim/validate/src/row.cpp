// SPDX-License-Identifier: Apache-2.0
#include "ebb/validate/row.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace ebb::validate {
namespace {

Verdict verdict(bool holds) { return holds ? Verdict::holds : Verdict::fails; }

}  // namespace

Row exact(std::string name, std::int64_t expected, std::int64_t measured, std::string unit) {
  return {.name = std::move(name),
          .expected = static_cast<double>(expected),
          .measured = static_cast<double>(measured),
          .tolerance = "exact",
          .unit = std::move(unit),
          .verdict = verdict(expected == measured),
          .note = {}};
}

Row within(std::string name, double expected, double measured, double share, std::string unit) {
  return {.name = std::move(name),
          .expected = expected,
          .measured = measured,
          .tolerance = fmt::format("+-{:g} %", 100 * share),
          .unit = std::move(unit),
          .verdict = verdict(std::abs(measured - expected) <= share * std::abs(expected)),
          .note = {}};
}

Row at_least(std::string name, double expected, double measured, std::string unit) {
  return {.name = std::move(name),
          .expected = expected,
          .measured = measured,
          .tolerance = "at least",
          .unit = std::move(unit),
          .verdict = verdict(measured >= expected),
          .note = {}};
}

Row at_most(std::string name, double expected, double measured, std::string unit) {
  Row row = at_least(std::move(name), expected, measured, std::move(unit));
  row.tolerance = "at most";
  row.verdict = verdict(measured <= expected);
  return row;
}

}  // namespace ebb::validate
