// SPDX-License-Identifier: Apache-2.0
#include "gnuplot_marks.hpp"
#include "gnuplot_style.hpp"
#include "gnuplot_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace ebb::plots {
namespace {

constexpr std::size_t kMostShapesOnALine = 12;

std::string block(const std::string& name, const Series& series) {
  std::string text = fmt::format("{} << EOD\n", name);
  for (const Point& point : series.points) {
    const Interval interval = point.interval.value_or(Interval{point.y, point.y});
    text += fmt::format("{} {} {} {}\n", point.x, point.y, interval.low, interval.high);
  }
  return text + "EOD\n";
}

bool has_intervals(const Series& series) {
  return std::any_of(series.points.begin(), series.points.end(),
                     [](const Point& point) { return point.interval.has_value(); });
}

std::string style_of(const Figure& figure, const Series& series) {
  const bool bars = has_intervals(series);
  if (figure.kind == Kind::points) return bars ? "1:2:3:4 with yerrorbars" : "1:2 with points";
  if (bars) return "1:2:3:4 with yerrorlines";
  const std::size_t every = 1 + series.points.size() / kMostShapesOnALine;
  return fmt::format("1:2 with linespoints pointinterval {}", every);
}

// Room for the shapes at both ends, and the origin when it is near.
std::string x_range(const Figure& figure) {
  double least = std::numeric_limits<double>::max();
  double most = std::numeric_limits<double>::lowest();
  for (const auto* all : {&figure.series, &figure.references}) {
    for (const Series& series : *all) {
      for (const Point& point : series.points) {
        least = std::min(least, point.x);
        most = std::max(most, point.x);
      }
    }
  }
  if (least >= most) return "";
  const double room = (most - least) * 0.03;
  const bool origin_is_near = least >= 0 && least <= 0.25 * most;
  return fmt::format("set xrange [{}:{}]\n", origin_is_near ? 0 : least - room, most + room);
}

}  // namespace

void add_levels(const Figure& figure, Marks& marks) {
  for (std::size_t i = 0; i < figure.levels.size(); ++i) {
    const Level& level = figure.levels[i];
    marks.plots.push_back(
        fmt::format("{} with lines linecolor rgb 'black' linewidth 1.5 dashtype {} title {}",
                    level.y, i + 3, quoted(level.label)));
  }
}

Marks line_marks(const Figure& figure) {
  Marks marks;
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    const Series& series = figure.series[i];
    if (series.points.empty()) continue;
    const std::string name = fmt::format("$series{}", i);
    marks.data += block(name, series);
    marks.plots.push_back(fmt::format("{} using {} {} title {}", name, style_of(figure, series),
                                      line_style(i), quoted(series.label)));
  }
  for (std::size_t i = 0; i < figure.references.size(); ++i) {
    const std::string name = fmt::format("$reference{}", i);
    marks.data += block(name, figure.references[i]);
    marks.plots.push_back(
        fmt::format("{} using 1:2 with lines linecolor rgb 'black' linewidth 1.5 dashtype 2 title "
                    "{}",
                    name, quoted(figure.references[i].label)));
  }
  if (!figure.x.log) marks.settings += x_range(figure);
  if (!figure.y.log) marks.settings += "set yrange [0:*]\n";
  add_levels(figure, marks);
  return marks;
}

}  // namespace ebb::plots
