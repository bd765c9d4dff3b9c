// SPDX-License-Identifier: Apache-2.0
#include "gnuplot_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
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

// How points that cannot be taken as they stand are marked, over the shape of their series.
struct StatusMark {
  PointStatus status;
  std::string_view label;
  std::string_view style;
};
constexpr StatusMark kStatusMarks[] = {
    {PointStatus::saturated, "saturated: more is offered than the network carries",
     "pointtype 6 pointsize 2 linewidth 1.5 linecolor rgb 'black'"},
    {PointStatus::too_short, "too short a run to tell whether it is saturated",
     "pointtype 2 pointsize 1.6 linewidth 1.5 linecolor rgb 'black'"}};

// "x y" of the points of a status, line by line.
std::string points_with(const Figure& figure, PointStatus status) {
  std::string text;
  for (const Series& series : figure.series) {
    for (const Point& point : series.points) {
      if (point.status == status) text += fmt::format("{} {}\n", point.x, point.y);
    }
  }
  return text;
}

void add_statuses(const Figure& figure, Marks& marks) {
  for (std::size_t i = 0; i < std::size(kStatusMarks); ++i) {
    const auto& [status, label, style] = kStatusMarks[i];
    const std::string points = points_with(figure, status);
    if (points.empty()) continue;
    marks.data += fmt::format("$status{} << EOD\n{}EOD\n", i, points);
    add_titled(fmt::format("$status{} using 1:2 with points {}", i, style), std::string(label),
               marks);
  }
}

struct Extent {
  double least = std::numeric_limits<double>::max();
  double most = std::numeric_limits<double>::lowest();

  void add(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
  [[nodiscard]] double size() const { return most > least ? most - least : 1; }
};

// Labels that would stand on another one are left out.
constexpr double kLabelWidth = 0.07;  // of the figure
constexpr double kLabelHeight = 0.05;

// A policy that saves nothing has all of its points at one place, whatever the load.
bool stands_still(const Series& series) {
  const auto& points = series.points;
  return points.size() > 1 && std::all_of(points.begin(), points.end(), [&](const Point& point) {
           return point.x == points.front().x && point.y == points.front().y;
         });
}

void add_point_labels(const Figure& figure, Marks& marks) {
  Extent across;
  Extent up;
  up.add(0);
  for (const Series& series : figure.series) {
    for (const Point& point : series.points) {
      across.add(point.x);
      up.add(point.y);
    }
  }
  std::vector<const Point*> labelled;
  std::string data;
  for (const Series& series : figure.series) {
    if (stands_still(series)) continue;
    for (const Point& point : series.points) {
      const bool covered = std::any_of(labelled.begin(), labelled.end(), [&](const Point* other) {
        return std::abs(point.x - other->x) < kLabelWidth * across.size() &&
               std::abs(point.y - other->y) < kLabelHeight * up.size();
      });
      if (point.label.empty() || covered) continue;
      labelled.push_back(&point);
      std::string text = quoted(point.label);
      std::replace(text.begin(), text.end(), '"', ' ');
      text.front() = text.back() = '"';  // in data gnuplot knows double quotes alone
      data += fmt::format("{} {} {}\n", point.x, point.y, text);
    }
  }
  if (data.empty()) return;
  marks.data += "$labels << EOD\n" + data + "EOD\n";
  marks.plots.emplace_back(
      "$labels using 1:2:3 with labels left offset 0.8,0.5 noenhanced notitle");
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
  bool labels = false;
  double least = std::numeric_limits<double>::max();
  double most = std::numeric_limits<double>::lowest();
  for (const auto* all : {&figure.series, &figure.references}) {
    for (const Series& series : *all) {
      for (const Point& point : series.points) {
        labels = labels || !point.label.empty();
        least = std::min(least, point.x);
        most = std::max(most, point.x);
      }
    }
  }
  if (least >= most) return "";
  const double room = (most - least) * (labels ? kLabelWidth : 0.03);
  const bool origin_is_near = least >= 0 && least <= 0.25 * most;
  return fmt::format("set xrange [{}:{}]\n", origin_is_near ? 0 : least - room, most + room);
}

}  // namespace

