// SPDX-License-Identifier: Apache-2.0
//
// A day as JSON: units stand in the names, and the same day has the same bytes.
#include "sim/day_output.hpp"

#include <nlohmann/json.hpp>

namespace ebb::cli {
namespace {

using Json = nlohmann::ordered_json;

Json latency_json(const day::Latency& latency) {
  if (latency.count == 0) return nullptr;
  return {{"count", latency.count},
          {"mean_ps", latency.mean.count()},
          {"p50_ps", latency.p50.count()},
          {"p99_ps", latency.p99.count()},
          {"p99_9_ps", latency.p99_9.count()}};
}

void add_sample(const day::Sample& sample, Json& json) {
  json["offered_load"] = sample.offered_load;
  json["accepted_load"] = sample.accepted_load;
  json["channels_W"] = to_watts(sample.channels);
  json["always_on_W"] = to_watts(sample.always_on);
  json["ideal_W"] = to_watts(sample.ideal);
  json["relative_power"] = sample.relative_power;
  json["ideal_relative_power"] = sample.ideal_relative_power;
  json["messages"] = sample.messages;
  json["messages_unfinished"] = sample.messages_unfinished;
  json["message_latency"] = latency_json(sample.message_latency);
  json["packet_latency"] = latency_json(sample.packet_latency);
  json["saturated"] = sample.saturated;
  json["too_short"] = sample.too_short;
  json["steady"] = sample.steady;
  json["outside_validity"] = sample.outside_validity;
}

Json step_json(const day::StepReport& step) {
  Json json = {{"at", config::clock_text(step.step.at)},
               {"length_ps", step.step.length.count()},
               {"load", step.step.load.to_double()},
               {"energy_J", to_joules(step.energy)},
               {"standard_error_J", step.standard_error_J}};
  add_sample(step.sample, json);
  return json;
}

Json magnified_json(const day::MagnifiedReport& moment) {
  Json json = {{"at", config::clock_text(moment.moment.at)},
               {"measured_ps", moment.moment.length.count()},
               {"step", moment.step}};
  add_sample(moment.sample, json);
  return json;
}

}  // namespace

std::string day_json(const day::DayReport& report) {
  const topology::Graph& graph = *report.simulation.graph;
  Json steps = Json::array();
  for (const day::StepReport& step : report.steps) steps.push_back(step_json(step));
  Json magnified = Json::array();
  for (const day::MagnifiedReport& moment : report.magnified)
    magnified.push_back(magnified_json(moment));
  const Energy channels = netsim::channel_energy(report.ledger);
  const Json json = {{"schema_version", 1},
                     {"configuration", config::resolved_text(report.simulation.spec)},
                     {"network",
                      {{"family", graph.origin().family},
                       {"hosts", graph.hosts_of_plane()},
                       {"sending_hosts", report.simulation.sending_hosts},
                       {"switches", graph.switch_count()},
                       {"links", graph.link_count()}}},
                     {"day",
                      {{"length_ps", report.length().count()},
                       {"channels_J", to_joules(channels)},
                       {"standard_error_J", report.standard_error_J},
                       {"always_on_J", to_joules(report.always_on)},
                       {"ideal_J", to_joules(report.ideal)},
                       {"total_J", to_joules(report.ledger.total())},
                       {"relative_power", to_joules(channels) / to_joules(report.always_on)}}},
                     {"steps", steps},
                     {"magnified", magnified},
                     {"ledger_balances", true}};
  return json.dump(2) + "\n";
}

}  // namespace ebb::cli
