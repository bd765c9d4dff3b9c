// SPDX-License-Identifier: Apache-2.0
#include "drawing_json.hpp"
#include "figures_json.hpp"
#include "run_json.hpp"
#include "series_choice.hpp"
#include "series_json.hpp"

#include "ebb/core/version.hpp"
#include "ebb/report/report.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
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
  made["experiments"] = experiments_json(*set, *runs);
  made["figures"] = figures_json(*set);
  made["runs"] = runs_json(*runs);
  const std::size_t size = text_of(made).size();
  const std::size_t room = settings.most_bytes - std::min(settings.most_bytes, size);
  if (auto added = add_links(store, *runs, room, made); !added) return fail(added.error());
  return text_of(made);
}

}  // namespace ebb::report
