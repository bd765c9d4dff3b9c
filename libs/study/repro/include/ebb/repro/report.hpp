// SPDX-License-Identifier: Apache-2.0
//
// The reproduction table: every published result, what ebb measures, and the figures, as Markdown.
#pragma once

#include "ebb/plots/table.hpp"
#include "ebb/repro/experiment.hpp"

#include <optional>
#include <span>
#include <string>

namespace ebb::repro {

struct Entry {
  Row row;
  std::optional<Finding> finding;  // none: not yet
};

enum class Pictures : std::uint8_t { linked, left_out };

// One table of all entries, then a section for each that was measured.
[[nodiscard]] std::string report_markdown(std::span<const Entry> entries, Pictures pictures);

// Every judged value, one row each.
[[nodiscard]] plots::Table report_values(std::span<const Entry> entries);

// Name of a figure's files without extension: "A6-figure-8b".
[[nodiscard]] std::string file_name(const Row& row, const plots::Figure& figure);

}  // namespace ebb::repro
