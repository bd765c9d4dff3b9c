// SPDX-License-Identifier: Apache-2.0
#include "store_read.hpp"

#include "series_blob.hpp"

#include <fmt/format.h>

#include <map>
#include <string>

namespace ebb::results {
namespace {

std::string text(const Statement& row, int column) { return std::string(row.text(column)); }

Run read_run(const Statement& row) {
  return {.id = row.integer(0),
          .key = text(row, 1),
          .setup = text(row, 2),
          .label = text(row, 3),
          .configuration = text(row, 4),
          .version = text(row, 5),
          .seed = static_cast<std::uint64_t>(row.integer(6)),
          .status = row.text(7) == "done" ? Status::done : Status::failed,
          .error = text(row, 8)};
}

// The bytes of one quantity, which must be as many as the row says.
template <class Number>
std::vector<Number> numbers_of(const Database& database, std::int64_t run,
                               std::string_view quantity) {
  Statement row =
      database.prepare("SELECT data, frames, channels FROM series WHERE run = ? AND quantity = ?");
  row.bind(run).bind(quantity);
  if (!row.next()) throw DatabaseError(fmt::format("run {} lacks its series '{}'", run, quantity));
  auto numbers = from_bytes<Number>(row.bytes(0));
  if (static_cast<std::int64_t>(numbers.size()) != row.integer(1) * row.integer(2))
    throw DatabaseError(fmt::format("the series '{}' of run {} is damaged", quantity, run));
  return numbers;
}

}  // namespace

std::vector<Run> read_runs(const Database& database) {
  std::vector<Run> runs;
  std::map<std::int64_t, std::size_t> place;
  Statement run = database.prepare(
      "SELECT id, key, setup, label, configuration, version, seed, status, error FROM runs");
  while (run.next()) {
    place[run.integer(0)] = runs.size();
    runs.push_back(read_run(run));
  }
  Statement parameter =
      database.prepare("SELECT run, key, value FROM parameters ORDER BY run, position");
  while (parameter.next()) {
    const auto at = place.find(parameter.integer(0));
    if (at != place.end())
      runs[at->second].parameters.push_back({text(parameter, 1), text(parameter, 2)});
  }
  Statement metric =
      database.prepare("SELECT run, name, unit, value FROM metrics ORDER BY run, position");
  while (metric.next()) {
    const auto at = place.find(metric.integer(0));
    if (at != place.end())
      runs[at->second].metrics.push_back({text(metric, 1), text(metric, 2), metric.real(3)});
  }
  return runs;
}

std::vector<Histogram> read_histograms(const Database& database, std::int64_t run) {
  std::vector<Histogram> histograms;
  Statement row = database.prepare(
      "SELECT name, upper_ps, count FROM histograms WHERE run = ? ORDER BY name, upper_ps");
  row.bind(run);
  while (row.next()) {
    if (histograms.empty() || histograms.back().name != row.text(0))
      histograms.push_back({text(row, 0), {}});
    histograms.back().buckets.push_back(
        {Duration(row.integer(1)), static_cast<std::uint64_t>(row.integer(2))});
  }
  return histograms;
}

std::vector<StateTime> read_residency(const Database& database, std::int64_t run) {
  std::vector<StateTime> states;
  Statement row = database.prepare(
      "SELECT class, state, name, ps FROM residency WHERE run = ? ORDER BY class, state");
  row.bind(run);
  while (row.next()) {
    states.push_back({text(row, 0), static_cast<std::uint32_t>(row.integer(1)), text(row, 2),
                      Duration(row.integer(3))});
  }
  return states;
}

std::vector<Channel> read_channels(const Database& database, std::int64_t run) {
  std::vector<Channel> channels;
  Statement row = database.prepare(
      "SELECT channel, \"from\", \"to\", class, busy_ps, sent_bit, energy_J, transitions "
      "FROM channels WHERE run = ? ORDER BY channel");
  row.bind(run);
  while (row.next()) {
    channels.push_back({.number = static_cast<std::uint32_t>(row.integer(0)),
                        .from = text(row, 1),
                        .to = text(row, 2),
                        .meter_class = text(row, 3),
                        .busy = Duration(row.integer(4)),
                        .sent = bits(row.integer(5)),
                        .energy_joules = row.real(6),
                        .transitions = static_cast<std::uint64_t>(row.integer(7))});
  }
  Statement time = database.prepare(
      "SELECT channel, ps FROM channel_residency WHERE run = ? ORDER BY channel, state");
  time.bind(run);
  std::size_t at = 0;
  while (time.next()) {
    while (at < channels.size() && channels[at].number < time.integer(0)) ++at;
    if (at < channels.size()) channels[at].state_times.emplace_back(time.integer(1));
  }
  return channels;
}

std::optional<Series> read_series(const Database& database, std::int64_t run) {
  Statement row = database.prepare(
      "SELECT every_ps, channels FROM series WHERE run = ? AND quantity = 'state'");
  row.bind(run);
  if (!row.next()) return std::nullopt;
  Series series{.every = Duration(row.integer(0)),
                .channels = static_cast<std::uint32_t>(row.integer(1))};
  for (const std::int64_t end : numbers_of<std::int64_t>(database, run, "end"))
    series.ends.emplace_back(Duration(end));
  series.busy_share = numbers_of<float>(database, run, "busy");
  series.sent_bits = numbers_of<float>(database, run, "sent");
  series.queued_bits = numbers_of<float>(database, run, "queued");
  series.energy_joules = numbers_of<float>(database, run, "energy");
  series.states = numbers_of<std::uint8_t>(database, run, "state");
  return series;
}

}  // namespace ebb::results
