// SPDX-License-Identifier: Apache-2.0
//
// The numbers behind a plot. What is drawn, printed in a report or saved as a file is a Table
// first, so that a reader can check a picture against its numbers.
#pragma once

#include "ebb/core/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ebb::plots {

// Nothing, where a value does not exist: the confidence interval of a single run.
using Cell = std::variant<std::monostate, double, std::string>;

struct Column {
  enum class Kind : std::uint8_t { number, text };

  std::string name;   // for programs: "relative_power"
  std::string label;  // for people: "power of the channels"
  std::string unit;   // empty for counts and words
  Kind kind = Kind::number;
};

struct Table {
  std::string title;
  std::string note;  // how to read it
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  // as many cells as columns

  // Position of a column; a name that is not there is a bug.
  [[nodiscard]] std::size_t column(std::string_view name) const;
};

// First line: the names, each with its unit as in "offered_load [%]". Numbers in the shortest
// form that reads back as the same number.
[[nodiscard]] std::string to_csv(const Table& table);

// The other way round: the file's name is the title, and a column is of numbers when all its cells
// are, or are empty. Quotes as in RFC 4180. At most kMostCsvCells cells.
[[nodiscard]] Result<Table> read_csv(std::string_view text, const std::string& file);
inline constexpr std::size_t kMostCsvCells = 10'000'000;

// {"title", "note", "columns": [{"name", "label", "unit", "kind"}], "rows": [[...]]}
[[nodiscard]] std::string to_json(const Table& table);

}  // namespace ebb::plots
