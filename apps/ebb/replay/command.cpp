// SPDX-License-Identifier: Apache-2.0
//
// `ebb replay`: recorded counters under the controller of live fabrics.
#include "command_line/command.hpp"

#include "command_line/inputs.hpp"
#include "replay/output.hpp"
#include "replay/sources.hpp"

#include "ebb/counters/lldp.hpp"
#include "ebb/netsim/switch_group.hpp"
#include "ebb/prometheus/range_query.hpp"
#include "ebb/runtime/description.hpp"
#include "ebb/units/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <sstream>

namespace ebb::cli {
namespace {

struct Options {
  std::string file;
  SourceOptions sources;
  std::vector<std::string> mapping;
  std::vector<std::string> policies;
  std::vector<std::string> levels = {"50%", "70%", "90%"};
  std::string step;
  std::string scenario;
  std::string tolerance = "5%";
  int counter_bits = 64;
  std::vector<std::string> part_files;
  std::string routing = "tables";
  std::uint32_t min_next_hops = 0;  // 0: not given
  std::string report;
  std::string green;
  bool year = false;
  bool show_mapping = false;
  bool json = false;
};

// What the options say, once they have been read.
struct Values {
  std::vector<double> levels;
  double tolerance = 0;
  counters::ReadOptions read;
  ServerQuestions questions;
  std::optional<forwarding::EqualCostOptions> equal_cost;  // none: routed by tables of ebb
};

// Of the clock of this machine: only for what servers are asked when no time is given.
counters::UnixTime now() {
  return std::chrono::duration_cast<counters::UnixTime>(
      std::chrono::system_clock::now().time_since_epoch());
}

// Files beside the output that would say nothing, or too much.
void refuse_files(const Options& options, Errors& errors) {
  if (options.green.empty()) return;
  if (options.policies.size() > 1) {
    errors.push_back({fmt::format("--green: the model has one value for each object, so it needs "
                                  "one --policy; {} are given",
                                  options.policies.size()),
                      {}});
  }
  if (options.show_mapping)
    errors.push_back({"--green: --show-mapping replays nothing, so there are no watts", {}});
  if (options.report == options.green) {
    errors.push_back(
        {fmt::format("--green and --report: both would be written to '{}'", options.green), {}});
  }
}

// Nothing where the tables of ebb route.
std::optional<forwarding::EqualCostOptions> equal_cost_of(const Options& options, Errors& errors) {
  if (options.routing == "tables") {
    if (options.min_next_hops > 0) {
      errors.push_back(
          {"--min-next-hops: only with --routing lag or ecmp, as tables of ebb have "
           "one path",
           {}});
    }
    return std::nullopt;
  }
  forwarding::EqualCostOptions equal_cost;
  if (options.routing == "lag") equal_cost.routing = forwarding::Routing::lag;
  if (options.min_next_hops > 0) equal_cost.min_next_hops = options.min_next_hops;
  return equal_cost;
}

Result<Values> values_of(const Options& options) {
  Errors errors;
  Values values;
  values.equal_cost = equal_cost_of(options, errors);
  const auto share = [&](const std::string& option, const std::string& text) {
    const auto ratio = parse<Ratio>(text);
    if (!ratio) {
      errors.push_back({option + ": " + ratio.error()[0].message, {}});
      return 0.0;
    }
    if (ratio->to_double() < 0) errors.push_back({option + ": must not be less than 0", {}});
    return ratio->to_double();
  };
  for (const std::string& level : options.levels) values.levels.push_back(share("--level", level));
  std::sort(values.levels.begin(), values.levels.end());
  values.tolerance = share("--tolerance", options.tolerance);
  if (options.counter_bits == 32) values.read.csv_width = counters::Width::bits_32;
  if (!options.step.empty()) {
    const auto step = parse<Duration>(options.step);
    if (!step) {
      errors.push_back({"--step: " + step.error()[0].message, {}});
    } else if (*step < std::chrono::milliseconds(1) || *step > std::chrono::hours(24)) {
      errors.push_back({"--step: must be between 1ms and 24h", {}});
    } else {
      values.read.step = std::chrono::duration_cast<counters::UnixTime>(*step);
    }
  }
  if (auto questions = questions_of(options.sources, values.read.step, now())) {
    values.questions = std::move(*questions);
  } else {
    errors.insert(errors.end(), questions.error().begin(), questions.error().end());
  }
  refuse_files(options, errors);
  if (!errors.empty()) return fail(errors);
  return values;
}

// NAME key=value ..., as one word of the command line.
Result<policy::Made> policy_of(const std::string& text) {
  std::istringstream words(text);
  std::vector<std::string> what;
  for (std::string word; words >> word;) what.push_back(word);
  if (what.empty()) return fail("--policy: a name of `ebb list`, and its parameters");
  const auto parameters = parameters_after_name(what);
  if (!parameters) return fail(parameters.error());
  return policy::make_policy(what.front(), *parameters);
}

// What recorded counters tell a policy: of a network that others route, no next-hop sets.
runtime::LiveAbilities abilities_of(const replay::FabricSetting& setting,
                                    const forwarding::TableWalker& walker) {
  auto can = runtime::abilities_on(walker, setting.sleepable, setting.port, "testbed");
  if (!setting.equal_cost) return can;
  can.objection = [](const policy::Policy& policy) -> std::optional<std::string> {
    if (!policy.needs_next_hops()) return std::nullopt;
    return "needs the next-hop sets of the routing, which only tables of ebb tell";
  };
  return can;
}

// Those of the options, or that of the file; each one that live switches can carry out.
Result<std::vector<files::Named>> policies_of(const Options& options,
                                              const fabric_config::FabricFile& file,
                                              const runtime::LiveAbilities& can) {
  std::vector<files::Named> policies;
  if (options.policies.empty()) {
    const auto made = runtime::live_policy(file, can);
    if (!made) return fail(made.error());
    policies.push_back({made->name, made->parameters});
    return policies;
  }
  Errors errors;
  for (const std::string& text : options.policies) {
    auto made = policy_of(text);
    if (made) made = runtime::live_policy(file, can, std::move(*made));
    if (made) {
      policies.push_back({made->name, made->parameters});
    } else {
      for (Error& error : made.error()) {
        if (error.where.path == "policy") error.where = {};
        errors.push_back({"--policy '" + text + "': " + error.message, error.where});
      }
    }
  }
  if (!errors.empty()) return fail(errors);
  return policies;
}

// By names, by tables of LLDP, and by the rows of files, which are right where they differ.
Result<counters::Mapping> mapping_of(const Options& options, const counters::MappingFiles& files,
                                     const counters::Loads& loads, Replayed& replayed) {
  const topology::Graph& graph = replayed.file.graph;
  counters::LldpMapping by_lldp = counters::propose_by_lldp(files, graph, loads);
  std::set<topology::ChannelId> ends;
  for (const auto& [interface, end] : files.rows) ends.insert(end);
  counters::Mapping given = files.rows;
  for (const auto& [interface, end] : by_lldp.mapping) {
    if (given.contains(interface)) continue;
    if (ends.contains(end)) {
      by_lldp.unknown.insert(interface);
    } else {
      given.emplace(interface, end);
    }
  }
  auto mapping = counters::propose(loads, graph, given, by_lldp.unknown);
  replayed.lldp_tables = files.devices.size();
  replayed.lldp_disagreements = std::move(by_lldp.disagreements);
  replayed.lldp_one_sided = std::move(by_lldp.one_sided);
  if (!mapping || !mapping->empty()) return mapping;
  Errors errors = {{fmt::format("no interface is the end of a link, such as '{}'; name them with "
                                "--mapping",
                                loads.tracks.front().interface),
                    {.file = prometheus::shown_url(options.sources.counters.front())}}};
  for (const std::string& one : replayed.lldp_disagreements) errors.push_back({"LLDP: " + one, {}});
  return fail(errors);
}

// Rows for --mapping, and as remarks what did not become one.
void print_mapping(const counters::Mapping& mapping, const Replayed& replayed) {
  fmt::print("{}", counters::mapping_text(mapping, replayed.file.graph));
  for (const std::string& one : replayed.lldp_disagreements) fmt::print("# {}\n", one);
  for (const std::string& one : replayed.loads.unmapped)
    fmt::print("# {} is no end of a link\n", one);
}

ExitCode write_files(const Options& options, const Replayed& replayed) {
  ExitCode written = ExitCode::done;
  if (!options.report.empty()) written = write_file(options.report, replay_page(replayed));
  if (written == ExitCode::done && !options.green.empty()) {
    written = write_file(options.green, replay_energy_objects(replayed, replayed.runs.front()));
  }
  return written;
}

// Whether links have siblings shows in the topology of the file.
Result<replay::FabricSetting> setting_of(const Values& values,
                                         const fabric_config::FabricFile& file,
                                         const power::PortWatts& port) {
  if (!values.equal_cost) return replay::fabric_setting(file.graph, file.safety, port);
  auto setting = replay::routed_setting(file.graph, file.safety, port, *values.equal_cost);
  if (setting) return setting;
  Errors errors;
  for (const Error& error : setting.error())
    errors.push_back({"--routing: " + error.message, {file.path, file.lines.topology}});
  return fail(errors);
}

// Those of the box of the file, if it has any.
Result<std::vector<netsim::SwitchGroup>> switch_groups_of(const Options& options,
                                                          const fabric_config::FabricFile& file) {
  const auto library = load_parts(options.part_files);
  if (!library) return fail(library.error());
  const auto box = library->find_as<power::Box>(file.switch_part);
  if (!box) return fail(box.error());
  auto groups = netsim::switch_groups((*box)->groups, (*box)->ports, file.graph);
  if (groups || (*box)->groups.empty()) return groups.value_or(std::vector<netsim::SwitchGroup>{});
  Errors errors;
  for (const Error& error : groups.error())
    errors.push_back({error.message, {file.path, file.lines.parts}});
  return fail(errors);
}

ExitCode run_replay(const Options& options) {
  const auto values = values_of(options);
  if (!values) return refuse(values.error());
  const auto file = fabric_config::read_fabric(options.file);
  if (!file) return refuse(file.error());
  if (file->switch_part.empty()) {
    return refuse({{"names no part, so watts are not known: parts: {switch: ..., setup: ...}",
                    {.file = options.file}}});
  }
  const auto port = runtime::port_watts(*file, [&] { return load_parts(options.part_files); });
  if (!port) return refuse(port.error());
  auto setting = setting_of(*values, *file, *port);
  if (!setting) return refuse(setting.error());
  auto groups = switch_groups_of(options, *file);
  if (!groups) return refuse(groups.error());
  setting->switch_groups = std::move(*groups);
  const forwarding::TableWalker walker(setting->graph, setting->plan, setting->tables);
  const auto policies = policies_of(options, *file, abilities_of(*setting, walker));
  if (!policies) return refuse(policies.error());
  std::optional<replay::Scenario> scenario;
  if (!options.scenario.empty()) {
    auto read = replay::read_scenario(options.scenario);
    if (!read) return refuse(read.error());
    scenario = std::move(*read);
  }
  Replayed replayed{
      .file = *file, .accuracy = port->accuracy, .levels = values->levels, .year = options.year};
  replayed.equal_cost = values->equal_cost;
  for (const netsim::SwitchGroup& group : setting->switch_groups)
    replayed.switch_groups.push_back(group.name);
  const auto mapping_files = counters::read_mappings(options.mapping, file->graph);
  if (!mapping_files) return refuse(mapping_files.error());
  auto loads = read_sources(options.sources.counters, values->questions, values->read);
  if (!loads) {
    const SourceFailure& failure = loads.error();
    return failure.code == ExitCode::outside ? failed_outside(failure.errors)
                                             : refuse(failure.errors);
  }
  const auto mapping = mapping_of(options, *mapping_files, *loads, replayed);
  if (!mapping) return refuse(mapping.error());
  replayed.anomalies = loads->anomalies;
  replayed.readings = loads->readings;
  replayed.interfaces = static_cast<std::uint32_t>(mapping->size());
  replayed.loads =
      counters::channel_loads(std::move(*loads), *mapping, file->graph, values->tolerance);
  if (options.show_mapping) {
    print_mapping(*mapping, replayed);
    return ExitCode::done;
  }
  if (replayed.loads.steps == 0) {
    return refuse(
        {{"no load is known", {.file = prometheus::shown_url(options.sources.counters.front())}}});
  }
  replayed.runs = replay::replay(*setting, replayed.loads, *policies, values->levels);
  if (scenario) {
    replayed.currency = scenario->currency;
    replayed.embodied = scenario->embodied;
    for (const replay::PolicyRun& run : replayed.runs)
      replayed.costs.push_back(replay::costs(*scenario, run.hours));
  }
  if (const ExitCode written = write_files(options, replayed); written != ExitCode::done)
    return written;
  fmt::print("{}", options.json ? replay_json(replayed).dump(2) + "\n" : replay_text(replayed));
  return ExitCode::done;
}

void add_source_options(CLI::App& command, SourceOptions& sources) {
  command
      .add_option(
          "--counters", sources.counters,
          "Counters of interfaces: CSV, JSON of Prometheus, walks of SNMP, a folder; or the "
          "address of a Prometheus server")
      ->type_name("FILE")
      ->required();
  command.add_option("--from", sources.from, "Of a server: since when (seven days before --until)")
      ->type_name("DAY|TIME");
  command.add_option("--until", sources.until, "Of a server: until when (now)")
      ->type_name("DAY|TIME");
  command
      .add_option("--query", sources.queries,
                  "Of a server: which counters, as '{job=\"snmp\"}' (all of snmp_exporter and "
                  "node_exporter)")
      ->type_name("PROMQL");
}

}  // namespace

void add_replay_command(CLI::App& app, ExitCode& code) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("replay", "What recorded counters say that a policy would have saved");
  command->callback([options, &code] { code = run_replay(*options); });
  command->add_option("file", options->file, "A fabric file (docs/replay.md)")
      ->type_name("FILE")
      ->required();
  add_source_options(*command, options->sources);
  command
      ->add_option("--mapping", options->mapping,
                   "Which interface is which end of a link: rows, tables of LLDP, a folder")
      ->type_name("FILE");
  command->add_flag("--show-mapping", options->show_mapping,
                    "Only print which interface is taken for which end, as a file for --mapping");
  command
      ->add_option("--policy", options->policies,
                   "NAME key=value ..., in place of the policy of the file; several side by side")
      ->type_name("POLICY");
  command->add_option("--parts", options->part_files, "Further part files")->type_name("FILE");
  command
      ->add_option("--routing", options->routing,
                   "Where the load of sleeping links goes: by ebb's own tables, to the links of "
                   "their LAG, or by ECMP over a leaf-spine (tables)")
      ->check(CLI::IsMember({"tables", "lag", "ecmp"}))
      ->type_name("{tables,lag,ecmp}");
  command
      ->add_option("--min-next-hops", options->min_next_hops,
                   "That every leaf keeps to every other, or links that a LAG keeps (2)")
      ->check(CLI::Range(1, 1024))
      ->type_name("NUMBER");
  command->add_option("--step", options->step, "Of the data (the usual time between readings)")
      ->type_name("TIME");
  command->add_option("--counter-bits", options->counter_bits, "Of counters in CSV files (64)")
      ->check(CLI::IsMember({32, 64}))
      ->type_name("{32,64}");
  command
      ->add_option("--tolerance", options->tolerance,
                   "By which the two ends of a link may disagree (5%)")
      ->type_name("SHARE");
  command
      ->add_option("--level", options->levels,
                   "Count the time with a channel above this utilisation (50%, 70%, 90%)")
      ->type_name("SHARE");
  command->add_option("--scenario", options->scenario, "Tariff, PUE and carbon: money and carbon")
      ->type_name("FILE");
  command->add_flag("--year", options->year, "Also what a year like this would save");
  command->add_option("--report", options->report, "Also write a page with drawings")
      ->type_name("FILE");
  command
      ->add_option("--green", options->green,
                   "Also write watts and energy in the IETF's model ietf-power-and-energy (JSON)")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "For programs");
}

}  // namespace ebb::cli
