// SPDX-License-Identifier: Apache-2.0
#include "ebb/runtime/check.hpp"

#include "json_values.hpp"

#include "ebb/controller/watts.hpp"
#include "ebb/forwarding/check.hpp"
#include "ebb/forwarding/reachability.hpp"
#include "ebb/runtime/description.hpp"
#include "ebb/runtime/switch_access.hpp"
#include "ebb/testbed/layout.hpp"
#include "ebb/topology/recognition.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace ebb::runtime {
namespace {

struct Checked {
  fabric_config::FabricFile file;
  drivers::Description description;
  power::PortWatts port;
  policy::Made policy;
  std::string ports;  // their driver
};

// Of policy::worlds(). Whether OpenFlow switches will be those of `ebb fabric up` or others, the
// file does not say: the former can do more.
std::string world_of(const CheckOptions& options) {
  return options.ports == "openflow" ? "testbed" : options.ports;
}

// All mistakes at once.
Result<Checked> read_everything(const CheckOptions& options, const LoadParts& load_parts) {
  if (const auto known = validate_driver(options.ports); !known) return fail(known.error());
  auto file = fabric_config::read_fabric(options.file);
  if (!file) return fail(file.error());
  auto description = describe(*file);
  auto port = port_watts(*file, load_parts);
  auto policy = live_policy(*file, {.world = world_of(options)});
  Errors errors;
  const auto collect = [&errors](const auto& result) {
    if (!result) errors.insert(errors.end(), result.error().begin(), result.error().end());
  };
  collect(description);
  collect(policy);
  collect(port);
  if (!options.devices.empty()) {
    collect(ports_by(options.ports, {.fabric = file->name,
                                     .switches = switch_names(file->graph),
                                     .devices = options.devices,
                                     .insecure = true}));  // it is whoever runs it that decides
  }
  if (!errors.empty()) return fail(std::move(errors));
  return Checked{std::move(*file), std::move(*description), *port, std::move(*policy),
                 options.ports};
}

// Links that the tables cannot do without, although the network can: somebody laid cables for a
// failure that the tables do not survive.
std::vector<topology::LinkId> single_points(const drivers::Description& made,
                                            const forwarding::CheckReport& report) {
  std::vector<topology::LinkId> links = report.not_survived;
  std::erase_if(links, [&](topology::LinkId link) {
    return !topology::joins_hosts_without(made.graph, link);
  });
  return links;
}

std::string names_of(const topology::Graph& graph, const std::vector<topology::LinkId>& links) {
  constexpr std::size_t kNamed = 6;
  std::string names;
  for (std::size_t i = 0; i < std::min(kNamed, links.size()); ++i)
    names += (i == 0 ? "" : ", ") + topology::link_name(graph, links[i]);
  return names + (links.size() > kNamed ? fmt::format(" and {} more", links.size() - kNamed) : "");
}

// The tables alone, and with all links asleep that may be.
Errors flaws(const Checked& checked, const forwarding::CheckReport& report,
             const forwarding::SleepableLinks& sleepable) {
  const drivers::Description& made = checked.description;
  Errors errors = report.errors;
  const std::vector<topology::LinkId> points = single_points(made, report);
  if (!points.empty() && !checked.file.safety.accept_single_points) {
    errors.push_back(
        {fmt::format("{} of {} links are single points of failure of the tables: without one of "
                     "them hosts are cut off, although the network still joins them ({}). A "
                     "leaf-spine with every leaf joined to every spine, or a family, has tables "
                     "that survive it; safety.single_points_of_failure: accept lives with it",
                     points.size(), report.links, names_of(made.graph, points)),
         {}});
  }
  if (errors.empty() && !forwarding::TableWalker(made.graph, made.plan, made.tables)
                             .all_reachable(sleepable.may_sleep))
    errors.push_back({"with all links asleep that may be, some hosts do not reach others", {}});
  return errors;
}

// Beside what may sleep by the tables what could by the cables: a tree has to stay awake.
Json sleep_json(const topology::Graph& graph, const forwarding::SleepableLinks& sleepable) {
  Json may = Json::array();
  std::size_t links = 0;
  for (std::uint32_t link = 0; link < graph.link_count(); ++link) {
    if (!graph.connects_switches(topology::LinkId{link})) continue;
    ++links;
    if (sleepable.may_sleep[link])
      may.push_back(topology::link_name(graph, topology::LinkId{link}));
  }
  const std::size_t tree = topology::fewest_links_that_join_hosts(graph);
  return {{"links_between_switches", links},
          {"must_stay", tree},
          {"could_sleep_in_theory", links - std::min(links, tree)},
          {"may_sleep", may}};
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
  return {{"drain_idle", to_text(safety.times.drain_idle)},
          {"drain_limit", to_text(safety.times.drain_limit)},
          {"link_up_hold", to_text(safety.times.link_up_hold)},
          {"wake_limit", to_text(safety.times.wake_limit)},
          {"min_awake_time", to_text(safety.min_awake_time)},
          {"min_sleep_time", to_text(safety.min_sleep_time)},
          {"failure_holdoff", to_text(safety.failure_holdoff)},
          {"min_decision_interval", to_text(safety.min_decision_interval)},
          {"probe_interval", to_text(safety.probe_interval)},
          {"counter_interval", to_text(safety.counter_interval)},
          {"max_counter_age", to_text(safety.max_counter_age)},
          {"max_detour_utilisation", safety.max_detour_utilisation},
          {"wake_detour_utilisation", safety.wake_detour_utilisation},
          {"single_points_of_failure", safety.accept_single_points ? "accept" : "refuse"},
          {"transitions_per_hour", safety.transitions_per_hour},
          {"max_concurrent", safety.max_concurrent}};
}

// Of the ports between switches; nothing when the file names no switch.
Json watts_json(const Checked& checked, std::size_t links, std::size_t may_sleep) {
  if (checked.file.switch_part.empty()) return nullptr;
  controller::Watts watts(checked.port, static_cast<std::uint32_t>(links));
  watts.pass(TimePoint{}, static_cast<std::uint32_t>(may_sleep));
  return {{"all_awake_w", in_watts(watts.all_awake())}, {"least_w", in_watts(watts.present())}};
}

bool decides_by_channel(const policy::Made& policy) {
  return std::any_of(policy.parameters.begin(), policy.parameters.end(), [](const auto& parameter) {
    return parameter.first == "channels" && parameter.second == "independent";
  });
}

// What runs, but hardly as it was meant.
Json remarks_on(const Checked& checked, const Json& sleep, const forwarding::CheckReport& report) {
  Json remarks = Json::array();
  if (report.survived < report.links) {
    remarks.push_back(fmt::format("links without which some hosts are cut off: {} of {}",
                                  report.links - report.survived, report.links));
  }
  if (const Errors large = testbed::validate_graph(checked.file.graph); !large.empty())
    remarks.push_back("for switches elsewhere (run --listen) alone: " + large.front().message);
  if (!policy::can_run(*checked.policy.policy, policy::world_named(checked.ports))) {
    remarks.push_back(
        "the policy changes rates, which OpenFlow alone does not: switches that are "
        "not of ebb fabric up need --ports snmp or --ports gnmi");
  }
  if (checked.policy.name == "consolidate" && decides_by_channel(checked.policy)) {
    remarks.push_back(
        "consolidate closes a link only where both of its switches choose the same one: "
        "channels: paired asks one of them");
  }
  if (checked.policy.name == "always-on") {
    remarks.push_back("the policy is always-on: nothing will sleep");
  } else if (sleep["may_sleep"].empty()) {
    remarks.push_back("no link may sleep: each is needed to reach everyone");
  }
  return remarks;
}

Json check_json(const Checked& checked, const forwarding::CheckReport& report,
                const forwarding::SleepableLinks& sleepable) {
  const topology::Graph& graph = checked.description.graph;
  const Json sleep = sleep_json(graph, sleepable);
  const auto recognised = topology::recognise(graph);
  return {{"fabric", checked.file.name},
          {"switches", graph.switch_count()},
          {"hosts", graph.host_count()},
          {"recognised", recognised ? Json(recognised->text) : Json(nullptr)},
          {"tables", tables_json(checked.description.tables, report)},
          {"sleep", sleep},
          {"policy", policy_json(checked.policy)},
          {"safety", safety_json(checked.file.safety)},
          {"modelled", watts_json(checked, sleep["links_between_switches"].get<std::size_t>(),
                                  sleep["may_sleep"].size())},
          {"remarks", remarks_on(checked, sleep, report)}};
}

}  // namespace

Result<FabricCheck> check_fabric(const CheckOptions& options, const LoadParts& load_parts) {
  const auto checked = read_everything(options, load_parts);
  if (!checked) return fail(checked.error());
  const drivers::Description& made = checked->description;
  const forwarding::CheckReport report = forwarding::check(made.graph, made.plan, made.tables);
  const forwarding::SleepableLinks sleepable =
      forwarding::sleepable_links(made.graph, made.plan, made.tables);
  const forwarding::TableWalker walker(made.graph, made.plan, made.tables);
  const LiveAbilities can = abilities_on(walker, sleepable, checked->port, world_of(options));
  if (auto policy = live_policy(checked->file, can); !policy) return fail(policy.error());
  if (Errors errors = flaws(*checked, report, sleepable); !errors.empty()) {
    for (Error& error : errors) error.where = {options.file, checked->file.lines.topology};
    return FabricCheck{.report = nullptr, .flaws = std::move(errors)};
  }
  return FabricCheck{.report = check_json(*checked, report, sleepable), .flaws = {}};
}

}  // namespace ebb::runtime
