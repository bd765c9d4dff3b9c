// SPDX-License-Identifier: Apache-2.0
#include "replay/drawings.hpp"

#include "ebb/topology/graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>

namespace ebb::cli {
namespace {

using replay::Hour;
using replay::kHoursOfDay;

constexpr double kLeft = 90;  // of the drawing, for names and numbers
constexpr double kWidth = 860;
constexpr double kMargin = 25;
constexpr std::size_t kMostRows = 400;
constexpr std::size_t kMostNames = 60;  // beyond, rows are too thin for them
constexpr std::int64_t kMostColumns = 400;
constexpr std::array kColours = {"#1f6fb2", "#d1661f", "#3f8f3f", "#8a4fa8", "#7a6a2f"};

std::string text(double x, double y, std::string_view anchor, std::string_view words) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     escaped(words));
}

std::string horizontal(double y) {
  return fmt::format("<path class=\"grid\" d=\"M{} {:.1f}h{}\"/>\n", kLeft, y, kWidth);
}

// ---- watts

// By hour of the day: the mean of all days, the lowest day and the highest.
struct OfDay {
  std::array<double, kHoursOfDay> mean{};
  std::array<double, kHoursOfDay> lowest{};
  std::array<double, kHoursOfDay> highest{};
  std::array<bool, kHoursOfDay> known{};
};
OfDay of_day(const std::vector<Hour>& hours, bool all_awake) {
  OfDay day;
  const auto energy = [&](const Hour& hour) { return all_awake ? hour.all_awake : hour.used; };
  for (const Hour& hour : replay::by_hour_of_day(hours))
    day.mean[static_cast<std::size_t>(hour.number)] = mean_watts(energy(hour), hour.time);
  for (const Hour& hour : hours) {
    const auto which = static_cast<std::size_t>(hour.number % kHoursOfDay);
    const double watts = mean_watts(energy(hour), hour.time);
    day.lowest[which] = day.known[which] ? std::min(day.lowest[which], watts) : watts;
    day.highest[which] = std::max(day.highest[which], watts);
    day.known[which] = true;
  }
  return day;
}

// A round number that is a fourth of the highest, or a little more.
double grid_step(double highest) {
  const double rough = highest / 4;
  const double power = std::pow(10, std::floor(std::log10(std::max(rough, 1e-9))));
  for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
    if (rough <= factor * power) return factor * power;
  }
  return 10 * power;
}

struct WattsScale {
  static constexpr double kTop = 10;
  static constexpr double kHeight = 220;
  double highest = 1;

  [[nodiscard]] double x(double hour) const { return kLeft + kWidth * hour / kHoursOfDay; }
  [[nodiscard]] double y(double watts) const { return kTop + kHeight * (1 - watts / highest); }
};

// Each hour is a level line, so that nothing is shown that was not added up.
std::string steps_path(const OfDay& day, const std::array<double, kHoursOfDay>& watts,
                       const WattsScale& scale) {
  std::string path;
  bool broken = true;
  for (std::size_t hour = 0; hour < kHoursOfDay; ++hour) {
    if (!day.known[hour]) {
      broken = true;
      continue;
    }
    const auto begin = static_cast<double>(hour);
    path += fmt::format("{}{:.1f} {:.1f}H{:.1f}", broken ? "M" : "L", scale.x(begin),
                        scale.y(watts[hour]), scale.x(begin + 1));
    broken = false;
  }
  return path;
}

std::string band(const OfDay& day, const WattsScale& scale, std::string_view colour) {
  std::string boxes;
  for (std::size_t hour = 0; hour < kHoursOfDay; ++hour) {
    if (!day.known[hour]) continue;
    const double top = scale.y(day.highest[hour]);
    boxes += fmt::format("M{:.1f} {:.1f}h{:.1f}v{:.1f}h-{:.1f}z",
                         scale.x(static_cast<double>(hour)), top, kWidth / kHoursOfDay,
                         scale.y(day.lowest[hour]) - top, kWidth / kHoursOfDay);
  }
  return fmt::format("<path d=\"{}\" fill=\"{}\" opacity=\"0.18\"/>\n", boxes, colour);
}

