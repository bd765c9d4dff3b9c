// SPDX-License-Identifier: Apache-2.0
//
// `ebb breakeven`: its options, and what it prints for programs.
#include "command_line/command.hpp"

#include "breakeven/output.hpp"
#include "command_line/inputs.hpp"
#include "command_line/text.hpp"

#include "ebb/results/export.hpp"
#include "ebb/units/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace ebb::cli {
namespace {

using breakeven::ChannelSeen;
using breakeven::ChannelStudy;
using breakeven::GapDecade;
using breakeven::kQuickWake;
using breakeven::Look;
using breakeven::LowPowerState;
using breakeven::Point;
using breakeven::RuleResult;
using breakeven::saving;
using breakeven::Study;
using breakeven::StudyInput;
using breakeven::SwitchSeen;
using breakeven::SwitchStudy;
using Json = nlohmann::ordered_json;

struct Options {
  std::vector<std::string> parts;
  std::vector<std::string> workloads;   // NAME key=value ... NAME ...
  std::vector<std::string> part_files;  // besides the shipped ones
  WorkloadOptions workload{.hosts = "64", .rate = {}, .time = {}, .seed = "1"};
  bool json = false;
  bool csv = false;
};

// 28 points of a curve for programs, 10 for people. People who named no part get one curve, that of
// the bound.
StudyInput::Curves curves_of(const Options& options) {
  if (options.json || options.csv) return StudyInput::Curves::thirds_of_decades;
  return options.parts.empty() ? StudyInput::Curves::overview : StudyInput::Curves::decades;
}

Result<StudyInput> input_of(const Options& options) {
  const auto values = values_of(options.workload);
  if (!values) return fail(values.error());
  StudyInput input{.parts = options.parts,
                   .workloads = options.workloads.empty()
                                    ? breakeven::usual_workloads()
                                    : breakeven::workloads_of(options.workloads),
                   .rate = {},
                   .time = {},
                   .hosts = values->hosts,
                   .seed = values->seed,
                   .curves = curves_of(options)};
  if (!options.workload.rate.empty()) input.rate = values->rate;
  if (!options.workload.time.empty()) input.time = values->time;
  if (input.rate && *input.rate <= DataRate()) return fail("--rate: must be above 0b/s");
  for (const breakeven::NamedWorkload& workload : input.workloads) {
    if (workload.parameters.empty() && names_a_file({workload.name}))
      return fail(fmt::format("--workload takes names of `ebb list`, not '{}'", workload.label));
  }
  return input;
}

Json rule_json(const std::optional<RuleResult>& seen, const LowPowerState& state) {
  if (!seen) return nullptr;
  return {{"low_power_share", seen->low_power_share},
          {"saving", saving(seen->low_power_share, state.power)},
          {"delay_ps", seen->delay.count()}};
}

Json point_json(const Point& point, const LowPowerState& state) {
  return {{"change_ps", point.change.count()},
          {"break_even_ps", point.break_even.count()},
          {"oracle", rule_json(point.oracle, state)},
          {"immediate", rule_json(point.immediate, state)},
          {"timeout", rule_json(point.timeout, state)}};
}

Json look_json(const Look& look) {
  Json decades = Json::array();
  for (const GapDecade& decade : look.gaps.decades) {
    if (decade.gaps == 0) continue;
    decades.push_back({{"from_ps", decade.least.count()},
                       {"gaps", decade.gaps},
                       {"idle_ps", decade.idle.count()}});
  }
  return {{"workload", look.workload},
          {"rate_bit_per_s", look.rate.count()},
          {"time_ps", look.time.count()},
          {"messages", look.messages},
          {"load", look.gaps.load.to_double()},
          {"gaps", look.gaps.gaps},
          {"longest_gap_ps", look.gaps.longest.count()},
          {"gaps_by_length", decades}};
}

Json channel_json(const ChannelStudy& channel, const power::Library& library) {
  Json workloads = Json::array();
  for (const ChannelSeen& seen : channel.seen) {
    Json entry = look_json(seen.look);
    entry["own"] = seen.own ? point_json(*seen.own, channel.state) : Json();
    entry["curve"] = Json::array();
    for (const Point& point : seen.curve)
      entry["curve"].push_back(point_json(point, channel.state));
    workloads.push_back(std::move(entry));
  }
  const auto& own = channel.state.own;
  return {{"part", channel.part->name},
          {"evidence", evidence_text(*channel.part, library)},
          {"state", to_text(channel.state.kind)},
          {"relative_power", channel.state.power.to_double()},
          {"down_ps", own ? Json(own->down.count()) : Json()},
          {"up_ps", own ? Json(own->up.count()) : Json()},
          {"break_even_ps", own ? Json(break_even(*own).count()) : Json()},
          {"workloads", workloads}};
}

Json watts_json(const std::optional<Power>& power) {
  return power ? Json(to_watts(*power)) : Json();
}

Json switch_json(const SwitchStudy& each, const power::Library& library) {
  Json workloads = Json::array();
  for (const SwitchSeen& seen : each.seen) {
    Json entry = look_json(seen.look);
    entry["drawn_w"] = to_watts(seen.savings.drawn.total());
    entry["saved_own_w"] = watts_json(seen.savings.own);
    entry["saved_quick_sleep_w"] = watts_json(seen.savings.quick_sleep);
    entry["saved_ideal_w"] = to_watts(seen.savings.ideal);
    workloads.push_back(std::move(entry));
  }
  const auto idle = each.setup.power_at({});
  const bool known = each.setup.links_known();
  return {{"part", each.setup.part->name},
          {"evidence", evidence_text(*each.setup.part, library)},
          {"setup", each.setup.setup != nullptr ? Json(each.setup.setup->name) : Json()},
          {"ports", each.setup.ports()},
          {"chassis_w", known ? Json(to_watts(idle.chassis)) : Json()},
          {"links_w", known ? Json(to_watts(idle.links)) : Json()},
          {"full_load_w", to_watts(each.setup.power_at(Ratio(1, 1)).total())},
          {"saved_by_shutdown_of_a_port_w", watts_json(each.setup.saved_by_shutdown_of_a_port())},
          {"workloads", workloads}};
}

std::string breakeven_json(const Study& study) {
  Json json = {{"schema_version", 1},       {"hosts", study.hosts},
               {"seed", study.seed},        {"quick_wake_ps", kQuickWake.count()},
               {"channels", Json::array()}, {"switches", Json::array()}};
  for (const ChannelStudy& channel : study.channels)
    json["channels"].push_back(channel_json(channel, study.library));
  for (const SwitchStudy& each : study.switches)
    json["switches"].push_back(switch_json(each, study.library));
  return json.dump(2) + "\n";
}

double seconds(Duration time) { return static_cast<double>(time.count()) * 1e-12; }

std::string csv_saving(const std::optional<RuleResult>& seen, const LowPowerState& state) {
  return seen ? fmt::format("{:.6g}", 100 * saving(seen->low_power_share, state.power)) : "";
}

std::string csv_delay(const std::optional<RuleResult>& seen) {
  return seen ? fmt::format("{:.6g}", seconds(seen->delay)) : "";
}

std::string csv_row(const ChannelStudy& channel, const Look& look, const Point& point) {
  return fmt::format("{},{},{},{},{:.6g},{:.6g},{},{},{},{},{}\n",
                     results::csv_field(channel.part->name), to_text(channel.state.kind),
                     results::csv_field(look.workload), to_text(look.rate), seconds(point.change),
                     seconds(point.break_even), csv_saving(point.oracle, channel.state),
                     csv_saving(point.immediate, channel.state), csv_delay(point.immediate),
                     csv_saving(point.timeout, channel.state), csv_delay(point.timeout));
}

std::string breakeven_csv(const Study& study) {
  std::string text =
      "part,state,workload,rate,change [s],shortest gap [s],oracle [%],immediate [%],immediate "
      "delay [s],timeout [%],timeout delay [s]\n";
  for (const ChannelStudy& channel : study.channels) {
    for (const ChannelSeen& seen : channel.seen) {
      for (const Point& point : seen.curve) text += csv_row(channel, seen.look, point);
    }
  }
  return text;
}

ExitCode run(const Options& options) {
  auto library = load_parts(options.part_files);
  if (!library) return refuse(library.error());
  const auto input = input_of(options);
  if (!input) return refuse(input.error());
  const auto found = breakeven::study(std::move(*library), *input);
  if (!found) return refuse(found.error());
  if (options.csv && found->channels.empty())
    return refuse({{"--csv has the curves of rate tables: name one, or use --json", {}}});
  fmt::print("{}", options.json  ? breakeven_json(*found)
                   : options.csv ? breakeven_csv(*found)
                                 : breakeven_text(*found));
  return ExitCode::done;
}

}  // namespace