std::vector<std::string> legend_labels(const Figure& figure) {
  std::vector<std::string> labels;
  for (const auto* all : {&figure.series, &figure.references})
    for (const Series& series : *all) labels.push_back(series.label);
  for (const Level& level : figure.levels) labels.push_back(level.label);
  for (const auto& [status, label, style] : kStatusMarks)
    if (!points_with(figure, status).empty()) labels.emplace_back(label);
  return labels;
}

void add_levels(const Figure& figure, Marks& marks) {
  for (std::size_t i = 0; i < figure.levels.size(); ++i) {
    const Level& level = figure.levels[i];
    add_titled(fmt::format("{} with lines linecolor rgb 'black' linewidth 1.5 dashtype {}", level.y,
                           i + 3),
               level.label, marks);
  }
}

Marks line_marks(const Figure& figure) {
  Marks marks;
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    const Series& series = figure.series[i];
    if (series.points.empty()) continue;
    const std::string name = fmt::format("$series{}", i);
    marks.data += block(name, series);
    add_titled(fmt::format("{} using {} {}", name, style_of(figure, series), line_style(i)),
               series.label, marks);
  }
  for (std::size_t i = 0; i < figure.references.size(); ++i) {
    const std::string name = fmt::format("$reference{}", i);
    marks.data += block(name, figure.references[i]);
    add_titled(
        fmt::format("{} using 1:2 with lines linecolor rgb 'black' linewidth 1.5 dashtype 2", name),
        figure.references[i].label, marks);
  }
  add_statuses(figure, marks);
  add_point_labels(figure, marks);
  if (!figure.x.log) marks.settings += x_range(figure);
  if (!figure.y.log) marks.settings += "set yrange [0:*]\n";
  add_levels(figure, marks);
  return marks;
}

namespace {

constexpr double kGroupWidth = 0.8;  // of the space of a category
constexpr double kRoomForNumbers = 1.15;
constexpr double kRoomAbove = 1.02;
constexpr std::size_t kCharacters = 66;  // of all labels together, over the width of the drawing
constexpr std::size_t kOneLine = 1000;
constexpr std::size_t kMostLevelLabels = 6;
constexpr std::size_t kCharactersPerLineUpright = 2;  // as wide as a line of text is high
constexpr std::string_view kPale =
    "linecolor rgb '#dddddd' fillstyle solid border linecolor rgb 'black'";

double top_of(const Point& point) { return point.interval ? point.interval->high : point.y; }

// Many labels stand upright.
bool upright(const Figure& figure) { return figure.categories.size() > kMostLevelLabels; }

std::size_t label_width(const Figure& figure) {
  if (upright(figure)) return kOneLine;
  return kCharacters / std::max<std::size_t>(figure.categories.size(), 1);
}

// As labels, not as tics: of those gnuplot shows fifty characters.
std::string category_labels(const Figure& figure) {
  std::string labels;
  for (std::size_t i = 0; i < figure.categories.size(); ++i) {
    labels +=
        fmt::format("set label {} at first {}, graph 0 {} noenhanced\n",
                    quoted_lines(figure.categories[i], label_width(figure)), i,
                    upright(figure) ? "right rotate by 90 offset 0,-0.6" : "center offset 0,-1.2");
  }
  return labels;
}

// Where bars begin and how high the figure must be.
std::string frame(const Figure& figure, double highest) {
  const auto count = static_cast<double>(figure.categories.size());
  return fmt::format("set xrange [-0.5:{}]\nset yrange [0:{}]\nunset xtics\n{}", count - 0.5,
                     highest > 0 ? highest : 1, category_labels(figure));
}

// Columns: position, height, where the number is written, the number.
std::string block(const std::string& name, const Series& series, double offset) {
  std::string text = fmt::format("{} << EOD\n", name);
  for (const Point& point : series.points) {
    text += fmt::format("{} {} {} \"{}\"\n", point.x + offset, point.y, top_of(point),
                        short_number(point.y));
  }
  return text + "EOD\n";
}

// Columns: position, from, length.
std::string interval_block(const std::string& name, const Series& series, double offset) {
  std::string text;
  for (const Point& point : series.points) {
    if (!point.interval) continue;
    const Interval& interval = *point.interval;
    text += fmt::format("{} {} {}\n", point.x + offset, interval.low, interval.high - interval.low);
  }
  return text.empty() ? "" : fmt::format("{} << EOD\n{}EOD\n", name, text);
}

struct Bar {
  std::string name;  // of its data block
  double width;
  double offset;  // from the middle of the category
  std::string style;
};

void add_bars(const Series& series, const Bar& bar, Marks& marks) {
  marks.data += block(bar.name, series, bar.offset);
  add_titled(fmt::format("{} using 1:2:({}) with boxes {}", bar.name, bar.width * 0.94, bar.style),
             series.label, marks);
  const std::string intervals = bar.name + "_intervals";
  if (const std::string data = interval_block(intervals, series, bar.offset); !data.empty()) {
    marks.data += data;
    marks.plots.push_back(
        fmt::format("{} using 1:2:(0):3 with vectors heads size screen 0.008,90 linecolor rgb "
                    "'black' linewidth 1.5 notitle",
                    intervals));
  }
  marks.plots.push_back(
      fmt::format("{} using 1:3:4 with labels offset 0,0.6 noenhanced notitle", bar.name));
}

double highest_of(const Figure& figure) {
  double highest = 0;
  for (const auto* all : {&figure.series, &figure.references}) {
    for (const Series& series : *all) {
      for (const Point& point : series.points) highest = std::max(highest, top_of(point));
    }
  }
  for (const Level& level : figure.levels) highest = std::max(highest, level.y);
  return highest;
}

Marks side_by_side(const Figure& figure) {
  Marks marks;
  marks.settings = frame(figure, highest_of(figure) * kRoomForNumbers);
  const std::size_t measured = figure.series.size();
  const std::size_t count = measured + figure.references.size();
  const double width = kGroupWidth / static_cast<double>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const bool own = i < measured;
    const Series& series = own ? figure.series[i] : figure.references[i - measured];
    const double offset = (static_cast<double>(i) - static_cast<double>(count - 1) / 2) * width;
    add_bars(series,
             {fmt::format("$bars{}", i), width, offset, own ? bar_style(i) : std::string(kPale)},
             marks);
  }
  return marks;
}

