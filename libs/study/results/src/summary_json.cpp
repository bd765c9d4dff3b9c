// SPDX-License-Identifier: Apache-2.0
//
// A summary as JSON, which `ebb sim --json` prints and the Python package gives: units stand in the
// names, and the same run has the same bytes.
#include "ebb/config/simulation.hpp"
#include "ebb/netsim/report.hpp"
#include "ebb/results/summary.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace ebb::results {
namespace {

using Json = nlohmann::ordered_json;

Json network_json(const config::Simulation& simulation) {
  const topology::Graph& graph = *simulation.graph;
  return {{"family", graph.origin().family},
          {"hosts", graph.hosts_of_plane()},
          {"sending_hosts", simulation.sending_hosts},
          {"switches", graph.switch_count()},
          {"links", graph.link_count()}};
}

Json time_json(const netsim::Report& report) {
  return {{"warm_up_ps", report.warm_up.end.time_since_epoch().count()},
          {"warm_up_found", report.warm_up.found},
          {"warm_up_settled", report.warm_up.settled},
          {"from_ps", report.from.time_since_epoch().count()},
          {"to_ps", report.to.time_since_epoch().count()},
          {"longest_message_ps", report.longest_message.count()},
          {"mean_residual_ps", report.mean_residual.count()},
          {"least_measure_ps", least_measure(report).count()}};
}

Json traffic_json(const Summary& result) {
  const netsim::Report& report = result.report;
  return {{"offered_bit", report.offered.count()},
          {"offered_load", result.offered_load},
          {"delivered_bit", report.delivered.count()},
          {"accepted_load", result.accepted_load},
          {"messages", report.messages},
          {"messages_unfinished", report.messages_unfinished},
          {"packets_unfinished", report.packets_unfinished}};
}

Json latency_json(const netsim::Histogram& latency) {
  return {{"count", latency.count()},
          {"mean_ps", latency.mean().count()},
          {"least_ps", latency.least().count()},
          {"p50_ps", latency.quantile(Ratio(1, 2)).count()},
          {"p99_ps", latency.quantile(Ratio(99, 100)).count()},
          {"p99_9_ps", latency.quantile(Ratio(999, 1000)).count()},
          {"most_ps", latency.most().count()}};
}

Json deadline_json(const Summary& result) {
  const netsim::Report& report = result.report;
  return {{"after_ps", report.deadline->count()},
          {"missed", netsim::missed(report)},
          {"missed_share", result.missed_share},
          {"lateness", latency_json(report.lateness)}};
}

Json power_json(const Summary& result) {
  Json power = {{"relative", relative_power(result.report)},
                {"ideal_relative", ideal_relative_power(result.report)},
                {"channels_W", to_watts(result.channels)},
                {"always_on_W", to_watts(result.always_on)},
                {"ideal_W", to_watts(result.ideal)},
                {"switch_cores_W", to_watts(result.cores)}};
  if (const auto between = relative_power_between_switches(result.report))
    power["between_switches_relative"] = *between;
  for (const GroupUse& use : result.groups) {
    power["switch_groups"].push_back(
        {{"name", use.name}, {"power_W", to_watts(use.power)}, {"asleep_share", use.asleep}});
  }
  for (const ComponentUse& use : result.components) {
    power[use.name + "_W"] = to_watts(use.power);
  }
  if (result.wall) {
    power["switches_W"] = to_watts(result.wall->switches);
    power["switches_always_on_W"] = to_watts(result.wall->always_on);
    power["switches_wall_W"] = to_watts(result.wall->wall);
    power["switches_wall_differs_by_W"] = to_watts(result.wall->differs_by);
    power["switches_wall_always_on_W"] = to_watts(result.wall->wall_always_on);
  }
  return power;
}

Json states_json(const Summary& result) {
  Json states = Json::array();
  for (const StateShare& state : result.states)
    states.push_back({{"state", state.state}, {"share", state.share}});
  return states;
}

Json busiest_json(const Summary& result) {
  Json channels = Json::array();
  for (const BusyChannel& channel : result.busiest) {
    channels.push_back({{"from", channel.from},
                        {"to", channel.to},
                        {"busy_share", channel.busy},
                        {"carried_share", channel.carried}});
  }
  return channels;
}

Json stall_json(const std::optional<netsim::Stall>& stall) {
  if (!stall) return nullptr;
  return {{"since_ps", stall->since.time_since_epoch().count()},
          {"packets", stall->packets},
          {"chain", stall->chain}};
}

Json ranks_json(const netsim::JobReport& job) {
  Json ranks = {{"end_ps", Json::array()},      {"computing_ps", Json::array()},
                {"overhead_ps", Json::array()}, {"waiting_ps", Json::array()},
                {"messages", Json::array()},    {"sent_bit", Json::array()}};
  for (const program::RankTimes& rank : job.ranks) {
    ranks["end_ps"].push_back(rank.end.time_since_epoch().count());
    ranks["computing_ps"].push_back(rank.computing.count());
    ranks["overhead_ps"].push_back(rank.overhead.count());
    ranks["waiting_ps"].push_back(waiting(job, rank).count());
    ranks["messages"].push_back(rank.sent);
    ranks["sent_bit"].push_back(rank.sent_data.count());
  }
  return ranks;
}

Json job_json(const netsim::JobReport& job) {
  Json json = {{"name", job.name},
               {"program", job.program},
               {"done", job.done},
               {"start_ps", job.start.time_since_epoch().count()},
               {"end_ps", job.end.time_since_epoch().count()},
               {"time_ps", job.time().count()},
               {"energy_J", to_joules(job.energy)},
               {"full_rate_energy_J", to_joules(job.at_full_rate)},
               {"energy_delay_Js", energy_delay(job)}};
  if (job.reference) {
    json["always_on"] = {{"time_ps", job.reference->time.count()},
                         {"energy_J", to_joules(job.reference->energy)}};
  }
  if (job.hosts_energy) json["hosts_energy_J"] = to_joules(*job.hosts_energy);
  if (const auto share = network_share(job)) json["network_share"] = *share;
  if (const auto relative = cluster_relative_energy(job)) json["cluster_relative"] = *relative;
  if (const auto slower = slowdown(job)) json["slowdown"] = *slower;
  if (job.done) {
    Json& path = json["critical_path"];
    for (const PathPart& part : parts_of(job.path)) path[part.key] = part.time.count();
    path["messages"] = job.path.messages;
  }
  json["ranks"] = ranks_json(job);
  return json;
}

}  // namespace