std::string line(const std::string& path, std::string_view colour, std::string_view more = "") {
  return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}/>\n", path,
                     colour, more);
}

// ---- links over time

std::vector<topology::LinkId> rows_of(const replay::PolicyRun& run) {
  std::vector<topology::LinkId> links;
  for (std::uint32_t link = 0; link < run.asleep.size(); ++link) {
    if (run.asleep[link] > replay::LongTime{}) links.push_back(topology::LinkId{link});
  }
  std::stable_sort(links.begin(), links.end(), [&](topology::LinkId a, topology::LinkId b) {
    return run.asleep[index(a)] > run.asleep[index(b)];
  });
  if (links.size() > kMostRows) links.resize(kMostRows);
  return links;
}

// Columns of whole hours, as many as fit.
struct Columns {
  std::int64_t first = 0;
  std::int64_t hours = 0;
  std::int64_t each = 1;

  explicit Columns(const replay::PolicyRun& run)
      : first(run.hours.front().number),
        hours(run.hours.back().number - first + 1),
        each((hours + kMostColumns - 1) / kMostColumns) {}
  [[nodiscard]] double x(std::int64_t hour) const {
    return kLeft + kWidth * static_cast<double>(hour - first) / static_cast<double>(hours);
  }
};

// In eighths of the time of a column.
constexpr int kShades = 8;
int shade(const replay::SleepCalendar& calendar, topology::LinkId link, std::int64_t begin,
          std::int64_t end) {
  double sum = 0;
  for (std::int64_t hour = begin; hour < end; ++hour) sum += calendar.asleep(link, hour);
  const double share = sum / static_cast<double>(end - begin);
  return static_cast<int>(std::lround(kShades * std::min(share, 1.0)));
}

// One path for all that has the same shade, neighbours joined.
std::map<int, std::string> cells(const replay::PolicyRun& run,
                                 const std::vector<topology::LinkId>& links, const Columns& columns,
                                 double height) {
  std::map<int, std::string> paths;
  for (std::size_t row = 0; row < links.size(); ++row) {
    const double y = height * (static_cast<double>(row) + 0.5);
    const std::int64_t end = columns.first + columns.hours;
    std::int64_t begin = columns.first;
    int before = 0;
    const auto draw = [&](std::int64_t until) {
      if (before == 0) return;
      paths[before] += fmt::format("M{:.1f} {:.1f}H{:.1f}", columns.x(begin), y, columns.x(until));
    };
    for (std::int64_t hour = columns.first; hour < end; hour += columns.each) {
      const int now = shade(run.calendar, links[row], hour, std::min(hour + columns.each, end));
      if (now == before) continue;
      draw(hour);
      begin = hour;
      before = now;
    }
    draw(end);
  }
  return paths;
}

std::string day_marks(const Columns& columns, double height) {
  std::string marks;
  const std::int64_t days = (columns.hours + kHoursOfDay - 1) / kHoursOfDay;
  const std::int64_t every = (days + 13) / 14;
  std::int64_t count = 0;
  for (std::int64_t hour = columns.first; hour < columns.first + columns.hours; ++hour) {
    if (hour % kHoursOfDay != 0 || count++ % every != 0) continue;
    const std::chrono::year_month_day date{
        std::chrono::sys_days(std::chrono::days(hour / kHoursOfDay))};
    marks +=
        fmt::format("<path class=\"grid\" d=\"M{:.1f} 0v{:.1f}\"/>\n", columns.x(hour), height + 4);
    marks += text(columns.x(hour) + 2, height + 15, "start",
                  fmt::format("{:02}-{:02}", unsigned{date.month()}, unsigned{date.day()}));
  }
  return marks;
}

}  // namespace

