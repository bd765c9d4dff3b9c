// SPDX-License-Identifier: Apache-2.0
//
// A published result (a row), the code that measures it (an experiment), and the verdict. Rows are
// data under repro/, one file each. An experiment is a file of src/experiments and is found by the
// id of its row; docs/repro.md tells how to add one.
//
//   RunCache cache(parts);
//   for (const Row& row : *read_rows("repro"))
//     if (find_experiment(row.id) != nullptr) const auto finding = run(row, cache);
//
// Invariant: a row without an experiment, and a value that differs, stay visible; nothing is judged
// that was not measured.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/plots/figure.hpp"
#include "ebb/repro/run_cache.hpp"

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ebb::repro {

// exact:   the measured number equals the published one.
// rounded: the measured number, rounded to the digits that were printed, equals the published one.
// band:    |measured - published| <= width.
// above, below: the published result is a bound.
// shown:   the published number contradicts the paper's own text; both are shown and the row says
// why.
enum class Tolerance : std::uint8_t { exact, rounded, band, above, below, shown };

struct Published {
  std::string name;   // what is measured, as the experiment calls it
  std::string label;  // for people
  std::string value;  // as printed in the paper, without thousands separators
  std::string unit;
  Tolerance tolerance = Tolerance::exact;
  double band_width = 0;
};

struct Row {
  std::string id;
  std::string result;
  std::string conditions;
  std::string claim;  // the published result in words
  std::string paper;  // title, venue, and the place in it
  std::string kind;   // "exact", "band", "claim", "live test", ...
  std::vector<Published> values;
  std::string note;  // counting rules, contradictions
};

// All rows of a folder, by id (A1, A2, ..., A10, ..., D4).
[[nodiscard]] Result<std::vector<Row>> read_rows(const std::string& folder);
// For tests and fuzzing.
[[nodiscard]] Result<Row> read_row_text(std::string_view text, const std::string& file);

// The rows with these ids, in their order; all rows without ids.
[[nodiscard]] Result<std::vector<Row>> choose_rows(std::vector<Row> rows,
                                                   std::span<const std::string> ids);

enum class Cost : std::uint8_t {
  computed,   // in no time
  simulated,  // in seconds to a minute; tests repeat it
  lengthy,    // in minutes; only made again with the table of all results
  live        // on real switches of this machine, in a minute; where it cannot, it says so
};
[[nodiscard]] std::string cost_text(Cost cost);

struct Experiment {
  std::string id;
  Result<Measurements> (*measure)(RunCache& cache) = nullptr;
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

struct RowResult {
  std::vector<Outcome> outcomes;
  std::vector<plots::Figure> figures;
  std::set<std::uint64_t> seeds;  // of the simulations; none when it was computed
};

// Measures a row and judges each published value. A row without an experiment gives an error.
[[nodiscard]] Result<RowResult> run(const Row& row, RunCache& cache);

[[nodiscard]] Verdict judge(const Published& published, double measured);
[[nodiscard]] bool failed(const RowResult& finding);  // a value differs or was not measured

// The measured number with as many decimals as are worth comparing with the published text.
[[nodiscard]] std::string measured_text(const Published& published, double measured);
[[nodiscard]] std::string tolerance_text(const Published& published);
[[nodiscard]] std::string verdict_text(Verdict verdict);

}  // namespace ebb::repro
