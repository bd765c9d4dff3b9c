// SPDX-License-Identifier: Apache-2.0
#include "rows.hpp"

#include <fmt/format.h>

#include <array>
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

namespace {

std::int64_t as_integer(std::uint64_t count) { return static_cast<std::int64_t>(count); }

void remove_details(const Database& database, std::int64_t run) {
  constexpr std::array kDetailTables = {"parameters", "metrics",  "histograms",
                                        "residency",  "channels", "channel_residency",
                                        "series",     "log"};
  for (const std::string table : kDetailTables)
    database.prepare("DELETE FROM " + table + " WHERE run = ?").bind(run).run();
}

// A run of the same key keeps its id.
std::int64_t write_run(const Database& database, const Run& run) {
  Statement statement = database.prepare(
      "INSERT INTO runs (key, setup, label, configuration, version, seed, status, error) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?) "
      "ON CONFLICT (key) DO UPDATE SET label = excluded.label, status = excluded.status, "
      "error = excluded.error RETURNING id");
  statement.bind(run.key).bind(run.setup).bind(run.label).bind(run.configuration);
  statement.bind(run.version).bind(as_integer(run.seed)).bind(to_text(run.status)).bind(run.error);
  if (!statement.next()) throw DatabaseError("the run got no number");
  const std::int64_t id = statement.integer(0);
  statement.run();  // to its end
  return id;
}

void write_parameters(const Database& database, std::int64_t id, const Run& run) {
  Statement statement = database.prepare("INSERT INTO parameters VALUES (?, ?, ?, ?)");
  std::int64_t position = 0;
  for (const Parameter& parameter : run.parameters)
    statement.bind(id).bind(position++).bind(parameter.key).bind(parameter.value).run();
}

void write_metrics(const Database& database, std::int64_t id, const Run& run) {
  Statement statement = database.prepare("INSERT INTO metrics VALUES (?, ?, ?, ?, ?)");
  std::int64_t position = 0;
  for (const Metric& metric : run.metrics) {
    statement.bind(id).bind(position++).bind(metric.name).bind(metric.unit);
    statement.bind(metric.value).run();
  }
}

void write_histograms(const Database& database, std::int64_t id, const Record& record) {
  Statement statement = database.prepare("INSERT INTO histograms VALUES (?, ?, ?, ?)");
  for (const Histogram& histogram : record.histograms) {
    for (const Histogram::Bucket& bucket : histogram.buckets) {
      statement.bind(id).bind(histogram.name).bind(std::int64_t{bucket.upper.count()});
      statement.bind(as_integer(bucket.count)).run();
    }
  }
}

void write_residency(const Database& database, std::int64_t id, const Record& record) {
  Statement statement = database.prepare("INSERT INTO residency VALUES (?, ?, ?, ?, ?)");
  for (const StateTime& state : record.residency) {
    statement.bind(id).bind(state.meter_class).bind(std::int64_t{state.state});
    statement.bind(state.name).bind(std::int64_t{state.time.count()}).run();
  }
}

void write_channels(const Database& database, std::int64_t id, const Record& record) {
  Statement row = database.prepare("INSERT INTO channels VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  Statement time = database.prepare("INSERT INTO channel_residency VALUES (?, ?, ?, ?)");
  for (const Channel& channel : record.channels) {
    const std::int64_t number = channel.number;
    row.bind(id).bind(number).bind(channel.from).bind(channel.to).bind(channel.meter_class);
    row.bind(std::int64_t{channel.busy.count()}).bind(channel.sent.count());
    row.bind(channel.energy_joules).bind(as_integer(channel.transitions)).run();
    for (std::size_t s = 0; s < channel.state_times.size(); ++s) {
      time.bind(id).bind(number).bind(as_integer(s));
      time.bind(std::int64_t{channel.state_times[s].count()}).run();
    }
  }
}

class SeriesWriter {
 public:
  SeriesWriter(const Database& database, std::int64_t id, const Series& series)
      : statement_(database.prepare("INSERT INTO series VALUES (?, ?, ?, ?, ?, ?, ?, ?)")),
        id_(id),
        series_(series) {}

  template <class Number>
  void write(std::string_view quantity, std::string_view unit, std::string_view type,
             const std::vector<Number>& numbers, std::int64_t channels) {
    const auto bytes = to_bytes(std::span(numbers));
    statement_.bind(id_).bind(quantity).bind(unit).bind(type);
    statement_.bind(as_integer(series_.frames())).bind(channels);
    statement_.bind(std::int64_t{series_.every.count()}).bind(Blob(bytes)).run();
  }

 private:
  Statement statement_;
  std::int64_t id_;
  const Series& series_;
};

void write_series(const Database& database, std::int64_t id, const Series& series) {
  SeriesWriter writer(database, id, series);
  std::vector<std::int64_t> ends;
  for (const TimePoint end : series.ends) ends.push_back(end.time_since_epoch().count());
  writer.write("end", "ps", "i64", ends, 1);
  writer.write("busy", "share", "f32", series.busy_share, series.channels);
  writer.write("sent", "bit", "f32", series.sent_bits, series.channels);
  writer.write("queued", "bit", "f32", series.queued_bits, series.channels);
  writer.write("energy", "J", "f32", series.energy_joules, series.channels);
  writer.write("state", "state", "u8", series.states, series.channels);
}

}  // namespace

std::int64_t write_record(const Database& database, const Record& record,
                          std::optional<double> wall_seconds) {
  const std::int64_t id = write_run(database, record.run);
  remove_details(database, id);
  write_parameters(database, id, record.run);
  write_metrics(database, id, record.run);
  write_histograms(database, id, record);
  write_residency(database, id, record);
  write_channels(database, id, record);
  if (record.series) write_series(database, id, *record.series);
  if (wall_seconds)
    database.prepare("INSERT INTO log VALUES (?, ?)").bind(id).bind(*wall_seconds).run();
  return id;
}

}  // namespace ebb::results
