// SPDX-License-Identifier: Apache-2.0
//
// A published result and what counts as having reproduced it. Rows are data under repro/, one file
// each; the code that measures a row is found by its id.
#pragma once

#include "ebb/core/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
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

}  // namespace ebb::repro
