// SPDX-License-Identifier: Apache-2.0
//
// The figures that are made of a results file: `ebb plot` draws them, the report shows them and
// their tables. Adding one: a file in src/results, a line in result_figures().
//
//   const auto runs = RunSet::read(store);
//   for (const ResultFigure& known : result_figures()) to_json(known.table(*runs));
#pragma once

#include "ebb/plots/figure.hpp"
#include "ebb/plots/run_set.hpp"
#include "ebb/plots/table.hpp"

#include <span>
#include <string>
#include <string_view>

namespace ebb::plots {

struct ResultFigure {
  std::string name;     // "power-load"
  std::string summary;  // one line
  Table (*table)(const RunSet& runs) = nullptr;
  Figure (*draw)(const Table& table) = nullptr;  // from the table alone
};

[[nodiscard]] std::span<const ResultFigure> result_figures();
[[nodiscard]] Result<const ResultFigure*> find_result_figure(std::string_view name);

}  // namespace ebb::plots
