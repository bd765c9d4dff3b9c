// SPDX-License-Identifier: Apache-2.0
#include "store_write.hpp"

#include "series_blob.hpp"

#include <array>

namespace ebb::results {
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
