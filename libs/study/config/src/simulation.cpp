// SPDX-License-Identifier: Apache-2.0
#include "ebb/config/simulation.hpp"

#include "abilities.hpp"
#include "automatic_schedule.hpp"
#include "jobs.hpp"
#include "messages.hpp"

#include "ebb/core/names.hpp"
#include "ebb/files/topology_file.hpp"
#include "ebb/netsim/experiment.hpp"
#include "ebb/netsim/hardware.hpp"
#include "ebb/power/model.hpp"
#include "ebb/power/port_watts.hpp"
#include "ebb/routing/scheme.hpp"
#include "ebb/topology/rings.hpp"
#include "ebb/traffic/host_source.hpp"
#include "ebb/traffic/message_list.hpp"
#include "ebb/traffic/pattern.hpp"
#include "ebb/traffic/workload_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace ebb::config {
namespace {

// Takes results one after the other and keeps every error, at the key it is about.
class Maker {
 public:
  template <class To, class From>
  void take(Result<From> made, const std::string& key, To& target) {
    if (made) {
      target = std::move(*made);
    } else {
      add(std::move(made.error()), key);
    }
  }
  void add(Errors errors, const std::string& key) {
    for (Error& error : errors) {
      // What is inside a graph file that was read here has places of its own.
      if (error.where.line > 0) {
        errors_.push_back(std::move(error));
        continue;
      }
      const std::string& file = error.where.file;
      errors_.push_back({(file.empty() ? "" : file + ": ") + error.message, {.path = key}});
    }
  }
  [[nodiscard]] bool failed() const { return !errors_.empty(); }
  [[nodiscard]] Errors errors() && { return std::move(errors_); }

