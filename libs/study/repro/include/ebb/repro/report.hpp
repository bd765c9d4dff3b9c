// SPDX-License-Identifier: Apache-2.0
//
// The reproduction table: every published result, what ebb measures, and the figures, as Markdown.
#pragma once

#include "ebb/plots/figure.hpp"
#include "ebb/repro/experiment.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ebb::repro {

struct Entry {
  Row row;
  std::optional<RowResult> finding;  // none: not yet, or
  bool cannot_run_here = false;
};

enum class Pictures : std::uint8_t { linked, left_out };

// One table of all entries, then a section for each that was measured.
[[nodiscard]] std::string report_markdown(std::span<const Entry> entries, Pictures pictures);

// Every judged value, one row each.
[[nodiscard]] plots::Table report_values(std::span<const Entry> entries);

// Measures each row that has an experiment; `begin` is called before one is measured.
[[nodiscard]] Result<std::vector<Entry>> measure(std::span<const Row> rows, RunCache& cache,
                                                 const std::function<void(const Row&)>& begin);
[[nodiscard]] bool any_failed(std::span<const Entry> entries);

// README.md, values.csv, and an SVG and a CSV for each figure, in a folder that exists. Needs
// gnuplot.
[[nodiscard]] Errors write_report(std::span<const Entry> entries, const std::string& folder);

// Name of a figure's files without extension: "A6-figure-8b".
[[nodiscard]] std::string file_name(const Row& row, const plots::Figure& figure);

}  // namespace ebb::repro
