// SPDX-License-Identifier: Apache-2.0
#include "ebb/plots/table.hpp"

#include <fmt/format.h>

namespace ebb::plots {
namespace {

std::string field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string text_of(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{}", *number);
  if (const auto* words = std::get_if<std::string>(&cell)) return field(*words);
  return "";
}

}  // namespace

std::string to_csv(const Table& table) {
  std::string text;
  for (const Column& column : table.columns) {
    const bool first = &column == &table.columns.front();
    const std::string unit = column.unit.empty() ? "" : fmt::format(" [{}]", column.unit);
    text += (first ? "" : ",") + field(column.name + unit);
  }
  text += "\n";
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) text += (i == 0 ? "" : ",") + text_of(row[i]);
    text += "\n";
  }
  return text;
}

}  // namespace ebb::plots
