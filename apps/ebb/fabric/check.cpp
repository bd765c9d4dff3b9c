// SPDX-License-Identifier: Apache-2.0
#include "fabric/check.hpp"

#include "fabric/description.hpp"
#include "fabric/ports.hpp"
#include "fabric/status.hpp"

#include "ebb/controller/reach.hpp"
#include "ebb/controller/sleepers.hpp"
#include "ebb/forwarding/check.hpp"
#include "ebb/units/time.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace ebb::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Checked {
  fabric_config::FabricFile file;
  drivers::Description description;
  controller::PortWatts port;
  policy::Made policy;
};

// All mistakes at once.
Result<Checked> read(const FabricCheckOptions& options) {
  auto file = fabric_config::read_fabric(options.file);
  if (!file) return fail(file.error());
  auto description = describe(*file);
  auto port = port_watts(*file);
  auto policy = live_policy(*file);
  Errors errors;
  const auto collect = [&errors](const auto& result) {
    if (!result) errors.insert(errors.end(), result.error().begin(), result.error().end());
  };
  collect(description);
  collect(policy);
  collect(port);
  if (!options.devices.empty()) {
    collect(ports_by(options.ports, {.fabric = file->name,
                                     .switches = file->graph.switch_count(),
                                     .devices = options.devices}));
  }
  if (!errors.empty()) return fail(std::move(errors));
  return Checked{std::move(*file), std::move(*description), *port, std::move(*policy)};
}

// The tables alone, and with all links asleep that may be.
Errors flaws(const drivers::Description& made, const forwarding::CheckReport& report,
             const controller::Sleepers& sleepers) {
  Errors errors = report.errors;
  if (errors.empty() &&
      !controller::Reach(made.graph, made.plan, made.tables).everyone(sleepers.may_sleep))
    errors.push_back({"with all links asleep that may be, some hosts do not reach others", {}});
  return errors;
}

Json sleep_json(const topology::Graph& graph, const controller::Sleepers& sleepers) {
  Json may = Json::array();
  std::size_t links = 0;
  for (std::uint32_t link = 0; link < graph.link_count(); ++link) {
    if (!between_switches(graph, topology::LinkId{link})) continue;
    ++links;
    if (sleepers.may_sleep[link]) may.push_back(link_name(graph, topology::LinkId{link}));
  }
  return {{"links_between_switches", links}, {"may_sleep", may}};
}

Json tables_json(const std::vector<forwarding::Table>& tables,
                 const forwarding::CheckReport& report) {
  std::size_t rules = 0;
  std::size_t most = 0;
  for (const forwarding::Table& table : tables) {
    rules += table.rules.size();
    most = std::max(most, table.rules.size());
  }
  return {{"rules", rules},
          {"most_on_a_switch", most},
          {"pairs_reached", report.pairs},
          {"single_failures_survived", report.survived},
          {"classes", report.classes}};
}

Json policy_json(const policy::Made& made) {
  Json parameters = Json::object();
  for (const auto& [name, value] : made.parameters) parameters[name] = value;
  return {{"name", made.name}, {"parameters", parameters}};
}

Json safety_json(const controller::Safety& safety) {
  return {{"quiet", to_text(safety.times.quiet)},
          {"drain_limit", to_text(safety.times.drain_limit)},
          {"hold", to_text(safety.times.hold)},
          {"wake_limit", to_text(safety.times.wake_limit)},
          {"awake_for", to_text(safety.awake_for)},
          {"asleep_for", to_text(safety.asleep_for)},
          {"calm", to_text(safety.calm)},
          {"least_period", to_text(safety.least_period)},
          {"spare", safety.spare},
          {"transitions_per_hour", safety.transitions_per_hour},
          {"at_once", safety.at_once}};
}

// Of the ports between switches; nothing when the file names no box.
Json watts_json(const Checked& checked, std::size_t links, std::size_t may_sleep) {
  if (checked.file.switch_part.empty()) return nullptr;
  controller::Watts watts(checked.port, static_cast<std::uint32_t>(links));
  watts.pass(TimePoint{}, static_cast<std::uint32_t>(may_sleep));
  const auto in_watts = [](Power power) { return static_cast<double>(power.count()) / 1e6; };
  return {{"all_awake_w", in_watts(watts.all_awake())}, {"least_w", in_watts(watts.present())}};
}

