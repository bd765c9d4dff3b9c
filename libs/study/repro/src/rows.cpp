// SPDX-License-Identifier: Apache-2.0
#include "ebb/files/document.hpp"
#include "ebb/repro/row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace ebb::repro {
namespace {

using files::Diagnostics;
using files::Section;
using files::Value;

constexpr std::size_t kLargestFile = 1 << 20;

struct ToleranceName {
  std::string_view name;
  Tolerance tolerance;
};
constexpr ToleranceName kTolerances[] = {{"exact", Tolerance::exact},
                                         {"rounded", Tolerance::rounded},
                                         {"above", Tolerance::above},
                                         {"below", Tolerance::below},
                                         {"shown", Tolerance::shown}};

// One of the names, or a band such as "+-5".
void read_tolerance(Section& section, Published& published) {
  const auto value = section.require("tolerance");
  const auto text = value ? value->text(section.errors()) : std::nullopt;
  if (!text) return;
  for (const ToleranceName& known : kTolerances) {
    if (known.name != *text) continue;
    published.tolerance = known.tolerance;
    return;
  }
  const auto width =
      text->starts_with("+-") ? parse<Ratio>(text->substr(2)) : Result<Ratio>(fail(""));
  if (!width) {
    value->report(section.errors(),
                  "a tolerance is exact, rounded, above, below, shown or a band like '+-5'");
    return;
  }
  published.tolerance = Tolerance::band;
  published.band_width = width->to_double();
}

Published read_published(const Value& value, Diagnostics& errors) {
  Section section(value, errors);
  Published published;
  published.name = section.require_text("name").value_or("");
  published.label = section.require_text("label").value_or("");
  published.unit = section.find_text("unit").value_or("");
  if (const auto number = section.require("published")) {
    if (number->quantity<Ratio>(errors)) published.value = number->text(errors).value_or("");
  }
  read_tolerance(section, published);
  section.finish();
  return published;
}

// A10 comes after A9: the letter, then the number.
bool before(const Row& a, const Row& b) {
  return std::tuple(a.id.substr(0, 1), a.id.size(), a.id) <
         std::tuple(b.id.substr(0, 1), b.id.size(), b.id);
}

}  // namespace

Result<Row> read_row_text(std::string_view text, const std::string& file) {
  Diagnostics errors(file);
  const auto root = files::read_yaml(text, errors);
  if (!root) return fail(errors.take());
  Section section(*root, errors);
  section.require_schema_version(1);
  Row row;
  row.id = section.require_text("id").value_or("");
  row.result = section.require_text("result").value_or("");
  row.conditions = section.require_text("conditions").value_or("");
  row.claim = section.require_text("published").value_or("");
  row.paper = section.require_text("paper").value_or("");
  row.kind = section.require_text("kind").value_or("");
  row.note = section.find_text("note").value_or("");
  if (const auto values = section.find("values")) {
    for (const Value& value : values->list(errors).value_or(std::vector<Value>{})) {
      row.values.push_back(read_published(value, errors));
    }
  }
  section.finish();
  if (!errors.empty()) return fail(errors.take());
  return row;
}

Result<std::vector<Row>> read_rows(const std::string& folder) {
  std::error_code problem;
  Errors errors;
  std::vector<Row> rows;
  for (const auto& entry : std::filesystem::directory_iterator(folder, problem)) {
    if (entry.path().extension() != ".yaml") continue;
    const auto text = files::read_file(entry.path().string(), kLargestFile);
    auto row = text ? read_row_text(*text, entry.path().string()) : Result<Row>(fail(text.error()));
    if (row) rows.push_back(std::move(*row));
    if (!row) errors.insert(errors.end(), row.error().begin(), row.error().end());
  }
  if (problem) return fail(fmt::format("cannot list the folder: {}", problem.message()), {folder});
  if (!errors.empty()) return fail(std::move(errors));
  std::sort(rows.begin(), rows.end(), before);
  return rows;
}

}  // namespace ebb::repro