 private:
  Errors errors_;
};

// The rate of the links that hosts send on, all interfaces together, which one workload serves.
Result<DataRate> host_rate(const topology::Graph& graph) {
  std::optional<DataRate> rate;
  for (std::uint32_t host = 0; host < graph.hosts_of_plane(); ++host) {
    const auto channel = graph.outputs(graph.host_node(host)).front();
    const DataRate own =
        graph.full_rate(graph.link(topology::link_of(channel))) * graph.interfaces();
    if (rate && *rate != own) {
      return fail(fmt::format("hosts send at {} and at {}; a simulation needs one rate for all",
                              to_text(*rate), to_text(own)));
    }
    rate = own;
  }
  if (!rate) return fail("a network without hosts has no traffic");
  return *rate;
}

Result<topology::Graph> graph_of(const SimSpec& spec) {
  auto graph = build(spec.topology);
  if (graph && graph->hosts_of_plane() < 2)
    return fail(fmt::format("traffic needs two hosts or more, got {}", graph->hosts_of_plane()));
  return graph;
}

// Ports of a box at the rates of the links, asleep as long as they are down.
void make_fabric_power(const SimSpec& spec, const power::Library& library, Maker& maker,
                       Simulation& made) {
  const auto port = power::port_watts(library, spec.switch_part, spec.fabric->setup);
  if (!port) return maker.add(port.error(), "parts.switch");
  made.switch_core = (*library.find_as<power::Box>(spec.switch_part))->base.value;
  for (const topology::RateTable& rates : made.graph->rate_tables()) {
    netsim::ChannelModel model;
    const std::vector<Power> watts = port->at(rates);
    for (std::size_t i = 0; i < rates.size(); ++i)
      model.rate_levels.push_back({rates[i], 1, watts[i]});
    model.sleep = netsim::ChannelModel::Sleep{port->asleep, spec.fabric->wake, {}};
    made.models.push_back(std::move(model));
  }
}

void make_power(const SimSpec& spec, const power::Library& library, Maker& maker,
                Simulation& made) {
  if (spec.fabric) return make_fabric_power(spec, library, maker, made);
  const auto part = library.find(spec.switch_part);
  const auto rate_table = library.find_as<power::RateTable>(spec.rate_table);
  if (!part) maker.add(part.error(), "parts.switch");
  if (!rate_table) maker.add(rate_table.error(), "parts.rate_table");
  if (!part || !rate_table) return;
  const auto whole = power::as_chip(**part, library);
  if (!whole) return maker.add({{fmt::format("'{}' is no chip", (*part)->name)}}, "parts.switch");
  const power::Chip chip = power::at_rate(*whole, (*rate_table)->steps.back().rate);
  made.switch_core = power::core_power(chip);
  maker.take(power::supply_of(chip, library), "parts.switch", made.supply);
  maker.take(netsim::channel_models(*made.graph, **rate_table, power::link_power(chip)),
             spec.topology.graph.empty() ? "topology.rates" : "topology.graph", made.models);
  if (!spec.rate_change) return;
  for (netsim::ChannelModel& model : made.models)
    model.rate_change = model.lane_change = *spec.rate_change;
}

void make_components(const SimSpec& spec, const power::Library& library, Maker& maker,
                     Simulation& made) {
  if (!spec.components.empty()) {
    const auto found = library.find_as<power::Components>(spec.components);
    if (!found) return maker.add(found.error(), "parts.components");
    made.components = **found;
  }
  if (spec.hardware.gated_buffers && !(made.components && made.components->buffers.gated)) {
    maker.add({{"needs 'parts.components' whose buffers have 'gated'"}}, "hardware.gated_buffers");
  }
}

void make_independent_hosts(const SimSpec& spec, Maker& maker, Simulation& made) {
  maker.take(traffic::make_pattern(spec.pattern.name, files::traffic_shape(*made.graph),
                                   spec.pattern.parameters, spec.seed),
             "traffic.pattern", made.pattern);
  if (made.host_rate > DataRate{}) {
    maker.take(
        traffic::make_injection(spec.injection.name, made.host_rate, spec.injection.parameters),
        "traffic.injection", made.injection);
  }
  if (!made.pattern || !made.injection) return;
  made.workload = std::make_unique<traffic::IndependentHosts>(
      *made.pattern, *made.injection, made.graph->hosts_of_plane(), spec.services);
}

void make_named_workload(const SimSpec& spec, Maker& maker, Simulation& made) {
  if (made.host_rate == DataRate{}) return;
  maker.take(traffic::make_workload(spec.workload.name, files::traffic_shape(*made.graph),
                                    made.host_rate, spec.workload.parameters),
             "traffic.workload", made.workload);
}

void make_message_list(const SimSpec& spec, Maker& maker, Simulation& made) {
  auto messages = read_messages(spec.messages, made.graph->hosts_of_plane());
  if (!messages) return maker.add(messages.error(), "traffic.messages");
  made.workload =
      std::make_unique<traffic::MessageList>(made.graph->hosts_of_plane(), std::move(*messages));
}

// Jobs that never end would run for so long.
constexpr Duration kLongestJobs = std::chrono::hours(1);

void make_host_jobs(const SimSpec& spec, Maker& maker, Simulation& made) {
  auto jobs = make_jobs(spec.jobs, *made.graph, spec.seed);
  if (!jobs) return maker.add(jobs.error(), "traffic");
  made.programs = std::move(jobs->programs);
  made.jobs = std::move(jobs->jobs);
  made.repairs = std::move(jobs->repairs);
  made.workload = std::make_unique<traffic::MessageList>(made.graph->hosts_of_plane(),
                                                         std::vector<traffic::Message>());
  for (const program::Job& job : made.jobs->jobs())
    made.sending_hosts += static_cast<std::uint32_t>(job.hosts.size());
  if (spec.automatic.measure) made.spec.schedule.measure = kLongestJobs;
  made.spec.automatic.measure = false;
  if (spec.jobs.costs.control_size > spec.hardware.packet) {
    maker.add({{"must be at most a packet ('hardware.packet')"}}, "traffic.control_size");
  }
}

void make_traffic(const SimSpec& spec, Maker& maker, Simulation& made) {
  maker.take(host_rate(*made.graph), "topology", made.host_rate);
  if (!spec.jobs.jobs.empty()) return make_host_jobs(spec, maker, made);
  if (!spec.messages.text.empty()) {
    make_message_list(spec, maker, made);
  } else if (spec.workload.name.empty()) {
    make_independent_hosts(spec, maker, made);
  } else {
    make_named_workload(spec, maker, made);
  }
  if (!made.workload) return;
  made.spec.schedule = automatic_schedule(spec, *made.workload, made.host_rate);
  made.spec.automatic = {.warm_up_limit = false, .measure = false, .tail_limit = false};
  maker.add(made.workload->validate(made.spec.schedule.latest_end()), "traffic.workload");
  for (std::uint32_t host = 0; host < made.graph->hosts_of_plane(); ++host)
    made.sending_hosts += made.workload->sends(host) ? 1 : 0;
}

// Those of the file, with an error for each that there is not.
std::vector<topology::LinkId> failed_links(const SimSpec& spec, Maker& maker,
                                           const topology::Graph& graph) {
  std::vector<topology::LinkId> found;
  for (const std::string& name : spec.failed_links) {
    if (const auto link = topology::link_named(graph, name)) {
      found.push_back(*link);
      continue;
    }
    std::vector<std::string> names;
    for (std::uint32_t link = 0; link < graph.link_count(); ++link)
      names.push_back(topology::link_name(graph, topology::LinkId{link}));
    maker.add({{unknown_name("link", name, names)}}, "failed_links");
  }
  return found;
}

// Last, because the controller needs all of the rest.
void make_control(const PrepareControl& prepare_control, Maker& maker, Simulation& made) {
  if (!prepare_control) {
    maker.add({{"a fabric file: only 'ebb sim' runs its controller, of a build with EBB_LIVE"}},
              "name");
    return;
  }
  auto control = prepare_control(made);
  if (control) {
    made.make_control = std::move(*control);
    return;
  }
  for (Error& error : control.error()) {
    const std::string key = error.where.path.empty() ? "safety" : error.where.path;
    maker.add({{std::move(error.message)}}, key);
  }
}

void make_routing(const SimSpec& spec, Maker& maker, Simulation& made) {
  if (spec.fabric && spec.routing != "tables") {
    maker.add({{fmt::format("a fabric forwards by 'tables', not by '{}'", spec.routing)}},
              "routing");
    return;
  }
  if (spec.fabric && !spec.failed_links.empty()) {
    maker.add({{"the controller of a simulated fabric is told of no failures; leave out 'name' and "
                "'safety' to simulate the tables without it"}},
              "failed_links");
    return;
  }
  if (spec.failed_links.empty()) {
    maker.take(routing::make_routing(spec.routing, *made.graph), "routing", made.routing);
    return;
  }
  if (spec.routing != "tables") {
    maker.add(
        {{fmt::format("the routing '{}' does not know of failed links; 'tables' bypasses them",
                      spec.routing)}},
        "failed_links");
    return;
  }
  const std::vector<topology::LinkId> failed = failed_links(spec, maker, *made.graph);
  if (failed.size() == spec.failed_links.size())
    maker.take(routing::make_table_routing(*made.graph, failed), "failed_links", made.routing);
}

// What a switch would choose by, where the routing leaves it no choice.
void check_output_selection(const SimSpec& spec, Maker& maker, const Simulation& made) {
  // Of a routing that could not be made the name is known.
  if (made.routing ? !made.routing->takes_first_live() : spec.routing != "tables") return;
  const auto refuse = [&](const std::string& key) {
    maker.add({{fmt::format("has no effect: with the routing '{}' a packet takes the first output "
                            "that is live",
                            spec.routing)}},
              "hardware." + key);
  };
  const netsim::Hardware plain;
  if (spec.hardware.output_selection != plain.output_selection) refuse("output_selection");
  if (spec.hardware.low_power_penalty != plain.low_power_penalty) refuse("low_power_penalty");
}

void make_policy(const SimSpec& spec, Maker& maker, Simulation& made) {
  if (!made.policy.policy) {
    maker.take(policy::make_policy(spec.policy.name, spec.policy.parameters), "policy",
               made.policy);
  }
  if (!made.policy.policy || !made.routing || !made.policy.policy->needs_next_hops()) return;
  if (made.routing->takes_first_live()) {
    maker.add({{fmt::format("'{}' needs the next-hop sets of the routing, which '{}' does not tell",
                            made.policy.name, spec.routing)}},
              "policy");
    return;
  }
  auto next_hops = netsim::next_hops_of(*made.graph, *made.routing);
  if (next_hops) {
    made.next_hops = std::move(*next_hops);
    return;
  }
  for (const Error& error : next_hops.error()) {
    maker.add({{fmt::format("'{}' needs the next-hop sets of the routing: {}", made.policy.name,
                            error.message)}},
              "policy");
  }
}

// Pauses need room on every link of the network, and rules that are off while an output is paused
// need pauses.
void check_pauses(const SimSpec& spec, Maker& maker, const Simulation& made) {
  for (Error& error : netsim::validate_pause(spec.hardware, *made.graph))
    maker.add({{std::move(error.message)}}, "hardware." + error.where.path);
  const bool needs_pauses = made.routing && made.routing->pause_diversion() != nullptr;
  if (needs_pauses && spec.hardware.flow_control != netsim::FlowControl::pause) {
    maker.add({{fmt::format("'{}' needs 'hardware.flow_control: pause'", spec.routing)}},
              "routing");
  }
}

// Rings that are entered one after the other, in one order for all packets.
void check_bubble(const SimSpec& spec, Maker& maker, const Simulation& made) {
  if (spec.hardware.flow_control != netsim::FlowControl::bubble) return;
  if (const auto rings = topology::ring_directions(*made.graph); !rings) {
    for (const Error& error : rings.error())
      maker.add({{"bubble: " + error.message}}, "hardware.flow_control");
  }
  if (spec.routing != "dimension-order") {
    maker.add({{fmt::format("bubble needs the routing 'dimension-order', not '{}'", spec.routing)}},
              "hardware.flow_control");
  }
}

// What flows have no notion of, and what would be silently left out.
void check_fidelity(const SimSpec& spec, Maker& maker) {
  if (spec.fidelity == netsim::Fidelity::packet) return;
  const auto refuse = [&](const std::string& key, const char* reason) {
    maker.add({{fmt::format("not with 'fidelity: flow': {}", reason)}}, key);
  };
  if (spec.hardware.gated_buffers)
    refuse("hardware.gated_buffers", "it does not know when buffers are empty");
  if (spec.hardware.virtual_lanes.size() > 1)
    refuse("hardware.virtual_lanes", "flows of all lanes share channels alike");
  if (spec.hardware.flow_control != netsim::FlowControl::credits)
    refuse("hardware.flow_control", "flows fill buffers, but neither pause nor leave bubbles");
  if (spec.hardware.switching == netsim::Switching::wormhole)
    refuse("hardware.switching", "flows hold no virtual channels");
  if (spec.fabric) refuse("name", "a fabric is simulated with packets");
}

// All of what it takes to say whether the policy can act.
bool is_complete(const Simulation& made) {
  if (!made.routing || made.models.empty() || !made.policy.policy) return false;
  return !made.policy.policy->needs_next_hops() || !made.next_hops.empty();
}

// A series that would not fit.
Errors series_mistakes(const SimSpec& spec, std::int64_t channels) {
  if (!spec.series_every) return {};
  const Duration measure = spec.schedule.measure;
  const std::int64_t frames = netsim::frames_in(measure, *spec.series_every);
  const std::int64_t fitting = netsim::kMostSeriesValues / channels;
  if (frames <= fitting) return {};
  if (fitting == 0) {
    return {{fmt::format("the network has {} channels, and a series at most {} values", channels,
                         netsim::kMostSeriesValues)}};
  }
  const Duration shortest((measure.count() - 1) / fitting + 1);
  return {
      {fmt::format("{} frames of {} channels are more than the {} values of the largest series; "
                   "make it {} or longer, or measure for a shorter time",
                   frames, channels, netsim::kMostSeriesValues, ebb::to_text(shortest))}};
}

// The groups of the part, with ports broken out as its chip's.
void make_part_groups(const power::Chip& chip, Maker& maker, Simulation& made) {
  const char* key = "parts.switch_sleep";
  const auto sleeps = [](const power::PowerGroup& group) { return group.asleep.has_value(); };
  if (std::ranges::none_of(chip.groups, sleeps)) {
    maker.add({{fmt::format("'{}' has no power groups that sleep; give {{power, wake}}, or "
                            "'groups' in its part file",
                            made.spec.switch_part),
                {}}},
              key);
    return;
  }
  maker.take(netsim::switch_groups(chip.groups, chip.ports, *made.graph), key, made.switch_groups);
}

// Energy of jobs is counted by the changes of channels alone.
void make_switch_sleep(const SimSpec& spec, const power::Library& library, Maker& maker,
                       Simulation& made) {
  const bool sleeps = spec.switch_sleep || spec.switch_groups_sleep;
  if (!sleeps || spec.fabric || made.models.empty()) return;
  const char* key = "parts.switch_sleep";
  if (!spec.jobs.jobs.empty()) maker.add({{"cannot be used with programs", {}}}, key);
  const auto can_sleep = [](const netsim::ChannelModel& model) { return model.sleep.has_value(); };
  if (!std::ranges::all_of(made.models, can_sleep))
    maker.add({{"a switch sleeps with its links, which have no sleep state", {}}}, key);
  if (spec.switch_groups_sleep) {
    const auto table = library.find_as<power::RateTable>(spec.rate_table);
    const auto chip = power::as_chip(**library.find(spec.switch_part), library);
    return make_part_groups(power::at_rate(*chip, (*table)->steps.back().rate), maker, made);
  }
  if (spec.switch_sleep->power > made.switch_core) {
    maker.add({{fmt::format("asleep it would draw {}, awake it draws {}",
                            ebb::to_text(spec.switch_sleep->power), ebb::to_text(made.switch_core)),
                {}}},
              key);
  }
  made.switch_groups = netsim::core_as_group(made.switch_core, *spec.switch_sleep);
}

}  // namespace

