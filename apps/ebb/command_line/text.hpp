// SPDX-License-Identifier: Apache-2.0
//
// Text for people: tables, rounded quantities, parts with their evidence.
#pragma once

#include "ebb/power/library.hpp"
#include "ebb/units/energy.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::cli {

// Columns are as wide as needed; numbers stand to the right.
class Table {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    Align align = Align::left;
    std::string group = {};  // written above neighbours of the same group
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  // A row of one cell is a heading: it may be longer than its column.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  // For standard output, where its titles stand out on a terminal.
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] std::vector<std::size_t> widths() const;
  [[nodiscard]] std::string group_line(const std::vector<std::size_t>& widths) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Colours where a person looks: on a terminal, unless NO_COLOR is set or the terminal has none.
// Elsewhere the text comes back as it is.
enum class Colour : std::uint8_t { heading, name, error };
[[nodiscard]] bool is_coloured(std::FILE* where);
[[nodiscard]] std::string coloured(std::string_view text, Colour colour, std::FILE* where);

// 1234567 -> "1,234,567"
[[nodiscard]] std::string with_separators(std::int64_t number);

// Text broken at spaces into lines of at most `width` columns, each line indented.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t width,
                                  std::string_view indent);

// Quantities rounded for people: four digits and the unit that suits them.
[[nodiscard]] std::string short_text(Duration time);
[[nodiscard]] std::string short_text(Power power);
// 12345678 -> "12.35 M"
[[nodiscard]] std::string short_count(double number);

// A part as people read it: each number with its evidence, then the sources.
[[nodiscard]] std::string part_text(const power::Part& part, const power::Library& library);

// The kinds of evidence behind the numbers of a part: "measured", "published, assumed", ...
[[nodiscard]] std::string evidence_text(const power::Part& part, const power::Library& library);

}  // namespace ebb::cli