// What runs, but hardly as it was meant.
Json remarks_on(const Checked& checked, const Json& sleep, const forwarding::CheckReport& report) {
  Json remarks = Json::array();
  if (report.survived < report.links) {
    remarks.push_back(fmt::format("links without which some hosts are cut off: {} of {}",
                                  report.links - report.survived, report.links));
  }
  if (checked.policy.name == "always-on") {
    remarks.push_back("the policy is always-on: nothing will sleep");
  } else if (sleep["may_sleep"].empty()) {
    remarks.push_back("no link may sleep: each is needed to reach everyone");
  }
  return remarks;
}

Json check_json(const Checked& checked, const forwarding::CheckReport& report,
                const controller::Sleepers& sleepers) {
  const topology::Graph& graph = checked.description.graph;
  const Json sleep = sleep_json(graph, sleepers);
  return {{"fabric", checked.file.name},
          {"switches", graph.switch_count()},
          {"hosts", graph.host_count()},
          {"tables", tables_json(checked.description.tables, report)},
          {"sleep", sleep},
          {"policy", policy_json(checked.policy)},
          {"safety", safety_json(checked.file.safety)},
          {"modelled", watts_json(checked, sleep["links_between_switches"].get<std::size_t>(),
                                  sleep["may_sleep"].size())},
          {"remarks", remarks_on(checked, sleep, report)}};
}

std::string pairs_text(const Json& object) {
  std::string text;
  for (const auto& [name, value] : object.items()) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name,
                        value.is_string() ? value.get<std::string>() : value.dump());
  }
  return text;
}

std::string sleep_text(const Json& sleep) {
  std::string names;
  for (const Json& link : sleep["may_sleep"]) names += " " + link.get<std::string>();
  return fmt::format("sleep   {} of {} links between switches may, all at the same time{}{}\n",
                     sleep["may_sleep"].size(), sleep["links_between_switches"].dump(),
                     names.empty() ? "" : ":", names);
}

std::string tables_text(const Json& tables, std::size_t links) {
  return fmt::format(
      "tables  {} rules, at most {} on a switch; {} pairs of hosts are reached\n"
      "        without any one of {} of {} links all are still reached; {} classes of service, no "
      "circle of waiting\n",
      tables["rules"].dump(), tables["most_on_a_switch"].dump(), tables["pairs_reached"].dump(),
      tables["single_failures_survived"].dump(), links, tables["classes"].dump());
}

std::string check_text(const Json& json) {
  const Json& policy = json["policy"];
  std::string text =
      fmt::format("fabric {}: {} switches, {} hosts\n", json["fabric"].get<std::string>(),
                  json["switches"].dump(), json["hosts"].dump());
  text += tables_text(json["tables"], json["sleep"]["links_between_switches"].get<std::size_t>());
  text += sleep_text(json["sleep"]);
  text += fmt::format(
      "policy  {}: {}\n", policy["name"].get<std::string>(),
      policy["parameters"].empty() ? "no parameters" : pairs_text(policy["parameters"]));
  text += fmt::format("safety  {}\n", pairs_text(json["safety"]));
  if (const Json& watts = json["modelled"]; !watts.is_null()) {
    text += fmt::format(
        "watts   {:.1f} W modelled with all links between switches awake, {:.1f} W with all "
        "asleep that may\n",
        watts["all_awake_w"].get<double>(), watts["least_w"].get<double>());
  }
  for (const Json& remark : json["remarks"]) text += "remark  " + remark.get<std::string>() + "\n";
  return text;
}

}  // namespace

ExitCode check_fabric(const FabricCheckOptions& options) {
  const auto checked = read(options);
  if (!checked) return refuse(checked.error());
  const drivers::Description& made = checked->description;
  const forwarding::CheckReport report = forwarding::check(made.graph, made.plan, made.tables);
  const controller::Sleepers sleepers = controller::sleepers(made.graph, made.plan, made.tables);
  if (Errors errors = flaws(made, report, sleepers); !errors.empty()) {
    for (Error& error : errors) error.where = {options.file, checked->file.lines.topology};
    fmt::print(stderr, "{}", to_string(errors));
    return ExitCode::not_met;
  }
  const Json said = check_json(*checked, report, sleepers);
  fmt::print("{}", options.json ? said.dump(2) + "\n" : check_text(said));
  return ExitCode::done;
}

}  // namespace ebb::cli
