// SPDX-License-Identifier: Apache-2.0
//
// Small networks of every family, with their addresses.
#pragma once

#include "ebb/forwarding/table.hpp"
#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ebb::forwarding {

struct Shape {
  std::string family;
  ParameterTexts parameters;

  [[nodiscard]] std::string text() const {
    std::string all = family;
    for (const auto& [key, value] : parameters) all.append(" ").append(key).append("=") += value;
    return all;
  }
};

inline void PrintTo(const Shape& shape, std::ostream* out) { *out << shape.text(); }

inline topology::Graph build(const Shape& shape) {
  auto graph = topology::build(shape.family, shape.parameters, {gigabits_per_second(40)});
  if (!graph) ADD_FAILURE() << shape.text() << ": " << to_string(graph.error());
  return std::move(graph).value();
}

// A network whose maker points into it.
struct Addressed {
  explicit Addressed(const Shape& shape)
      : graph(build(shape)),
        plan(AddressPlan::make(graph).value()),
        maker(TableMaker::make(graph, plan).value()) {}
  Addressed(const Addressed&) = delete;
  Addressed& operator=(const Addressed&) = delete;

  [[nodiscard]] std::size_t rules(std::uint32_t at, Detail detail) const {
    return maker.table(at, detail).rules.size();
  }
  [[nodiscard]] std::vector<Table> tables(Detail detail,
                                          BackupPaths backup_paths = BackupPaths::none) const {
    std::vector<Table> all;
    for (std::uint32_t s = 0; s < graph.switch_count(); ++s)
      all.push_back(maker.table(s, detail, backup_paths));
    return all;
  }

  topology::Graph graph;
  AddressPlan plan;
  TableMaker maker;
};

// As a switch has them.
inline void sort_by_priority(Table& table) {
  std::stable_sort(table.rules.begin(), table.rules.end(),
                   [](const Rule& a, const Rule& b) { return a.priority > b.priority; });
}

// Whole and partial, with parallel links, with lines of one, two, three and more switches.
inline std::vector<Shape> small_shapes() {
  std::vector<Shape> shapes;
  for (const char* family : {"fbfly", "mesh", "torus"}) {
    shapes.push_back({family, {{"hosts", "2"}, {"dims", "4"}}});
    shapes.push_back({family, {{"hosts", "1"}, {"dims", "1"}}});
    shapes.push_back({family, {{"hosts", "3"}, {"dims", "2x2"}}});
    shapes.push_back({family, {{"hosts", "1"}, {"dims", "5x4"}, {"parallel", "1x2"}}});
    shapes.push_back({family, {{"hosts", "1"}, {"dims", "3x1x4"}}});
    shapes.push_back({family, {{"hosts", "3"}, {"dims", "2x3x3"}, {"parallel", "2x1x3"}}});
    shapes.push_back({family, {{"hosts", "1"}, {"dims", "6x7"}}});
  }
  const std::vector<ParameterTexts> dragonflies = {
      {{"p", "1"}, {"a", "2"}, {"h", "1"}},
      {{"p", "2"}, {"a", "4"}, {"h", "2"}},
      {{"p", "1"}, {"a", "4"}, {"h", "2"}, {"g", "5"}},
      {{"p", "1"}, {"a", "2"}, {"h", "4"}, {"g", "6"}},
      {{"p", "1"}, {"a", "1"}, {"h", "4"}},
      {{"p", "1"}, {"a", "3"}, {"h", "2"}, {"g", "4"}, {"fill", "0"}}};
  for (const auto& one : dragonflies) shapes.push_back({"dragonfly", one});
  const std::vector<ParameterTexts> closes = {
      {{"ports", "4"}, {"levels", "2"}, {"hosts", "8"}},
      {{"ports", "6"}, {"levels", "3"}, {"hosts", "54"}},
      {{"ports", "6"}, {"levels", "3"}, {"hosts", "27"}},
      {{"ports", "6"}, {"levels", "3"}, {"hosts", "11"}},
      {{"ports", "4"}, {"levels", "4"}, {"hosts", "32"}},
      {{"ports", "4"}, {"levels", "4"}, {"hosts", "23"}},
      {{"ports", "8"}, {"levels", "2"}, {"hosts", "30"}, {"down", "6"}},
      {{"ports", "8"}, {"levels", "2"}, {"hosts", "9"}, {"down", "3"}},
      {{"ports", "4"}, {"levels", "2"}, {"hosts", "2"}}};
  for (const auto& one : closes) shapes.push_back({"clos", one});
  shapes.push_back({"clos_chassis", {{"hosts", "32"}, {"chip_ports", "8"}}});
  shapes.push_back({"complete", {{"switches", "7"}, {"hosts", "2"}}});
  shapes.push_back({"tree", {{"switches", "6"}, {"hosts", "2"}}});
  shapes.push_back({"irregular", {{"switches", "20"}, {"degree", "4"}, {"hosts", "2"}}});
  shapes.push_back({"dragonfly-plus", {{"p", "2"}, {"leaves", "2"}, {"spines", "2"}, {"h", "2"}}});
  shapes.push_back({"rail-clos", {{"ports", "8"}, {"pods", "2"}, {"servers", "3"}, {"gpus", "2"}}});
  shapes.push_back({"rail-clos",
                    {{"ports", "4"},
                     {"pods", "2"},
                     {"servers", "2"},
                     {"gpus", "2"},
                     {"tors", "2"},
                     {"levels", "3"}}});
  shapes.push_back({"slim-fly", {{"q", "3"}, {"p", "2"}}});
  shapes.push_back({"polarfly", {{"q", "3"}, {"p", "2"}}});
  shapes.push_back({"jellyfish", {{"switches", "20"}, {"ports", "6"}, {"degree", "4"}}});
  return shapes;
}

}  // namespace ebb::forwarding