std::string escaped(std::string_view words) {
  std::string result;
  for (const char c : words) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string watts_drawing(const Replayed& replayed) {
  const OfDay all_awake = of_day(replayed.runs.front().hours, true);
  WattsScale scale;
  const double most = *std::max_element(all_awake.highest.begin(), all_awake.highest.end());
  const double step = grid_step(most);
  scale.highest = step * std::ceil(most / step - 1e-9);
  const double bottom = scale.y(0);
  const double legend = bottom + 40;
  std::string drawing = fmt::format(
      "<svg viewBox=\"0 0 {} {:.0f}\" role=\"img\" aria-label=\"Watts by the hour of "
      "the day\">\n",
      kLeft + kWidth + kMargin, legend + 10);
  for (double watts = 0; watts <= scale.highest * (1 + 1e-9); watts += step) {
    drawing += horizontal(scale.y(watts));
    drawing += text(kLeft - 6, scale.y(watts) + 4, "end", fmt::format("{:.6g} W", watts));
  }
  for (int hour = 0; hour <= kHoursOfDay; hour += 3)
    drawing += text(scale.x(hour), bottom + 16, "middle", fmt::format("{:02}:00", hour));
  drawing += line(steps_path(all_awake, all_awake.mean, scale), "currentColor",
                  " stroke-dasharray=\"5 4\"");
  double x = kLeft;
  const auto name = [&](std::string_view what, std::string_view colour, std::string_view more) {
    drawing += line(fmt::format("M{:.1f} {:.1f}h24", x, legend), colour, more);
    drawing += text(x + 30, legend + 4, "start", what);
    x += 60 + 8 * static_cast<double>(what.size());
  };
  name("all awake", "currentColor", " stroke-dasharray=\"5 4\"");
  for (std::size_t which = 0; which < replayed.runs.size(); ++which) {
    const std::string_view colour = kColours[which % kColours.size()];
    const OfDay day = of_day(replayed.runs[which].hours, false);
    drawing += band(day, scale, colour);
    drawing += line(steps_path(day, day.mean, scale), colour);
    name(replayed.runs[which].policy.name, colour, "");
  }
  return drawing + "</svg>\n";
}

std::string sleep_drawing(const Replayed& replayed, const replay::PolicyRun& run) {
  const std::vector<topology::LinkId> links = rows_of(run);
  if (links.empty()) return "";
  const bool named = links.size() <= kMostNames;
  const double row = named ? 14 : std::max(1.5, 600.0 / static_cast<double>(links.size()));
  const double height = row * static_cast<double>(links.size());
  const Columns columns(run);
  std::string drawing = fmt::format(
      "<svg viewBox=\"0 0 {} {:.0f}\" role=\"img\" aria-label=\"Links asleep over "
      "time\">\n<rect class=\"awake\" x=\"{}\" y=\"0\" width=\"{}\" "
      "height=\"{:.1f}\"/>\n",
      kLeft + kWidth + kMargin, height + 20, kLeft, kWidth, height);
  for (const auto& [shade, path] : cells(run, links, columns, row)) {
    drawing += fmt::format(
        "<path d=\"{}\" stroke=\"{}\" stroke-opacity=\"{:.3f}\" "
        "stroke-width=\"{:.2f}\"/>\n",
        path, kColours[0], static_cast<double>(shade) / kShades, named ? row - 1 : row);
  }
  drawing += day_marks(columns, height);
  for (std::size_t which = 0; named && which < links.size(); ++which) {
    drawing += text(kLeft - 6, row * static_cast<double>(which) + 11, "end",
                    topology::link_name(replayed.file.graph, links[which]));
  }
  return drawing + "</svg>\n";
}

Shown shown_rows(const replay::PolicyRun& run) {
  const auto slept = std::count_if(run.asleep.begin(), run.asleep.end(),
                                   [](replay::LongTime time) { return time > replay::LongTime{}; });
  return {rows_of(run).size(), static_cast<std::size_t>(slept)};
}

}  // namespace ebb::cli
