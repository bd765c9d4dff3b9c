// SPDX-License-Identifier: Apache-2.0
#include "ebb/core/check.hpp"
#include "ebb/plots/figure.hpp"
#include "ebb/results/export.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>

namespace ebb::plots {

std::size_t Table::column(std::string_view name) const {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const Column& known) { return known.name == name; });
  EBB_CHECK(found != columns.end(), name);
  return static_cast<std::size_t>(found - columns.begin());
}

namespace {

std::string text_of(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{}", *number);
  if (const auto* words = std::get_if<std::string>(&cell)) return results::csv_field(*words);
  return "";
}

}  // namespace

std::string to_csv(const Table& table) {
  std::string text;
  for (const Column& column : table.columns) {
    const bool first = &column == &table.columns.front();
    const std::string unit = column.unit.empty() ? "" : fmt::format(" [{}]", column.unit);
    text += (first ? "" : ",") + results::csv_field(column.name + unit);
  }
  text += "\n";
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) text += (i == 0 ? "" : ",") + text_of(row[i]);
    text += "\n";
  }
  return text;
}

namespace {

struct Line {
  int number = 0;  // in the file, where it begins
  std::vector<std::string> cells;
};

// Cuts text into lines of cells. A quoted cell may hold commas, doubled quotes and line breaks.
class Cutter {
 public:
  Cutter(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  [[nodiscard]] bool more() const { return at_ < text_.size(); }

  Result<Line> line() {
    Line line{line_, {}};
    while (true) {
      auto cell = this->cell();
      if (!cell) return fail(cell.error());
      line.cells.push_back(std::move(*cell));
      if (!more() || text_[at_] != ',') break;
      ++at_;
    }
    if (more() && text_[at_] == '\r') ++at_;
    if (more() && text_[at_] != '\n') return mistake("text behind the closing quote");
    ++at_;
    ++line_;
    return line;
  }

 private:
  [[nodiscard]] Failure mistake(std::string message) const {
    return fail(std::move(message), {file_, line_, 0, ""});
  }

  Result<std::string> cell() {
    if (more() && text_[at_] == '"') return quoted();
    const auto end = std::min(text_.find_first_of(",\r\n", at_), text_.size());
    std::string cell(text_.substr(at_, end - at_));
    at_ = end;
    return cell;
  }

  Result<std::string> quoted() {
    std::string cell;
    for (++at_; more(); ++at_) {
      if (text_[at_] == '\n') ++line_;
      if (text_[at_] != '"') {
        cell += text_[at_];
      } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        cell += text_[at_++];
      } else {
        ++at_;
        return cell;
      }
    }
    return mistake("a quote that is not closed");
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  int line_ = 1;
};

std::optional<double> number(const std::string& text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = problem == std::errc{} && end == text.data() + text.size();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// "offered_load [%]"
Column column_of(const std::string& head) {
  const auto open = head.rfind(" [");
  const bool has_unit = open != std::string::npos && head.back() == ']' && open + 3 < head.size();
  if (!has_unit) return {head, head, ""};
  const std::string name = head.substr(0, open);
  return {name, name, head.substr(open + 2, head.size() - open - 3)};
}

bool all_numbers(const std::vector<Line>& lines, std::size_t column) {
  return std::all_of(lines.begin(), lines.end(), [&](const Line& line) {
    return line.cells[column].empty() || number(line.cells[column]);
  });
}

Cell cell_of(const std::string& text, Column::Kind kind) {
  if (text.empty()) return {};
  if (kind == Column::Kind::text) return text;
  return *number(text);
}

Table table_of(const std::vector<std::string>& heads, const std::vector<Line>& lines) {
  Table table;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    table.columns.push_back(column_of(heads[i]));
    table.columns.back().kind = all_numbers(lines, i) ? Column::Kind::number : Column::Kind::text;
  }
  for (const Line& line : lines) {
    std::vector<Cell> row;
    for (std::size_t i = 0; i < heads.size(); ++i)
      row.push_back(cell_of(line.cells[i], table.columns[i].kind));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

Result<Table> read_csv(std::string_view text, const std::string& file) {
  Cutter cutter(text, file);
  if (!cutter.more()) return fail("the file is empty; its first line names the columns", {file});
  const auto head = cutter.line();
  if (!head) return fail(head.error());
  const std::size_t width = head->cells.size();
  std::vector<Line> lines;
  while (cutter.more()) {
    auto line = cutter.line();
    if (!line) return fail(line.error());
    if (line->cells.size() != width) {
      return fail(fmt::format("{} cells where the first line has {}", line->cells.size(), width),
                  {file, line->number, 0, ""});
    }
    lines.push_back(std::move(*line));
    if (lines.size() * width > kMostCsvCells)
      return fail(fmt::format("more than {} cells", kMostCsvCells), {file});
  }
  Table table = table_of(head->cells, lines);
  table.title = std::filesystem::path(file).stem().string();
  return table;
}

namespace {

using Json = nlohmann::ordered_json;

Json cell_json(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) return *number;
  if (const auto* words = std::get_if<std::string>(&cell)) return *words;
  return nullptr;
}

}  // namespace

std::string to_json(const Table& table) {
  Json columns = Json::array();
  for (const Column& column : table.columns) {
    columns.push_back({{"name", column.name},
                       {"label", column.label},
                       {"unit", column.unit},
                       {"kind", column.kind == Column::Kind::number ? "number" : "text"}});
  }
  Json rows = Json::array();
  for (const auto& row : table.rows) {
    Json cells = Json::array();
    for (const Cell& cell : row) cells.push_back(cell_json(cell));
    rows.push_back(std::move(cells));
  }
  return Json{{"title", table.title}, {"note", table.note}, {"columns", columns}, {"rows", rows}}
      .dump();
}

}  // namespace ebb::plots
