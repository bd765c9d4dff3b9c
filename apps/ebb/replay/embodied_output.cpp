// SPDX-License-Identifier: Apache-2.0
//
// What making the parts of a scenario emitted, for the time of a replay.
#include "command_line/text.hpp"
#include "replay/output.hpp"

#include <fmt/format.h>

#include <utility>

namespace ebb::cli {
namespace {

// The same of every policy.
replay::LongTime time_of(const Replayed& replayed) {
  return replayed.runs.empty() ? replay::LongTime{} : replayed.runs.front().total().time;
}

double kg_of_all(const Replayed& replayed) {
  double kg = 0;
  for (const replay::EmbodiedPart& part : replayed.embodied) kg += part.kg_of(time_of(replayed));
  return kg;
}

}  // namespace

nlohmann::ordered_json embodied_json(const Replayed& replayed) {
  nlohmann::ordered_json json = {{"carbon_kg", kg_of_all(replayed)},
                                 {"parts", nlohmann::ordered_json::array()}};
  for (const replay::EmbodiedPart& part : replayed.embodied) {
    json["parts"].push_back({{"part", part.part},
                             {"count", part.count},
                             {"kg_each", part.kg},
                             {"years", part.years},
                             {"carbon_kg", part.kg_of(time_of(replayed))},
                             {"source", part.source}});
  }
  return json;
}

std::vector<std::vector<std::string>> embodied_rows(const Replayed& replayed) {
  std::vector<std::vector<std::string>> rows;
  rows.reserve(replayed.embodied.size() + 1);
  for (const replay::EmbodiedPart& part : replayed.embodied) {
    rows.push_back({part.part, with_separators(part.count), fmt::format("{:g}", part.kg),
                    fmt::format("{:g}", part.years),
                    fmt::format("{:.3f}", part.kg_of(time_of(replayed))), part.source});
  }
  rows.push_back({"all", "", "", "", fmt::format("{:.3f}", kg_of_all(replayed)), ""});
  return rows;
}

std::string embodied_text(const Replayed& replayed) {
  std::vector<Table::Column> columns;
  columns.reserve(kEmbodiedTitles.size());
  for (const std::string_view title : kEmbodiedTitles)
    columns.push_back({std::string(title), Table::Align::right});
  columns.front().align = Table::Align::left;
  columns.back().align = Table::Align::left;
  Table table(std::move(columns));
  for (std::vector<std::string>& row : embodied_rows(replayed)) table.add(std::move(row));
  return table.text();
}

}  // namespace ebb::cli
