// SPDX-License-Identifier: Apache-2.0
#include "results/export.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace ebb::cli {
namespace {

using Json = nlohmann::ordered_json;
using results::Record;

Json parameters_json(const results::Run& run) {
  Json parameters = Json::object();
  for (const auto& parameter : run.parameters) parameters[parameter.key] = parameter.value;
  return parameters;
}

Json metrics_json(const results::Run& run) {
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

Json series_json(const std::optional<results::Series>& series) {
  if (!series) return nullptr;
  Json ends = Json::array();
  for (const TimePoint end : series->ends) ends.push_back(end.time_since_epoch().count());
  return {{"every_ps", series->every.count()}, {"channels", series->channels},
          {"end_ps", std::move(ends)},         {"busy_share", series->busy_share},
          {"sent_bit", series->sent_bits},     {"queued_bit", series->queued_bits},
          {"energy_J", series->energy_joules}, {"state", series->states}};
}

Json run_json(const Record& record) {
  const results::Run& run = record.run;
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

}  // namespace

Errors export_json(const results::Store& store, const Write& write) {
  auto runs = store.runs();
  if (!runs) return runs.error();
  std::sort(runs->begin(), runs->end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  write("{\"format\":\"ebb-results 1\",\"runs\":[");
  bool first = true;
  for (const results::Run& run : *runs) {
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

}  // namespace ebb::cli
