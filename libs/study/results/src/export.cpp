// SPDX-License-Identifier: Apache-2.0
#include "ebb/results/export.hpp"

#include "ebb/results/statistics.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

namespace ebb::results {
namespace {

using Json = nlohmann::ordered_json;

Json parameters_json(const Run& run) {
  Json parameters = Json::object();
  for (const auto& parameter : run.parameters) parameters[parameter.key] = parameter.value;
  return parameters;
}

Json metrics_json(const Run& run) {
  Json metrics = Json::array();
  for (const auto& metric : run.metrics)
    metrics.push_back({{"name", metric.name}, {"unit", metric.unit}, {"value", metric.value}});
  return metrics;
}

Json histograms_json(const Record& record) {
  Json histograms = Json::object();
  for (const auto& histogram : record.histograms) {
    Json buckets = Json::array();
    for (const auto& bucket : histogram.buckets)
      buckets.push_back({{"upper_ps", bucket.upper.count()}, {"count", bucket.count}});
    histograms[histogram.name] = std::move(buckets);
  }
  return histograms;
}

Json residency_json(const Record& record) {
  Json states = Json::array();
  for (const auto& state : record.residency) {
    states.push_back({{"class", state.meter_class},
                      {"state", state.state},
                      {"name", state.name},
                      {"ps", state.time.count()}});
  }
  return states;
}

Json channels_json(const Record& record) {
  Json channels = Json::array();
  for (const auto& channel : record.channels) {
    Json times = Json::array();
    for (const Duration time : channel.state_times) times.push_back(time.count());
    channels.push_back({{"channel", channel.number},
                        {"from", channel.from},
                        {"to", channel.to},
                        {"class", channel.meter_class},
                        {"busy_ps", channel.busy.count()},
                        {"sent_bit", channel.sent.count()},
                        {"energy_J", channel.energy_joules},
                        {"transitions", channel.transitions},
                        {"state_ps", std::move(times)}});
  }
  return channels;
}

Json series_json(const std::optional<Series>& series) {
  if (!series) return nullptr;
  Json ends = Json::array();
  for (const TimePoint end : series->ends) ends.push_back(end.time_since_epoch().count());
  return {{"every_ps", series->every.count()}, {"channels", series->channels},
          {"end_ps", std::move(ends)},         {"busy_share", series->busy_share},
          {"sent_bit", series->sent_bits},     {"queued_bit", series->queued_bits},
          {"energy_J", series->energy_joules}, {"state", series->states}};
}

Json run_json(const Record& record) {
  const Run& run = record.run;
  return {{"key", run.key},
          {"setup", run.setup},
          {"label", run.label},
          {"version", run.version},
          {"seed", run.seed},
          {"status", to_text(run.status)},
          {"error", run.error},
          {"configuration", run.configuration},
          {"parameters", parameters_json(run)},
          {"metrics", metrics_json(run)},
          {"histograms", histograms_json(record)},
          {"residency", residency_json(record)},
          {"channels", channels_json(record)},
          {"series", series_json(record.series)}};
}

std::string field(const std::string& text) { return csv_field(text); }
template <class Number>
std::string field(Number number) {
  return fmt::format("{}", number);  // the shortest text that reads as the same number
}

class CsvFile {
 public:
  CsvFile(const std::filesystem::path& path, std::string_view head)
      : path_(path.string()), stream_(path, std::ios::binary) {
    stream_ << head << "\n";
  }
  template <class... Cells>
  void row(const Cells&... cells) {
    bool first = true;
    ((stream_ << (first ? "" : ",") << field(cells), first = false), ...);
    stream_ << "\n";
  }
  void line(const std::string& text) { stream_ << text << "\n"; }
  void close(Errors& errors) {
    if (!stream_.flush()) errors.push_back({"cannot be written", {.file = path_}});
  }

