// SPDX-License-Identifier: Apache-2.0
//
// The code that measures a row and draws its figures. Adding one is adding a file to
// src/experiments (docs/repro.md).
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/plots/figure.hpp"
#include "ebb/repro/lab.hpp"
#include "ebb/repro/row.hpp"

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ebb::repro {

// Named numbers, in the unit that the row's file states. A figure may need more of them than the
// paper printed.
using Measurements = std::vector<std::pair<std::string, double>>;

enum class Cost : std::uint8_t {
  computed,   // in no time
  simulated,  // in seconds to a minute; tests repeat it
  lengthy     // in minutes; only made again with the table of all results
};
[[nodiscard]] std::string cost_text(Cost cost);

struct Experiment {
  std::string id;
  Result<Measurements> (*measure)(Lab& lab) = nullptr;
  Cost cost = Cost::computed;
  // The paper's figures or tables again, from what was measured.
  std::vector<plots::Figure> (*draw)(const Row& row, const Measurements& measured) = nullptr;
};

[[nodiscard]] std::span<const Experiment> experiments();
[[nodiscard]] const Experiment* find_experiment(std::string_view id);  // null: not yet

enum class Verdict : std::uint8_t { reproduced, differs, shown, not_measured };

struct Outcome {
  Published published;
  double measured = 0;
  Verdict verdict = Verdict::not_measured;
};

struct Finding {
  std::vector<Outcome> outcomes;
  std::vector<plots::Figure> figures;
  std::set<std::uint64_t> seeds;  // of the simulations; none when it was computed
};

// Measures a row and judges each published value. A row without an experiment gives an error.
[[nodiscard]] Result<Finding> run(const Row& row, Lab& lab);

[[nodiscard]] Verdict judge(const Published& published, double measured);
[[nodiscard]] bool failed(const Finding& finding);  // a value differs or was not measured

// The measured number with as many decimals as are worth comparing with the published text.
[[nodiscard]] std::string measured_text(const Published& published, double measured);
[[nodiscard]] std::string tolerance_text(const Published& published);
[[nodiscard]] std::string verdict_text(Verdict verdict);

}  // namespace ebb::repro
