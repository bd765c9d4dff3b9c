// SPDX-License-Identifier: Apache-2.0
//
// `ebb traffic show`: how bursty a workload is, for people and for programs.
#include "command_line/command.hpp"

#include "command_line/inputs.hpp"
#include "command_line/text.hpp"

#include "ebb/config/standalone_workload.hpp"
#include "ebb/traffic/burstiness.hpp"
#include "ebb/units/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <utility>

namespace ebb::cli {
namespace {

struct Options {
  std::vector<std::string> what;  // FILE, or NAME key=value ...
  std::vector<std::string> settings;
  std::vector<std::string> part_files;
  WorkloadOptions workload;
  bool json = false;
};

struct Subject {
  config::StandaloneWorkload made;
  Duration time{};
};

Result<config::StandaloneWorkload> of_file(const Options& options) {
  const auto parts = load_parts(options.part_files);
  if (!parts) return fail(parts.error());
  const auto file = config::read_sim(options.what[0], *parts, options.settings);
  if (!file) return fail(file.error());
  auto simulation = config::prepare(*file, *parts);
  if (!simulation) return fail(simulation.error());
  return workload_of(std::move(*simulation));
}

Result<config::StandaloneWorkload> of_name(const Options& options, const WorkloadValues& values) {
  const auto parameters = parameters_after_name(options.what);
  if (!parameters) return fail(parameters.error());
  return config::named_workload(options.what[0], *parameters, values.hosts, values.rate,
                                values.seed);
}

Result<Subject> load(const Options& options) {
  const bool file = names_a_file(options.what);
  const WorkloadOptions& given = options.workload;
  if (file && (!given.hosts.empty() || !given.rate.empty() || !given.seed.empty()))
    return fail("--hosts, --rate and --seed are for a NAME; a file says its own (see --set)");
  if (!file && !options.settings.empty())
    return fail("--set is for a file; give the parameters of a NAME as key=value");
  const auto values = values_of(given);
  if (!values) return fail(values.error());
  auto made = file ? of_file(options) : of_name(options, *values);
  if (!made) return fail(made.error());
  return Subject{std::move(*made), values->time};
}

using traffic::Burstiness;
using traffic::WindowSeen;
using traffic::WindowUse;
using Json = nlohmann::ordered_json;

constexpr std::size_t kTextWidth = 100;

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::vector<std::string> use_row(const std::string& window, const std::string& direction,
                                 const WindowUse& use) {
  return {window,
          direction,
          percent(use.mean),
          percent(use.p50),
          percent(use.p99),
          percent(use.most),
          percent(use.idle),
          fmt::format("{:.4g}", use.dispersion)};
}

std::string use_table(const Burstiness& seen) {
  constexpr auto kRight = Table::Align::right;
  Table table({{"window", kRight},
               {"host links"},
               {"mean", kRight},
               {"p50", kRight},
               {"p99", kRight},
               {"max", kRight},
               {"idle windows", kRight},
               {"dispersion", kRight},
               {"asymmetry", kRight}});
  for (const WindowSeen& window : seen.windows) {
    auto row = use_row(to_text(window.window), "out", window.out);
    row.push_back(fmt::format("{:.2f}", window.asymmetry));
    table.add(std::move(row));
    table.add(use_row("", "in", window.in));
  }
  return table.text();
}

Json use_json(const WindowUse& use) {
  return {{"mean", use.mean}, {"p50", use.p50},   {"p99", use.p99},
          {"most", use.most}, {"idle", use.idle}, {"dispersion", use.dispersion}};
}

std::string traffic_text(const Subject& subject, const Burstiness& seen) {
  std::string text =
      wrapped(fmt::format("{} ({} hosts at {}), {}, seed {}", subject.made.name,
                          with_separators(subject.made.hosts), to_text(subject.made.host_rate),
                          to_text(subject.time), subject.made.seed),
              kTextWidth, "");
  text += fmt::format("\noffered load  {} of a host link on average, {} to {} by host\n",
                      percent(seen.load_mean), percent(seen.load_least), percent(seen.load_most));
  text += fmt::format("messages      {}; {}B on average, p50 {}B, p99 {}B\n\n",
                      with_separators(seen.messages), short_count(seen.size_mean),
                      short_count(static_cast<double>(seen.size_p50)),
                      short_count(static_cast<double>(seen.size_p99)));
  text += use_table(seen) + "\n";
  return text +
         wrapped(fmt::format("dispersion: variance over mean of the data created in a window, in "
                             "messages of mean size; {:.4g} for messages of these sizes at random "
                             "times (Poisson). asymmetry: 0 when both directions of a link are "
                             "alike, 1 when only one is in use",
                             seen.poisson_dispersion),
                 kTextWidth, "");
}

std::string traffic_json(const Subject& subject, const Burstiness& seen) {
  Json windows = Json::array();
  for (const WindowSeen& window : seen.windows) {
    windows.push_back({{"window_ps", window.window.count()},
                       {"out", use_json(window.out)},
                       {"in", use_json(window.in)},
                       {"asymmetry", window.asymmetry}});
  }
  const Json json = {
      {"schema_version", 1},
      {"workload", subject.made.name},
      {"hosts", subject.made.hosts},
      {"host_rate_bit_per_s", subject.made.host_rate.count()},
      {"seed", subject.made.seed},
      {"time_ps", subject.time.count()},
      {"messages", seen.messages},
      {"load", {{"mean", seen.load_mean}, {"least", seen.load_least}, {"most", seen.load_most}}},
      {"size_bytes", {{"mean", seen.size_mean}, {"p50", seen.size_p50}, {"p99", seen.size_p99}}},
      {"poisson_dispersion", seen.poisson_dispersion},
      {"windows", windows}};
  return json.dump(2) + "\n";
}

ExitCode show(const Options& options) {
  const auto subject = load(options);
  if (!subject) return refuse(subject.error());
  const auto seen = traffic::measure_burstiness(*subject->made.workload, subject->made.host_rate,
                                                subject->made.seed, TimePoint(subject->time));
  if (!seen) return refuse(seen.error());
  fmt::print("{}", options.json ? traffic_json(*subject, *seen) : traffic_text(*subject, *seen));
  return ExitCode::done;
}

}  // namespace

void add_traffic_command(CLI::App& app, ExitCode& code) {
  CLI::App* traffic = app.add_subcommand("traffic", "Workloads: how bursty they are");
  traffic->require_subcommand(1);
  const auto options = std::make_shared<Options>();
  options->workload.time = "10ms";
  CLI::App* verb =
      traffic->add_subcommand("show", "Load, sizes and burstiness, without simulating a network");
  verb->add_option("workload", options->what,
                   "A simulation file, or a workload or injection of `ebb list` with key=value ...")
      ->type_name("WORKLOAD")
      ->required();
  verb->add_option("--hosts", options->workload.hosts, "Number of hosts, of a NAME (1024)");
  verb->add_option("--rate", options->workload.rate, "Rate of the host links, of a NAME (40Gb/s)");
  verb->add_option("--seed", options->workload.seed, "Of everything random, of a NAME (1)");
  verb->add_option("--time", options->workload.time, "How long to look, 2ms to 10s")
      ->capture_default_str();
  verb->add_option("--set", options->settings, "Replace or add a value of the file")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb->add_option("--parts", options->part_files, "Further part files")
      ->type_name("FILE")
      ->allow_extra_args(false);
  verb->add_flag("--json", options->json, "Machine-readable output");
  verb->callback([options, &code] { code = show(*options); });
}

}  // namespace ebb::cli