 private:
  std::string path_;
  std::ofstream stream_;
};

// A run per line: what it is, its parameters, its metrics.
class RunsTable {
 public:
  RunsTable(const std::filesystem::path& folder, const std::vector<Run>& runs)
      : parameters_(parameter_keys(runs)) {
    std::string head = "key,setup,label,version,seed,status";
    for (const std::string& key : parameters_) head += "," + csv_field(key);
    for (const Run& run : runs) {
      for (const Metric& metric : run.metrics) add_metric(metric, head);
    }
    file_.emplace(folder / "runs.csv", head);
  }
  void add(const Run& run) {
    std::string line = fmt::format("{},{},{},{},{},{}", run.key, run.setup, field(run.label),
                                   run.version, run.seed, to_text(run.status));
    for (const std::string& key : parameters_) line += "," + field(run.parameter(key).value_or(""));
    for (const std::string& name : metrics_) {
      const auto value = run.metric(name);
      line += "," + (value ? field(*value) : std::string());
    }
    file_->line(line);
  }
  void close(Errors& errors) { file_->close(errors); }

 private:
  void add_metric(const Metric& metric, std::string& head) {
    if (std::find(metrics_.begin(), metrics_.end(), metric.name) != metrics_.end()) return;
    metrics_.push_back(metric.name);
    head += "," + metric.name + (metric.unit == "1" ? "" : "_" + metric.unit);
  }

  std::vector<std::string> parameters_;
  std::vector<std::string> metrics_;
  std::optional<CsvFile> file_;
};

class DetailTables {
 public:
  explicit DetailTables(const std::filesystem::path& folder)
      : histograms_(folder / "histograms.csv", "key,name,upper_ps,count"),
        residency_(folder / "residency.csv", "key,class,state,name,ps"),
        channels_(folder / "channels.csv",
                  "key,channel,from,to,class,busy_ps,sent_bit,energy_J,transitions"),
        times_(folder / "channel_residency.csv", "key,channel,state,ps"),
        series_(folder / "series.csv",
                "key,frame,end_ps,channel,busy_share,sent_bit,queued_bit,energy_J,state") {}

  void add(const Record& record) {
    const std::string& key = record.run.key;
    for (const auto& histogram : record.histograms) {
      for (const auto& bucket : histogram.buckets)
        histograms_.row(key, histogram.name, bucket.upper.count(), bucket.count);
    }
    for (const auto& state : record.residency)
      residency_.row(key, state.meter_class, state.state, state.name, state.time.count());
    for (const auto& channel : record.channels) add(key, channel);
    if (record.series) add(key, *record.series);
  }
  void close(Errors& errors) {
    for (CsvFile* file : {&histograms_, &residency_, &channels_, &times_, &series_})
      file->close(errors);
  }

 private:
  void add(const std::string& key, const Channel& channel) {
    channels_.row(key, channel.number, channel.from, channel.to, channel.meter_class,
                  channel.busy.count(), channel.sent.count(), channel.energy_joules,
                  channel.transitions);
    for (std::size_t s = 0; s < channel.state_times.size(); ++s)
      times_.row(key, channel.number, s, channel.state_times[s].count());
  }
  void add(const std::string& key, const Series& series) {
    for (std::size_t i = 0; i < series.states.size(); ++i) {
      const std::size_t frame = i / series.channels;
      series_.row(key, frame, series.ends[frame].time_since_epoch().count(), i % series.channels,
                  series.busy_share[i], series.sent_bits[i], series.queued_bits[i],
                  series.energy_joules[i], static_cast<int>(series.states[i]));
    }
  }

  CsvFile histograms_;
  CsvFile residency_;
  CsvFile channels_;
  CsvFile times_;
  CsvFile series_;
};

}  // namespace
std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

Errors export_json(const Store& store, const Write& write) {
  auto runs = store.runs();
  if (!runs) return runs.error();
  std::sort(runs->begin(), runs->end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  write("{\"format\":\"ebb-results 1\",\"runs\":[");
  bool first = true;
  for (const Run& run : *runs) {
    const auto record = store.record(run);
    if (!record) return record.error();
    write(first ? "\n" : ",\n");
    // Text of a file name may be any bytes.
    write(run_json(*record).dump(-1, ' ', false, Json::error_handler_t::replace));
    first = false;
  }
  write("\n]}\n");
  return {};
}

Errors export_csv(const Store& store, const std::string& folder) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) return {{"cannot be made: " + problem.message(), {.file = folder}}};
  auto runs = store.runs();
  if (!runs) return runs.error();
  RunsTable table(folder, *runs);
  DetailTables details(folder);
  for (const Run& run : *runs) {
    const auto record = store.record(run);
    if (!record) return record.error();
    table.add(run);
    details.add(*record);
  }
  Errors errors;
  table.close(errors);
  details.close(errors);
  return errors;
}

}  // namespace ebb::results
