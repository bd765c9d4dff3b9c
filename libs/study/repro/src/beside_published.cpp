// SPDX-License-Identifier: Apache-2.0
#include "beside_published.hpp"

#include "ebb/core/check.hpp"

#include <algorithm>
#include <cstdlib>

namespace ebb::repro {

double value_of(const Measurements& measured, std::string_view name) {
  const auto found = std::find_if(measured.begin(), measured.end(),
                                  [&](const auto& entry) { return entry.first == name; });
  EBB_CHECK(found != measured.end(), name);
  return found->second;
}

plots::Figure beside_published(plots::Figure frame, const Row& row, const Measurements& measured,
                               const std::vector<BarOf>& bars, double scale) {
  frame.kind = plots::Kind::bars;
  plots::Series ours{"ebb", {}};
  plots::Series theirs{"published", {}};
  for (const BarOf& bar : bars) {
    const auto x = static_cast<double>(frame.categories.size());
    frame.categories.push_back(bar.category);
    ours.points.push_back({x, scale * value_of(measured, bar.name), {}});
    const auto published = std::find_if(row.values.begin(), row.values.end(),
                                        [&](const Published& p) { return p.name == bar.name; });
    if (published == row.values.end()) continue;
    const double value = scale * std::strtod(published->value.c_str(), nullptr);
    plots::Point point{x, value, {}};
    const double width = scale * published->band_width;
    if (published->tolerance == Tolerance::band) point.interval = {value - width, value + width};
    theirs.points.push_back(point);
  }
  frame.series = {std::move(ours)};
  if (!theirs.points.empty()) frame.references = {std::move(theirs)};
  return frame;
}

}  // namespace ebb::repro
