// SPDX-License-Identifier: Apache-2.0
#include "command_line/table.hpp"
#include "results/export.hpp"
#include "results/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

namespace ebb::cli {
namespace {

using results::Record;
using results::Run;

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
      for (const results::Metric& metric : run.metrics) add_metric(metric, head);
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
  void add_metric(const results::Metric& metric, std::string& head) {
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
  void add(const std::string& key, const results::Channel& channel) {
    channels_.row(key, channel.number, channel.from, channel.to, channel.meter_class,
                  channel.busy.count(), channel.sent.count(), channel.energy_joules,
                  channel.transitions);
    for (std::size_t s = 0; s < channel.state_times.size(); ++s)
      times_.row(key, channel.number, s, channel.state_times[s].count());
  }
  void add(const std::string& key, const results::Series& series) {
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

Errors export_csv(const results::Store& store, const std::string& folder) {
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

}  // namespace ebb::cli
