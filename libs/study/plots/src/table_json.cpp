// SPDX-License-Identifier: Apache-2.0
#include "ebb/plots/table.hpp"

#include <nlohmann/json.hpp>

namespace ebb::plots {
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
