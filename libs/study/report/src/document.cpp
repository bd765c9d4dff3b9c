// SPDX-License-Identifier: Apache-2.0
#include "document.hpp"

#include "page.hpp"

#include "ebb/core/check.hpp"
#include "ebb/core/process.hpp"
#include "ebb/plots/result_figures.hpp"
#include "ebb/report/report.hpp"
#include "ebb/results/run.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ebb::report {
namespace {

using results::Run;
using results::Store;

// The frames cover the measured time.
TimePoint start_of(const Run& run, const results::Series& series) {
  const auto measured = static_cast<std::int64_t>(run.metric("time.measured").value_or(0));
  return series.ends.back() - Duration(measured);
}

Result<Json> series_of(const Store& store, std::size_t position, const Run& run) {
  const auto series = store.series(run.id);
  if (!series) return fail(series.error());
  const auto channels = store.channels(run.id);
  if (!channels) return fail(channels.error());
  const auto states = store.residency(run.id);
  if (!states) return fail(states.error());
  return series_json(position, **series, start_of(run, **series), *channels, *states);
}

// Adds "series", "series_left_out" and "drawings".
Result<void> add_links(const Store& store, const std::vector<Run>& runs, std::size_t most_bytes,
                       Json& document) {
  const auto choice = choose_series(store, runs, most_bytes);
  if (!choice) return fail(choice.error());
  Json all = Json::array();
  Drawings drawings;
  for (const std::size_t position : choice->runs) {
    auto series = series_of(store, position, runs[position]);
    if (!series) return fail(series.error());
    all.push_back(std::move(*series));
    drawings.add(position, runs[position]);
  }
  document["series"] = std::move(all);
  document["series_left_out"] = choice->left_out;
  document["drawings"] = drawings.json();
  return {};
}

// Labels are the user's; what is not UTF-8 in them must not stop a report.
std::string text_of(const Json& document) {
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<void> add_timeline(const Settings& settings, Json& document) {
  document["timeline"] = nullptr;
  if (settings.timeline.empty()) return {};
  auto timeline = timeline_json(settings.timeline, settings.most_timeline_events);
  if (!timeline) return fail(timeline.error());
  document["timeline"] = std::move(*timeline);
  return {};
}

// Of a page about a timeline alone.
Json without_runs(const Settings& settings) {
  return {{"format", "ebb-report 1"},
          {"title", settings.title},
          {"version", version()},
          {"subject", {{"networks", Json::array()}, {"traffic", Json::array()}}},
          {"experiments", Json::array()},
          {"figures", Json::object()},
          {"runs", Json::array()},
          {"series", Json::array()},
          {"series_left_out", 0},
          {"drawings", Json::array()}};
}

Json runs_json(const std::vector<Run>& runs) {
  Json all = Json::array();
  for (const Run& run : runs) all.push_back(run_json(run));
  return all;
}

}  // namespace

Result<std::string> document(const Store& store, const Settings& settings) {
  const auto runs = store.runs();
  if (!runs) return fail(runs.error());
  Json made = {{"format", "ebb-report 1"}, {"title", settings.title}, {"version", version()}};
  const auto set = plots::RunSet::read(store);
  if (!set) return fail(set.error());
  made["subject"] = subject_json(*runs);
  made["experiments"] = experiments_json(*set, *runs);
  made["figures"] = figures_json(*set);
  made["runs"] = runs_json(*runs);
  const std::size_t size = text_of(made).size();
  const std::size_t room = settings.most_bytes - std::min(settings.most_bytes, size);
  if (auto added = add_links(store, *runs, room, made); !added) return fail(added.error());
  if (auto added = add_timeline(settings, made); !added) return fail(added.error());
  return text_of(made);
}

namespace {

// JSON needs "<" only inside strings, where an escape means the same; a script block would end at
// "</script" and change its meaning at "<!--".
void append_escaped(std::string& to, std::string_view json) {
  for (const char c : json) {
    if (c == '<') {
      to += "\\u003c";
    } else {
      to += c;
    }
  }
}

std::string page_with(std::string_view json) {
  std::string text;
  for (const std::string_view piece : page().before) text += piece;
  append_escaped(text, json);
  for (const std::string_view piece : page().after) text += piece;
  return text;
}

}  // namespace

bool can_write() { return !page().before.empty(); }

Result<std::string> html(const results::Store& store, const Settings& settings) {
  EBB_CHECK(can_write(), "a report without its page");
  const auto json = document(store, settings);
  if (!json) return fail(json.error());
  return page_with(*json);
}

Result<std::string> html(const Settings& settings) {
  EBB_CHECK(can_write(), "a report without its page");
  Json made = without_runs(settings);
  if (auto added = add_timeline(settings, made); !added) return fail(added.error());
  return page_with(text_of(made));
}

namespace {

Json parameters_json(const results::Run& run) {
  Json parameters = Json::object();
  for (const auto& [key, value] : run.parameters) parameters[key] = value;
  return parameters;
}

Json metrics_json(const results::Run& run) {
  Json metrics = Json::array();
  for (const auto& [name, unit, value] : run.metrics)
    metrics.push_back({{"name", name}, {"unit", unit}, {"value", value}});
  return metrics;
}

}  // namespace

Json run_json(const results::Run& run) {
  return {{"key", run.key},
          {"label", run.label},
          {"version", run.version},
          {"seed", std::to_string(run.seed)},  // 64 bits do not fit into a number of a browser
          {"status", to_text(run.status)},
          {"error", run.error},
          {"parameters", parameters_json(run)},
          {"configuration", run.configuration},
          {"metrics", metrics_json(run)}};
}

Json experiments_json(const plots::RunSet& set, const std::vector<results::Run>& runs) {
  std::map<std::string, std::size_t> positions;
  for (std::size_t i = 0; i < runs.size(); ++i) positions[runs[i].key] = i;
  Json all = Json::array();
  for (const plots::Repetitions& experiment : set.experiments()) {
    Json own = Json::array();
    for (const results::Run* run : experiment.group.runs) own.push_back(positions.at(run->key));
    const auto load = results::load_of(experiment.group.first());
    all.push_back({{"label", experiment.label},
                   {"series", experiment.series},
                   {"offered_load", experiment.offered_load},
                   {"load", load ? Json(load->value) : Json(nullptr)},
                   {"runs", std::move(own)}});
  }
  return all;
}

namespace {

std::string_view to_text(plots::Kind kind) {
  switch (kind) {
    case plots::Kind::lines:
      return "lines";
    case plots::Kind::points:
      return "points";
    case plots::Kind::bars:
      return "bars";
    case plots::Kind::stacked_bars:
      return "stacked_bars";
  }
  return "";
}

Json points_json(const plots::Series& series) {
  Json points = Json::array();
  for (const plots::Point& point : series.points) points.push_back({point.x, point.y});
  return points;
}

// By names of columns; lines that are no column of the table have their points.
Json drawing_json(const plots::ResultFigure& figure, const plots::Table& table) {
  const plots::Drawing& drawing = figure.drawing;
  Json curves = Json::array();
  for (const auto& [column, label] : drawing.curves)
    curves.push_back({{"column", column}, {"label", label}});
  Json references = Json::array();
  if (figure.references != nullptr) {
    for (const plots::Series& line : figure.references(table))
      references.push_back({{"label", line.label}, {"points", points_json(line)}});
  }
  return {{"kind", to_text(drawing.kind)},
          {"group", drawing.group},
          {"x", drawing.x},
          {"curves", std::move(curves)},
          {"layer", drawing.layer},
          {"y_label", drawing.y_label},
          {"log_x", drawing.log_x},
          {"log_y", drawing.log_y},
          {"label", drawing.label},
          {"references", std::move(references)}};
}

}  // namespace

Json figures_json(const plots::RunSet& runs) {
  Json all = Json::object();
  for (const plots::ResultFigure& figure : plots::result_figures()) {
    const plots::Table table = figure.table(runs);
    all[figure.name] = Json::parse(plots::to_json(table));
    all[figure.name]["drawing"] = drawing_json(figure, table);
  }
  return all;
}

}  // namespace ebb::report
