// SPDX-License-Identifier: Apache-2.0
//
// Text tables for people: columns as wide as needed, numbers to the right.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ebb::cli {

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
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] std::vector<std::size_t> widths() const;
  [[nodiscard]] std::string group_line(const std::vector<std::size_t>& widths) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// 1234567 -> "1,234,567"
[[nodiscard]] std::string with_separators(std::int64_t number);

// Text broken at spaces into lines of at most `width` columns, each line indented.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t width,
                                  std::string_view indent);

// A CSV field, quoted when it has to be.
[[nodiscard]] std::string csv_field(std::string_view text);

}  // namespace ebb::cli
