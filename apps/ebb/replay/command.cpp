// SPDX-License-Identifier: Apache-2.0
//
// `ebb replay`: recorded counters under the controller of live fabrics.
#include "command_line/command.hpp"

#include "command_line/inputs.hpp"
#include "replay/output.hpp"

#include "ebb/counters/reader.hpp"
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
  std::vector<std::string> counters;
  std::string mapping;
  std::vector<std::string> policies;
  std::vector<std::string> levels = {"50%", "70%", "90%"};
  std::string step;
  std::string scenario;
  std::string tolerance = "5%";
  int counter_bits = 64;
  std::string report;
  bool year = false;
  bool json = false;
};

// What the options say, once they have been read.
struct Values {
  std::vector<double> levels;
  double tolerance = 0;
  counters::ReadOptions read;
};

Result<Values> values_of(const Options& options) {
  Errors errors;
  Values values;
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

// Those of the options, or that of the file; each one that live switches can carry out.
Result<std::vector<files::Named>> policies_of(const Options& options,
                                              const fabric_config::FabricFile& file,
                                              bool links_sleep) {
  const runtime::LiveAbilities can{.links_sleep = links_sleep};
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

// Loads by channel, and what was wrong with the counters.
Result<void> read_loads(const Options& options, const Values& values, Replayed& replayed) {
  const topology::Graph& graph = replayed.file.graph;
  counters::Mapping given;
  if (!options.mapping.empty()) {
    auto read = counters::read_mapping(options.mapping, graph);
    if (!read) return fail(read.error());
    given = std::move(*read);
  }
  auto loads = counters::read_counters(options.counters, values.read);
  if (!loads) return fail(loads.error());
  const auto mapping = counters::propose(*loads, graph, given);
  if (!mapping) return fail(mapping.error());
  if (mapping->empty()) {
    return fail(fmt::format("no interface is the end of a link, such as '{}'; name them with "
                            "--mapping",
                            loads->tracks.front().interface),
                {.file = options.counters.front()});
  }
  replayed.anomalies = loads->anomalies;
  replayed.readings = loads->readings;
  replayed.interfaces = static_cast<std::uint32_t>(mapping->size());
  replayed.loads = counters::channel_loads(std::move(*loads), *mapping, graph, values.tolerance);
  if (replayed.loads.steps == 0)
    return fail("no load is known", {.file = options.counters.front()});
  return {};
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
  const auto port = runtime::port_watts(*file, [] { return load_parts({}); });
  if (!port) return refuse(port.error());
  const auto setting = replay::fabric_setting(file->graph, file->safety, *port);
  if (!setting) return refuse(setting.error());
  const auto& may_sleep = setting->sleepable.may_sleep;
  const bool links_sleep = std::find(may_sleep.begin(), may_sleep.end(), true) != may_sleep.end();
  const auto policies = policies_of(options, *file, links_sleep);
  if (!policies) return refuse(policies.error());
  std::optional<replay::Scenario> scenario;
  if (!options.scenario.empty()) {
    auto read = replay::read_scenario(options.scenario);
    if (!read) return refuse(read.error());
    scenario = std::move(*read);
  }
  Replayed replayed{.file = *file, .levels = values->levels, .year = options.year};
  if (const auto read = read_loads(options, *values, replayed); !read) return refuse(read.error());
  replayed.runs = replay::replay(*setting, replayed.loads, *policies, values->levels);
  if (scenario) {
    replayed.currency = scenario->currency;
    for (const replay::PolicyRun& run : replayed.runs)
      replayed.costs.push_back(replay::costs(*scenario, run.hours));
  }
  if (!options.report.empty()) {
    if (const ExitCode written = write_file(options.report, replay_page(replayed));
        written != ExitCode::done)
      return written;
  }
  fmt::print("{}", options.json ? replay_json(replayed).dump(2) + "\n" : replay_text(replayed));
  return ExitCode::done;
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
  command
      ->add_option("--counters", options->counters,
                   "Counters of interfaces: CSV, JSON of Prometheus, walks of SNMP, a folder")
      ->type_name("FILE")
      ->required();
  command->add_option("--mapping", options->mapping, "Which interface is which end of a link")
      ->type_name("FILE");
  command
      ->add_option("--policy", options->policies,
                   "NAME key=value ..., in place of the policy of the file; several side by side")
      ->type_name("POLICY");
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
  command->add_flag("--json", options->json, "For programs");
}

}  // namespace ebb::cli
