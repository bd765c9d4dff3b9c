// SPDX-License-Identifier: Apache-2.0
#include "command_line/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <unistd.h>

namespace ebb::cli {
namespace {

// Columns a terminal shows for UTF-8 text without wide characters: continuation bytes take none.
std::size_t shown_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, Table::Align align) {
  const std::string space(width - std::min(width, shown_width(text)), ' ');
  return align == Table::Align::left ? text + space : space + text;
}

}  // namespace

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) widths.push_back(shown_width(column.title));
  for (const auto& row : rows_) {
    if (row.size() == 1 && columns_.size() > 1) continue;  // a heading
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], shown_width(row[i]));
  }
  return widths;
}

// Each group in the middle of its columns, between dashes: "--- search ---". Empty without groups.
std::string Table::group_line(const std::vector<std::size_t>& widths) const {
  std::string line;
  for (std::size_t i = 0; i < columns_.size();) {
    const std::string& group = columns_[i].group;
    std::size_t span = widths[i++];
    while (i < columns_.size() && columns_[i].group == group) span += 2 + widths[i++];
    const std::string title = group.empty() ? "" : " " + group + " ";
    const std::size_t rest = span - std::min(span, shown_width(title));
    const char fill = group.empty() ? ' ' : '-';
    line += std::string(rest / 2, fill) + title + std::string(rest - rest / 2, fill) + "  ";
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line.empty() ? line : line + "\n";
}

std::string Table::text() const {
  const std::vector<std::size_t> widths = this->widths();
  std::string text = group_line(widths);
  const auto line_of = [&](auto cell_of) {
    std::string line;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      line +=
          padded(cell_of(i), widths[i], columns_[i].align) + (i + 1 < columns_.size() ? "  " : "");
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
  };
  text +=
      coloured(line_of([&](std::size_t i) { return columns_[i].title; }), Colour::heading, stdout) +
      "\n";
  text += line_of([&](std::size_t i) { return std::string(widths[i], '-'); }) + "\n";
  for (const auto& row : rows_) {
    text += line_of([&](std::size_t i) { return i < row.size() ? row[i] : std::string(); }) + "\n";
  }
  return text;
}

bool is_coloured(std::FILE* where) {
  const char* none = std::getenv("NO_COLOR");  // https://no-color.org: set and not empty
  const char* terminal = std::getenv("TERM");
  if (none != nullptr && *none != '\0') return false;
  if (terminal == nullptr || std::string_view(terminal) == "dumb") return false;
  // mpirun gives each rank a terminal of its own, whoever reads what comes out in the end.
  if (std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMI_SIZE") != nullptr)
    return false;
  return isatty(fileno(where)) == 1;
}

std::string coloured(std::string_view text, Colour colour, std::FILE* where) {
  if (!is_coloured(where)) return std::string(text);
  const char* code = colour == Colour::heading ? "1" : colour == Colour::name ? "36" : "1;31";
  return fmt::format("\033[{}m{}\033[0m", code, text);
}

std::string with_separators(std::int64_t number) {
  std::string digits = std::to_string(number < 0 ? -number : number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return number < 0 ? "-" + digits : digits;
}

std::string wrapped(std::string_view text, std::size_t width, std::string_view indent) {
  std::string lines;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (column > 0 && column + 1 + shown_width(word) > width) {
      lines += "\n";
      column = 0;
    }
    lines += column == 0 ? std::string(indent) : " ";
    column += (column == 0 ? indent.size() : 1) + shown_width(word);
    lines += word;
  }
  return lines + "\n";
}

namespace {

// `prefixes` are a thousand apart; `value` is in the first.
std::string scaled(double value, std::span<const char* const> units) {
  std::size_t unit = 0;
  while (unit + 1 < units.size() && std::abs(value) >= 999.95) {
    value /= 1000;
    ++unit;
  }
  const int decimals = std::abs(value) < 9.9995 ? 3 : std::abs(value) < 99.995 ? 2 : 1;
  return fmt::format("{:.{}f} {}", value, value == 0 ? 0 : decimals, units[unit]);
}

}  // namespace

std::string short_text(Duration time) {
  static constexpr std::array kUnits = {"ps", "ns", "us", "ms", "s"};
  return scaled(static_cast<double>(time.count()), kUnits);
}

std::string short_text(Power power) {
  static constexpr std::array kUnits = {"uW", "mW", "W", "kW", "MW"};
  return scaled(static_cast<double>(power.count()), kUnits);
}

std::string short_count(double number) {
  static constexpr std::array kUnits = {"", "k", "M", "G"};
  std::string text = scaled(number, kUnits);
  if (text.back() == ' ') text.pop_back();
  return text;
}

}  // namespace ebb::cli
