// SPDX-License-Identifier: Apache-2.0
#include "ebb/repro/experiment.hpp"

#include "ebb/core/names.hpp"
#include "ebb/files/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
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

namespace {

int decimals_of(const std::string& text) {
  const auto point = text.find('.');
  return point == std::string::npos ? 0 : static_cast<int>(text.size() - point - 1);
}

// Round half up at the printed decimals, as papers do (1.125 is printed 1.13).
double rounded(double value, int decimals) {
  const double scale = std::pow(10.0, decimals);
  return std::floor(value * scale + 0.5) / scale;
}

}  // namespace

Verdict judge(const Published& published, double measured) {
  const double value = std::strtod(published.value.c_str(), nullptr);
  bool same = false;
  switch (published.tolerance) {
    case Tolerance::shown:
      return Verdict::shown;
    case Tolerance::exact:
      same = measured == value;
      break;
    case Tolerance::above:
      same = measured > value;
      break;
    case Tolerance::below:
      same = measured < value;
      break;
    case Tolerance::band:
      same = std::abs(measured - value) <= published.band_width;
      break;
    case Tolerance::rounded: {
      const int decimals = decimals_of(published.value);
      same = fmt::format("{:.{}f}", rounded(measured, decimals), decimals) ==
             fmt::format("{:.{}f}", value, decimals);
      break;
    }
  }
  return same ? Verdict::reproduced : Verdict::differs;
}

std::string measured_text(const Published& published, double measured) {
  if (measured == std::floor(measured) && std::abs(measured) < 1e15)
    return fmt::format("{:.0f}", measured);
  return fmt::format("{:.{}f}", measured, decimals_of(published.value) + 2);
}

std::string tolerance_text(const Published& published) {
  switch (published.tolerance) {
    case Tolerance::exact:
      return "exact";
    case Tolerance::rounded:
      return "as printed";
    case Tolerance::band:
      return fmt::format("+-{:g}", published.band_width);
    case Tolerance::above:
      return "above";
    case Tolerance::below:
      return "below";
    case Tolerance::shown:
      return "see note";
  }
  return "";
}

std::string verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::reproduced:
      return "reproduced";
    case Verdict::differs:
      return "DIFFERS";
    case Verdict::shown:
      return "both shown";
    case Verdict::not_measured:
      return "NOT MEASURED";
  }
  return "";
}

namespace {

Outcome outcome_of(const Published& published, const Measurements& measured) {
  const auto number = std::find_if(measured.begin(), measured.end(), [&](const auto& entry) {
    return entry.first == published.name;
  });
  if (number == measured.end()) return {published, 0, Verdict::not_measured};
  return {published, number->second, judge(published, number->second)};
}

}  // namespace

std::string cost_text(Cost cost) {
  switch (cost) {
    case Cost::computed:
      return "computed";
    case Cost::simulated:
      return "simulated";
    case Cost::lengthy:
      return "lengthy";
    case Cost::live:
      return "live";
  }
  return "";
}

Result<std::vector<Row>> choose_rows(std::vector<Row> rows, std::span<const std::string> ids) {
  if (ids.empty()) return rows;
  std::vector<std::string> names;
  names.reserve(rows.size());
  for (const Row& row : rows) names.push_back(row.id);
  std::vector<Row> chosen;
  Errors errors;
  for (const std::string& id : ids) {
    const auto found = std::find(names.begin(), names.end(), id);
    if (found == names.end()) errors.push_back({unknown_name("result", id, names), {}});
    if (found != names.end())
      chosen.push_back(rows[static_cast<std::size_t>(found - names.begin())]);
  }
  if (!errors.empty()) return fail(std::move(errors));
  return chosen;
}

const Experiment* find_experiment(std::string_view id) {
  const auto all = experiments();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Experiment& e) { return e.id == id; });
  return found == all.end() ? nullptr : &*found;
}

Result<RowResult> run(const Row& row, RunCache& cache) {
  const Experiment* experiment = find_experiment(row.id);
  if (experiment == nullptr) return fail(fmt::format("{} has no experiment yet", row.id));
  static_cast<void>(cache.take_seeds());
  const auto measured = experiment->measure(cache);
  if (!measured) return fail(measured.error());
  RowResult finding;
  finding.seeds = cache.take_seeds();
  for (const Published& published : row.values)
    finding.outcomes.push_back(outcome_of(published, *measured));
  if (experiment->draw != nullptr) finding.figures = experiment->draw(row, *measured);
  return finding;
}

bool failed(const RowResult& finding) {
  return std::any_of(finding.outcomes.begin(), finding.outcomes.end(), [](const Outcome& outcome) {
    return outcome.verdict == Verdict::differs || outcome.verdict == Verdict::not_measured;
  });
}

}  // namespace ebb::repro
