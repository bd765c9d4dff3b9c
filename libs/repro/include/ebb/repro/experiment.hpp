// SPDX-License-Identifier: Apache-2.0
//
// The code that measures a row. Adding one: a file in src/experiments, a line in experiments().
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/power/library.hpp"
#include "ebb/repro/row.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ebb::repro {

// Named numbers, in the unit that the row's file states.
using Measurements = std::vector<std::pair<std::string, double>>;

enum class Cost : std::uint8_t { computed, simulated };  // in no time, in seconds to minutes

struct Experiment {
  std::string id;
  Result<Measurements> (*measure)(const power::Library& parts) = nullptr;
  Cost cost = Cost::computed;
};

[[nodiscard]] std::span<const Experiment> experiments();

enum class Verdict : std::uint8_t { reproduced, differs, shown, not_measured };

struct Outcome {
  Published published;
  double measured = 0;
  Verdict verdict = Verdict::not_measured;
};

// Measures a row and judges each published value. A row without an experiment gives an error.
[[nodiscard]] Result<std::vector<Outcome>> run(const Row& row, const power::Library& parts);

[[nodiscard]] Verdict judge(const Published& published, double measured);

// The measured number with as many decimals as are worth comparing with the published text.
[[nodiscard]] std::string measured_text(const Published& published, double measured);

}  // namespace ebb::repro