void add_breakeven_command(CLI::App& app, ExitCode& code) {
  const auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand(
      "breakeven", "The shortest idle gap worth sleeping, and what it saves of links and switches");
  verb->add_option("--part", options->parts,
                   "A rate table, chip or box of `ebb parts list`; all of them without")
      ->type_name("PART");
  verb->add_option("--workload", options->workloads,
                   "A workload or injection of `ebb list` with key=value ..., and more of them; "
                   "uniform at 23 %, search and advert without")
      ->type_name("WORKLOAD");
  verb->add_option("--rate", options->workload.rate,
                   "Rate of the links; that of each part without");
  verb->add_option("--time", options->workload.time,
                   "How long to look; without, as long as a link takes to carry 1GB, 200ms at "
                   "40Gb/s");
  verb->add_option("--hosts", options->workload.hosts, "Number of hosts")->capture_default_str();
  verb->add_option("--seed", options->workload.seed, "Of everything random")->capture_default_str();
  verb->add_option("--parts", options->part_files, "Further part files")
      ->type_name("FILE")
      ->allow_extra_args(false);
  CLI::Option* json = verb->add_flag("--json", options->json, "Machine-readable output");
  verb->add_flag("--csv", options->csv, "The curves of the rate tables as CSV")->excludes(json);
  verb->callback([options, &code] { code = run(*options); });
}

}  // namespace ebb::cli