netsim::Experiment Simulation::experiment(policy::Policy& instead,
                                          mpi::Communicator& communicator) const {
  return {.graph = *graph,
          .routing = *routing,
          .workload = *workload,
          .policy = instead,
          .models = models,
          .switch_core = switch_core,
          .hardware = spec.hardware,
          .schedule = spec.schedule,
          .seed = spec.seed,
          .fidelity = spec.fidelity,
          .series_every = spec.series_every,
          .next_hops = next_hops,
          .communicator = communicator,
          .components = components,
          .make_control = make_control,
          .jobs = jobs.get(),
          .switch_groups = switch_groups};
}

Result<Simulation> prepare(const SimSpec& spec, const power::Library& library,
                           const PrepareControl& prepare_control,
                           std::optional<policy::Made> policy) {
  if (spec.day.given())
    return fail("a day is run by 'ebb sim', step after step", {.path = "schedule.day"});
  Maker maker;
  Simulation made{.spec = spec};
  if (policy) {
    made.spec.policy = {policy->name, policy->parameters};
    made.policy = std::move(*policy);
  }
  auto graph = graph_of(spec);
  if (!graph) {
    maker.add(std::move(graph.error()),
              spec.topology.graph.empty() ? "topology" : "topology.graph");
    return fail(std::move(maker).errors());
  }
  made.graph = std::make_unique<const topology::Graph>(std::move(*graph));
  make_routing(spec, maker, made);
  make_traffic(spec, maker, made);
  make_power(spec, library, maker, made);
  make_components(spec, library, maker, made);
  make_policy(spec, maker, made);
  maker.add(netsim::validate(spec.hardware), "hardware");
  check_pauses(spec, maker, made);
  check_bubble(spec, maker, made);
  check_output_selection(spec, maker, made);
  check_fidelity(spec, maker);
  make_switch_sleep(spec, library, maker, made);
  maker.add(series_mistakes(made.spec, made.graph->channel_count()), "series.every");
  if (is_complete(made)) maker.add(validate_policy(made, library), "policy");
  if (spec.fabric && !maker.failed()) make_control(prepare_control, maker, made);
  if (maker.failed()) return fail(std::move(maker).errors());
  return made;
}

Result<Simulation> prepare(const SimFile& file, const power::Library& library,
                           const PrepareControl& prepare_control,
                           std::optional<policy::Made> policy) {
  auto made = prepare(file.spec, library, prepare_control, std::move(policy));
  if (made) return made;
  return fail(placed(std::move(made.error()), file));
}

}  // namespace ebb::config
