// SPDX-License-Identifier: Apache-2.0
//
// `ebb validate flows`: each simulation once with packets and once with flows, and both results
// side by side. It shows how far flows may be trusted for such networks and traffic; it judges
// nothing.
#include "command_line/inputs.hpp"
#include "command_line/live_half.hpp"
#include "command_line/text.hpp"
#include "verbs.hpp"

#include "ebb/config/simulation.hpp"
#include "ebb/core/check.hpp"
#include "ebb/results/summary.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace ebb::cli {
namespace {

using netsim::Fidelity;

struct FlowsOptions {
  std::vector<std::string> files;
  std::vector<std::string> settings;
  std::vector<std::string> part_files;
  bool json = false;
};

// A number of both runs.
struct Compared {
  std::string name;
  std::string unit;
  double packet = 0;
  double flow = 0;
};

struct FlowComparison {
  std::string file;
  std::vector<std::string> refusals;  // of flows; then there is nothing below
  std::vector<Compared> metrics;      // those that both runs have; none: one of them stalled
  std::vector<Compared> states;       // shares of the time of channels
  std::vector<Compared> jobs;         // their times
  std::vector<std::string> packet_notes;
  std::vector<std::string> flow_notes;
  double wall_clock_ratio = 0;  // what packets took over what flows took
};

// Of a share that is absent in both runs the difference is 0; of one that only flows have there is
// no share of it.
std::optional<double> relative_difference(const Compared& value) {
  if (value.packet == value.flow) return 0;
  if (value.packet == 0) return std::nullopt;
  return value.flow / value.packet - 1;
}

double difference_of_shares(const Compared& state) { return state.flow - state.packet; }

// What a reader has to know of a run before believing its numbers.
std::vector<std::string> notes_of(const netsim::Report& report) {
  std::vector<std::string> notes;
  if (report.stall) notes.emplace_back("stalled");
  for (const netsim::JobReport& job : report.jobs) {
    if (!job.done) notes.push_back(fmt::format("{} was not done", job.name));
  }
  if (report.stall) return notes;
  if (too_short(report)) notes.emplace_back("too short to tell whether the network keeps up");
  if (saturated(report)) notes.emplace_back("saturated: latencies say nothing");
  if (!too_short(report) && !steady(report)) notes.emplace_back("not steady");
  return notes;
}

struct TimedRun {
  config::Simulation simulation;
  netsim::Report report;
  double wall_clock_seconds = 0;
};

TimedRun timed_run(config::Simulation simulation) {
  const auto began = std::chrono::steady_clock::now();
  netsim::Report report = netsim::run(simulation.experiment());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  EBB_CHECK(report.ledger.check().empty(), "the energy account does not balance");
  return {std::move(simulation), std::move(report), took.count()};
}

std::vector<Compared> compared_metrics(const results::Summary& packet,
                                       const results::Summary& flow) {
  std::vector<Compared> all;
  const std::vector<results::Metric> flow_metrics = metrics_of(flow);
  for (const results::Metric& metric : metrics_of(packet)) {
    const auto same = std::ranges::find(flow_metrics, metric.name, &results::Metric::name);
    if (same != flow_metrics.end())
      all.push_back({metric.name, metric.unit, metric.value, same->value});
  }
  return all;
}

FlowComparison compare_runs(const TimedRun& packet, const TimedRun& flow) {
  FlowComparison found;
  found.packet_notes = notes_of(packet.report);
  found.flow_notes = notes_of(flow.report);
  found.wall_clock_ratio = packet.wall_clock_seconds / flow.wall_clock_seconds;
  const results::Summary of_packets(packet.simulation, packet.report);
  const results::Summary of_flows(flow.simulation, flow.report);
  for (std::string& reason : outside_validity(of_flows))
    found.flow_notes.push_back(std::move(reason));
  if (!of_packets.measured || !of_flows.measured) return found;
  found.metrics = compared_metrics(of_packets, of_flows);
  found.states.reserve(of_packets.states.size());
  for (std::size_t i = 0; i < of_packets.states.size(); ++i) {  // the same in both: of the network
    const results::StateShare& state = of_packets.states[i];
    found.states.push_back({state.state, "1", state.share, of_flows.states[i].share});
  }
  found.jobs.reserve(packet.report.jobs.size());
  for (std::size_t i = 0; i < packet.report.jobs.size(); ++i) {
    const netsim::JobReport& job = packet.report.jobs[i];
    found.jobs.push_back({job.name, "ps", static_cast<double>(job.time().count()),
                          static_cast<double>(flow.report.jobs[i].time().count())});
  }
  return found;
}

Result<config::Simulation> prepare_with(Fidelity fidelity, config::SimFile file,
                                        const power::Library& parts) {
  file.spec.fidelity = fidelity;
  return config::prepare(file, parts, fabric_control(parts));
}

// What only packets can simulate is no mistake: the comparison then says why.
Result<FlowComparison> compare_fidelities(const config::SimFile& file,
                                          const power::Library& parts) {
  auto packet = prepare_with(Fidelity::packet, file, parts);
  if (!packet) return fail(packet.error());
  auto flow = prepare_with(Fidelity::flow, file, parts);
  if (flow) return compare_runs(timed_run(std::move(*packet)), timed_run(std::move(*flow)));
  FlowComparison refused;
  for (const Error& error : flow.error()) {
    refused.refusals.push_back(fmt::format("{}: {}", error.where.path, error.message));
  }
  return refused;
}

std::string value_text(const Compared& value, double number) {
  if (value.unit == "ps") return short_text(Duration(std::llround(number)));
  return fmt::format("{:.2f} %", 100 * number);
}

void add_row(Table& table, std::string label, const Compared& value, std::string difference) {
  table.add({std::move(label), value_text(value, value.packet), value_text(value, value.flow),
             std::move(difference)});
}

void add_relative_row(Table& table, std::string label, const Compared& value) {
  const auto difference = relative_difference(value);
  add_row(table, std::move(label), value,
          difference ? fmt::format("{:+.2f} %", 100 * *difference) : "");
}

void add_metric_row(Table& table, const FlowComparison& found, std::string_view metric,
                    const char* label) {
  const auto value = std::ranges::find(found.metrics, metric, &Compared::name);
  if (value != found.metrics.end()) add_relative_row(table, label, *value);
}

// The state of which the two runs agree least stands for all of them.
void add_state_row(Table& table, const std::vector<Compared>& states) {
  const auto most = std::ranges::max_element(
      states, {}, [](const Compared& state) { return std::abs(difference_of_shares(state)); });
  if (most == states.end()) return;
  add_row(table, fmt::format("time of channels: {} (differs most)", most->name), *most,
          fmt::format("{:+.2f} points", 100 * difference_of_shares(*most)));
}

std::string comparison_table(const FlowComparison& found) {
  constexpr auto kRight = Table::Align::right;
  Table table({{"quantity"}, {"packets", kRight}, {"flows", kRight}, {"difference", kRight}});
  add_metric_row(table, found, "power.relative", "power of channels, of always-on");
  add_state_row(table, found.states);
  if (found.jobs.empty()) add_metric_row(table, found, "traffic.accepted_load", "accepted load");
  add_metric_row(table, found, "message_latency.mean", "mean message latency");
  add_metric_row(table, found, "message_latency.p99", "p99 message latency");
  for (const Compared& job : found.jobs) add_relative_row(table, "time of " + job.name, job);
  return table.text();
}

void print_notes(std::string_view with, const std::vector<std::string>& notes) {
  if (notes.empty()) return;
  fmt::print("{}", wrapped(fmt::format("with {}: {}", with, fmt::join(notes, "; ")), 100, ""));
}

void print_comparison(const FlowComparison& found) {
  fmt::print("{}\n", coloured(found.file, Colour::name, stdout));
  if (!found.refusals.empty()) {
    const std::string reasons = fmt::format("left out: {}", fmt::join(found.refusals, "; "));
    fmt::print("{}\n", wrapped(reasons, 100, ""));
    return;
  }
  if (!found.metrics.empty()) fmt::print("{}", comparison_table(found));
  print_notes("packets", found.packet_notes);
  print_notes("flows", found.flow_notes);
  fmt::print("wall-clock time of packets / flows: {:.3g}\n\n", found.wall_clock_ratio);
  std::fflush(stdout);  // a file takes seconds: show each when it is done
}

nlohmann::ordered_json compared_json(const Compared& value, std::optional<double> difference) {
  nlohmann::ordered_json json = {
      {"name", value.name}, {"unit", value.unit}, {"packet", value.packet}, {"flow", value.flow}};
  json["difference"] = difference ? nlohmann::ordered_json(*difference) : nullptr;
  return json;
}

nlohmann::ordered_json comparison_json(const FlowComparison& found) {
  if (!found.refusals.empty()) return {{"file", found.file}, {"left_out", found.refusals}};
  auto metrics = nlohmann::ordered_json::array();
  for (const Compared& value : found.metrics)
    metrics.push_back(compared_json(value, relative_difference(value)));
  auto states = nlohmann::ordered_json::array();
  for (const Compared& state : found.states)
    states.push_back(compared_json(state, difference_of_shares(state)));
  auto jobs = nlohmann::ordered_json::array();
  for (const Compared& job : found.jobs)
    jobs.push_back(compared_json(job, relative_difference(job)));
  return {{"file", found.file},
          {"metrics", metrics},
          {"states", states},
          {"jobs", jobs},
          {"notes", {{"packet", found.packet_notes}, {"flow", found.flow_notes}}},
          {"wall_clock_ratio", found.wall_clock_ratio}};
}

// The simulations among the shipped examples, by name.
std::vector<std::string> example_simulations() {
  std::vector<std::string> files;
  std::error_code missing;  // then there are none
  for (const auto& entry :
       std::filesystem::directory_iterator(data_folder() + "/examples", missing)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("sim-") && name.ends_with(".yaml")) files.push_back(entry.path().string());
  }
  std::ranges::sort(files);
  return files;
}