// Heights of each category's bar below the given layer.
std::vector<double> sums_below(const Figure& figure, std::size_t layer) {
  std::vector<double> sums(figure.categories.size(), 0);
  for (std::size_t i = 0; i < layer; ++i) {
    for (const Point& point : figure.series[i].points)
      sums.at(static_cast<std::size_t>(point.x)) += point.y;
  }
  return sums;
}

// The highest layer is drawn first; each lower one covers its part of it.
Marks stacked(const Figure& figure) {
  Marks marks;
  const std::size_t layers = figure.series.size();
  double highest = 0;
  for (const double total : sums_below(figure, layers)) highest = std::max(highest, total);
  marks.settings = frame(figure, highest * kRoomAbove);
  for (std::size_t i = layers; i-- > 0;) {
    const auto below = sums_below(figure, i);
    std::string data = fmt::format("$layer{} << EOD\n", i);
    for (const Point& point : figure.series[i].points) {
      const double top = below.at(static_cast<std::size_t>(point.x)) + point.y;
      data += fmt::format("{} {}\n", point.x, top);
    }
    marks.data += data + "EOD\n";
    add_titled(fmt::format("$layer{} using 1:2:(0.6) with boxes {}", i, layer_style(i, layers)),
               figure.series[i].label, marks);
  }
  return marks;
}

}  // namespace

std::size_t label_lines(const Figure& figure) {
  std::size_t most = 1;
  for (const std::string& label : figure.categories) {
    const std::size_t lines = upright(figure) ? 1 + label.size() / kCharactersPerLineUpright
                                              : lines_of(label, label_width(figure));
    most = std::max(most, lines);
  }
  return most;
}

Marks bar_marks(const Figure& figure) {
  Marks marks = figure.kind == Kind::stacked_bars ? stacked(figure) : side_by_side(figure);
  add_levels(figure, marks);
  return marks;
}

}  // namespace ebb::plots