std::string to_json(const Summary& result) {
  const netsim::Report& report = result.report;
  const bool measured = result.measured;
  Json document = {{"schema_version", 1},
                   {"configuration", config::resolved_text(result.simulation.spec)},
                   {"network", network_json(result.simulation)},
                   {"time", time_json(report)},
                   {"saturated", measured && saturated(report)},
                   {"too_short", measured && too_short(report)},
                   {"steady", measured && steady(report)},
                   {"stall", stall_json(report.stall)},
                   {"traffic", traffic_json(result)},
                   {"packet_latency", latency_json(report.packet_latency)},
                   {"message_latency", latency_json(report.message_latency)},
                   {"power", power_json(result)},
                   {"channel_time", states_json(result)},
                   {"changes_of_state", result.changes},
                   {"actions_done", report.outcomes_done},
                   {"actions_refused", report.outcomes_refused},
                   {"busiest_channels", busiest_json(result)},
                   {"ledger_balances", true}};
  for (const netsim::JobReport& job : report.jobs) document["jobs"].push_back(job_json(job));
  if (!report.jobs.empty()) document["repairs"] = result.simulation.repairs;
  if (result.simulation.spec.fidelity == netsim::Fidelity::flow)
    document["outside_validity"] = outside_validity(result);
  if (report.deadline) document["deadline"] = deadline_json(result);
  return document.dump(2) + "\n";
}

}  // namespace ebb::results
