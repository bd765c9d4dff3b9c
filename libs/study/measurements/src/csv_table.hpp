// SPDX-License-Identifier: Apache-2.0
//
// Series as CSV: rows by the names of their columns, and what fields of them have in common. A
// field that is empty, `nan` or `null` is a gap.
#pragma once

#include "ebb/core/text_lines.hpp"
#include "ebb/counters/reader.hpp"
#include "ebb/measurements/series.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace ebb::measurements {

[[nodiscard]] bool is_gap(std::string_view field);

class CsvTable {
 public:
  // `columns` in any order and any case, the time first; others are left out.
  CsvTable(const CsvText& csv, std::vector<std::string_view> columns);

  bool next();
  [[nodiscard]] std::string_view field(std::size_t column) const {
    return fields_[places_[column]];
  }
  [[nodiscard]] TextLines& lines() { return lines_; }

  // Nothing: it was reported.
  std::optional<counters::UnixTime> time();
  // NaN: a gap. A negative power is no power: a gap, too.
  std::optional<double> watts(std::size_t column);

 private:
  void read_header();

  TextLines lines_;
  std::vector<std::string_view> columns_;
  std::vector<std::size_t> places_;
  std::size_t width_ = 0;
  bool is_broken_ = false;
  std::vector<std::string_view> fields_;
};

}  // namespace ebb::measurements
