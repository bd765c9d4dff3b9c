// SPDX-License-Identifier: Apache-2.0
#include "ebb/repro/report.hpp"

#include "ebb/plots/gnuplot.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <utility>

namespace ebb::repro {
namespace {

// Text in a table: a bar would end the cell.
std::string cell(std::string_view text) {
  std::string safe;
  for (const char c : text) safe += c == '|' ? std::string("\\|") : std::string(1, c);
  return safe;
}

std::string with_unit(const std::string& number, const std::string& unit) {
  return unit.empty() ? number : number + " " + unit;
}

std::int64_t count(const RowResult& finding, Verdict verdict) {
  return std::count_if(finding.outcomes.begin(), finding.outcomes.end(),
                       [&](const Outcome& outcome) { return outcome.verdict == verdict; });
}

// "9 reproduced", "4 reproduced, 1 both shown".
std::string verdicts(const Entry& entry) {
  if (!entry.finding) return entry.cannot_run_here ? std::string(kCannotRunHere) : "not yet";
  std::vector<std::string> parts;
  for (const Verdict verdict :
       {Verdict::reproduced, Verdict::shown, Verdict::differs, Verdict::not_measured}) {
    if (const auto number = count(*entry.finding, verdict))
      parts.push_back(fmt::format("{} {}", number, verdict_text(verdict)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string seeds(const Entry& entry) {
  if (!entry.finding) return "";
  if (find_experiment(entry.row.id)->cost == Cost::live) return "live";
  if (entry.finding->seeds.empty()) return "computed";
  return fmt::format("{}", fmt::join(entry.finding->seeds, ", "));
}

std::string command(const Entry& entry) {
  return entry.finding ? fmt::format("`ebb repro run {}`", entry.row.id) : "";
}

// To the section of a row.
std::string anchor(const Entry& entry) {
  if (!entry.finding) return entry.row.id;
  return fmt::format("[{0}](#{0})", entry.row.id);
}

std::string overview(std::span<const Entry> entries) {
  std::string text =
      "| id | result | published | verdicts | seed | command |\n|---|---|---|---|---|---|\n";
  for (const Entry& entry : entries) {
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", anchor(entry), cell(entry.row.result),
                        cell(entry.row.claim), verdicts(entry), seeds(entry), command(entry));
  }
  return text;
}

std::string values(const RowResult& finding) {
  std::string text =
      "| value | published | measured | tolerance | verdict |\n|---|---:|---:|---|---|\n";
  for (const Outcome& outcome : finding.outcomes) {
    const Published& published = outcome.published;
    text += fmt::format("| {} | {} | {} | {} | {} |\n", cell(published.label),
                        with_unit(published.value, published.unit),
                        with_unit(measured_text(published, outcome.measured), published.unit),
                        tolerance_text(published), verdict_text(outcome.verdict));
  }
  return text;
}

std::string pictures_of(const Entry& entry) {
  std::string text;
  for (const plots::Figure& figure : entry.finding->figures) {
    const std::string file = file_name(entry.row, figure);
    text += fmt::format("\n![{0}]({1}.svg)\n\n[Data]({1}.csv) of \"{0}\".\n", figure.title, file);
  }
  return text;
}

std::string section(const Entry& entry, Pictures pictures) {
  const Row& row = entry.row;
  std::string text =
      fmt::format("\n## <a id=\"{0}\"></a>{0}: {1}\n{2}.\n\n", row.id, row.result, row.paper);
  text += fmt::format("Conditions: {}. Published: {}. Seed: {}. Command: {}\n\n", row.conditions,
                      row.claim, seeds(entry), command(entry));
  text += values(*entry.finding);
  if (!row.note.empty()) text += "\n" + row.note + "\n";
  if (pictures == Pictures::linked) text += pictures_of(entry);
  return text;
}

void write_file(const std::string& path, std::string_view bytes, Errors& errors) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  if (!file.flush()) errors.push_back({"cannot be written", {.file = path}});
}

Errors write_figures(const Entry& entry, const std::string& folder) {
  Errors errors;
  for (const plots::Figure& figure : entry.finding->figures) {
    const std::string path = folder + "/" + file_name(entry.row, figure);
    const auto svg = plots::draw(figure, plots::Format::svg);
    if (!svg) return svg.error();
    write_file(path + ".svg", *svg, errors);
    write_file(path + ".csv", to_csv(data_of(figure)), errors);
    if (!errors.empty()) break;
  }
  return errors;
}

}  // namespace

std::string file_name(const Row& row, const plots::Figure& figure) {
  return row.id + "-" + figure.name;
}

std::string report_markdown(std::span<const Entry> entries, Pictures pictures) {
  const auto measured = std::count_if(entries.begin(), entries.end(),
                                      [](const Entry& entry) { return entry.finding.has_value(); });
  std::string text = fmt::format(
      "# Published results, and what ebb measures\n"
      "{} published results, {} of them measured. `ebb repro report -o FOLDER` makes this page, "
      "its "
      "figures\nand their data; the command of a row measures that row alone. The same version "
      "gives "
      "the same bytes.\n\n"
      "\"as printed\": equal after rounding to the printed digits. \"both shown\": the paper "
      "prints no "
      "number\nfor this, or contradicts itself; the note says why. A result that cannot be "
      "reproduced "
      "stays in the table.\n\n",
      entries.size(), measured);
  text += overview(entries);
  for (const Entry& entry : entries)
    if (entry.finding) text += section(entry, pictures);
  return text;
}

plots::Table report_values(std::span<const Entry> entries) {
  using Kind = plots::Column::Kind;
  plots::Table table{.title = "Published and measured values"};
  for (const char* name : {"id", "name", "label", "unit", "published"})
    table.columns.push_back({name, name, "", Kind::text});
  table.columns.push_back({"measured", "measured", "", Kind::number});
  for (const char* name : {"tolerance", "verdict"})
    table.columns.push_back({name, name, "", Kind::text});
  for (const Entry& entry : entries) {
    if (!entry.finding) continue;
    for (const Outcome& outcome : entry.finding->outcomes) {
      const Published& published = outcome.published;
      table.rows.push_back({entry.row.id, published.name, published.label, published.unit,
                            published.value, outcome.measured, tolerance_text(published),
                            verdict_text(outcome.verdict)});
    }
  }
  return table;
}

Result<std::vector<Entry>> measure(std::span<const Row> rows, RunCache& cache,
                                   const std::function<void(const Row&)>& begin) {
  std::vector<Entry> entries;
  for (const Row& row : rows) {
    entries.push_back({row, {}});
    if (find_experiment(row.id) == nullptr) continue;
    begin(row);
    auto finding = run(row, cache);
    if (finding) {
      entries.back().finding = std::move(*finding);
    } else if (finding.error().front().message.starts_with(kCannotRunHere)) {
      entries.back().cannot_run_here = true;
    } else {
      return fail(finding.error());
    }
  }
  return entries;
}

bool any_failed(std::span<const Entry> entries) {
  return std::any_of(entries.begin(), entries.end(),
                     [](const Entry& entry) { return entry.finding && failed(*entry.finding); });
}

Errors write_report(std::span<const Entry> entries, const std::string& folder) {
  Errors errors;
  for (const Entry& entry : entries) {
    if (entry.finding) errors = write_figures(entry, folder);
    if (!errors.empty()) return errors;
  }
  write_file(folder + "/values.csv", to_csv(report_values(entries)), errors);
  write_file(folder + "/README.md", report_markdown(entries, Pictures::linked), errors);
  return errors;
}

}  // namespace ebb::repro