// All of them before minutes are spent on simulating.
Result<std::vector<config::SimFile>> read_simulations(const std::vector<std::string>& names,
                                                      const FlowsOptions& options,
                                                      const power::Library& parts) {
  std::vector<config::SimFile> files;
  Errors errors;
  files.reserve(names.size());
  for (const std::string& name : names) {
    auto file = config::read_sim(name, parts, options.settings);
    if (file) files.push_back(std::move(*file));
    if (!file) errors.insert(errors.end(), file.error().begin(), file.error().end());
  }
  if (!errors.empty()) return fail(std::move(errors));
  return files;
}

ExitCode compare_files(const FlowsOptions& options) {
  const auto parts = load_parts(options.part_files);
  if (!parts) return refuse(parts.error());
  const std::vector<std::string> names =
      options.files.empty() ? example_simulations() : options.files;
  const auto files = read_simulations(names, options, *parts);
  if (!files) return refuse(files.error());
  auto list = nlohmann::ordered_json::array();
  bool any_compared = false;
  for (std::size_t i = 0; i < files->size(); ++i) {
    if (isatty(STDERR_FILENO) != 0)
      fmt::print(stderr, "{} of {}: {}\n", i + 1, names.size(), names[i]);
    auto found = compare_fidelities((*files)[i], *parts);
    if (!found) return refuse(found.error());
    found->file = names[i];
    any_compared = any_compared || found->refusals.empty();
    if (options.json) list.push_back(comparison_json(*found));
    if (!options.json) print_comparison(*found);
  }
  if (options.json) fmt::print("{}\n", list.dump(2));
  return any_compared ? ExitCode::done : refuse({{"no file that flows can simulate"}});
}

}  // namespace

void add_validate_flows(CLI::App& validate, ExitCode& code) {
  const auto options = std::make_shared<FlowsOptions>();
  CLI::App* flows = validate.add_subcommand(
      "flows", "Run simulations with packets and with flows, and print both results");
  flows
      ->add_option("files", options->files,
                   "Simulation files (docs/sim.md); without any, the shipped examples")
      ->type_name("FILE");
  flows
      ->add_option("--set", options->settings,
                   "Replace or add a value of every file, as policy.target=75%")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  flows->add_option("--parts", options->part_files, "Further part files")
      ->type_name("FILE")
      ->allow_extra_args(false);
  flows->add_flag("--json", options->json, "Machine-readable output: every metric of both runs");
  flows->callback([options, &code] { code = compare_files(*options); });
}

}  // namespace ebb::cli
