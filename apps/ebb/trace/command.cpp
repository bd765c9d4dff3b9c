// SPDX-License-Identifier: Apache-2.0
//
// `ebb trace`: programs, the recorded or written schedules of parallel jobs, are described, checked
// and converted, and timed on LogGOPS.
#include "command_line/command.hpp"

#include "command_line/help.hpp"
#include "command_line/text.hpp"
#include "trace/verbs.hpp"

#include "ebb/loggops/loggops.hpp"
#include "ebb/program/check.hpp"
#include "ebb/trace/trace.hpp"
#include "ebb/units/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace ebb::cli {
namespace {

using program::Program;
using program::Summary;

struct Options {
  std::string file;
  std::string from;
  std::string addresses;
  std::vector<std::string> settings;
  std::string output;
  std::string format = "goal";
  bool markers = false;
  bool json = false;
  bool ranks = false;
  // Of LogGOPS; empty: the default.
  std::string latency;
  std::string overhead;
  std::string gap;
  std::string gap_per_byte;
  std::string overhead_per_byte;
  std::string rendezvous_above;
};

std::string count(std::uint64_t value) { return with_separators(static_cast<std::int64_t>(value)); }

// The trace that the options name. What was repaired is said on standard error.
Result<trace::Trace> read(const Options& options) {
  const auto parameters = read_settings(options.settings);
  if (!parameters) return fail(parameters.error());
  const trace::Reading reading{options.from, *parameters, options.addresses};
  auto trace = trace::read_trace(options.file, reading);
  if (!trace) return trace;
  for (const std::string& repair : trace->repairs)
    fmt::print(stderr, "{}: repaired: {}\n", options.file, repair);
  return trace;
}

std::string info_text(const trace::Trace& trace, const Summary& summary) {
  std::string text;
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("{:<18}{}\n", name, value);
  };
  line("program", trace.program.name());
  line("format", std::string(trace.format));
  line("ranks", fmt::format("{}, {} with operations", count(summary.ranks),
                            count(summary.ranks_with_operations)));
  line("sends", fmt::format("{} of {} bytes in all, at most {}", count(summary.sends),
                            count(static_cast<std::uint64_t>(summary.sent.count() / 8)),
                            count(static_cast<std::uint64_t>(summary.largest.count() / 8))));
  line("receives", fmt::format("{}, {} from any rank, {} with any tag", count(summary.receives),
                               count(summary.any_source), count(summary.any_tag)));
  line("computations",
       fmt::format("{}, {} in all", count(summary.computations), to_text(summary.compute_time)));
  line("dependencies", fmt::format("{} on ends, {} on starts", count(summary.after_end),
                                   count(summary.after_start)));
  if (summary.markers > 0)
    line("markers", fmt::format("{} sends of 0 bytes to no rank", count(summary.markers)));
  line("CPUs, NICs", fmt::format("{}, {} of a rank", summary.cpus, summary.nics));
  for (const auto& [what, number] : trace.contents)
    text += fmt::format("  {:<30}{:>15}\n", what, count(number));
  return text;
}

std::string info_json(const trace::Trace& trace, const Summary& summary) {
  nlohmann::ordered_json json = {{"schema_version", 1},
                                 {"program", trace.program.name()},
                                 {"format", trace.format},
                                 {"repairs", trace.repairs},
                                 {"ranks", summary.ranks},
                                 {"ranks_with_operations", summary.ranks_with_operations},
                                 {"sends", summary.sends},
                                 {"receives", summary.receives},
                                 {"computations", summary.computations},
                                 {"sent_bytes", summary.sent.count() / 8},
                                 {"largest_bytes", summary.largest.count() / 8},
                                 {"compute_time_ps", summary.compute_time.count()},
                                 {"dependencies_on_ends", summary.after_end},
                                 {"dependencies_on_starts", summary.after_start},
                                 {"receives_from_any_rank", summary.any_source},
                                 {"receives_with_any_tag", summary.any_tag},
                                 {"markers", summary.markers},
                                 {"cpus", summary.cpus},
                                 {"nics", summary.nics}};
  for (const auto& [what, number] : trace.contents) json["contents"][what] = number;
  return json.dump(2) + "\n";
}

ExitCode print_info(const Options& options) {
  const auto trace = read(options);
  if (!trace) return refuse(trace.error());
  const Summary summary = summarize(trace->program);
  fmt::print("{}", options.json ? info_json(*trace, summary) : info_text(*trace, summary));
  return ExitCode::done;
}

program::Markers markers_of(const Options& options) {
  return options.markers ? program::Markers::accept : program::Markers::refuse;
}

ExitCode check_program(const Options& options) {
  const auto trace = read(options);
  if (!trace) return refuse(trace.error());
  if (const Errors errors = check(trace->program, markers_of(options)); !errors.empty())
    return refuse(errors);
  const Summary summary = summarize(trace->program);
  fmt::print("{} ranks, {} sends, {} receives, {} computations: no errors\n", count(summary.ranks),
             count(summary.sends), count(summary.receives), count(summary.computations));
  return ExitCode::done;
}

ExitCode convert(const Options& options) {
  const auto trace = read(options);
  if (!trace) return refuse(trace.error());
  return write_program(trace->program, options.format, options.output);
}

// Texts of quantities that were given take the place of defaults.
Result<loggops::Parameters> parameters_of(const Options& options) {
  loggops::Parameters parameters;
  Errors errors;
  const auto take = [&](const std::string& text, std::string_view option, auto& value) {
    if (text.empty()) return;
    const auto parsed = parse<std::remove_reference_t<decltype(value)>>(text);
    if (!parsed) {
      errors.push_back({fmt::format("{}: {}", option, parsed.error().front().message), {}});
    } else if (parsed->count() < 0) {
      errors.push_back({fmt::format("{}: {} is below zero", option, text), {}});
    } else {
      value = *parsed;
    }
  };
  take(options.latency, "--latency", parameters.latency);
  take(options.overhead, "--overhead", parameters.overhead);
  take(options.gap, "--gap", parameters.gap);
  take(options.gap_per_byte, "--gap-per-byte", parameters.gap_per_byte);
  take(options.overhead_per_byte, "--overhead-per-byte", parameters.overhead_per_byte);
  take(options.rendezvous_above, "--rendezvous-above", parameters.rendezvous_above);
  if (!errors.empty()) return fail(std::move(errors));
  return parameters;
}

std::string times_json(const Program& program, const loggops::Times& times) {
  nlohmann::ordered_json json = {{"schema_version", 1},
                                 {"program", program.name()},
                                 {"messages", times.messages},
                                 {"last_ps", times.last.count()}};
  json["end_ps"] = nlohmann::json::array();
  for (const Duration end : times.end) json["end_ps"].push_back(end.count());
  return json.dump() + "\n";
}

std::string times_text(const loggops::Times& times, bool ranks) {
  const auto last = std::find(times.end.begin(), times.end.end(), times.last);
  std::string text =
      fmt::format("{} messages; the last rank, {}, ends after {}\n", count(times.messages),
                  last - times.end.begin(), to_text(times.last));
  for (std::size_t rank = 0; ranks && rank < times.end.size(); ++rank)
    text += fmt::format("rank {}: {}\n", rank, to_text(times.end[rank]));
  return text;
}

ExitCode time_on_loggops(const Options& options) {
  const auto parameters = parameters_of(options);
  const auto trace = read(options);
  if (!parameters) return refuse(parameters.error());
  if (!trace) return refuse(trace.error());
  if (const Errors errors = check(trace->program, markers_of(options)); !errors.empty())
    return refuse(errors);
  const auto times = loggops::run(trace->program, *parameters);
  if (!times) return refuse(times.error());
  if (times->end.empty()) return refuse({{"has no ranks", {trace->program.name()}}});
  fmt::print("{}",
             options.json ? times_json(trace->program, *times) : times_text(*times, options.ranks));
  return ExitCode::done;
}

ExitCode print_formats() {
  for (const trace::Format& format : trace::formats()) {
    fmt::print("{:<14}{}\n", format.name, format.description);
    for (const Parameter& parameter : format.parameters) {
      fmt::print("  {:<16}{} ({})\n", parameter.name, parameter.help,
                 parameter.fallback ? *parameter.fallback : allowed_text(parameter));
    }
  }
  return ExitCode::done;
}

CLI::App* add_verb(CLI::App& trace, const std::string& name, const std::string& help,
                   const std::shared_ptr<Options>& options, ExitCode& code,
                   ExitCode (*run)(const Options&)) {
  CLI::App* verb = trace.add_subcommand(name, help);
  verb->add_option("file", options->file, "Trace, of many files one of them")
      ->required()
      ->type_name("FILE");
  std::vector<std::string> formats;
  for (const trace::Format& format : trace::formats()) formats.emplace_back(format.name);
  verb->add_option("--from", options->from, "Format of the trace; without it the file tells")
      ->check(one_of(formats));
  verb->add_option("--addresses", options->addresses, "Table of addresses and their ranks")
      ->type_name("FILE");
  verb->add_option("--set", options->settings, "Parameter of the format")->type_name("NAME=VALUE");
  verb->callback([options, &code, run] { code = run(*options); });
  return verb;
}

void add_markers(CLI::App& verb, Options& options) {
  verb.add_flag("--markers", options.markers,
                "Accept sends of 0 bytes to ranks that do not exist, which mark the end of a rank");
}

void add_loggops_options(CLI::App& verb, Options& options) {
  const auto add = [&](const std::string& name, std::string& value, const std::string& help,
                       const std::string& type) {
    verb.add_option(name, value, help)->type_name(type);
  };
  add("--latency", options.latency, "L, of the network (2.5us)", "TIME");
  add("--overhead", options.overhead, "o, of a CPU for each message (1.5us)", "TIME");
  add("--gap", options.gap, "g, of a NIC between two messages (1us)", "TIME");
  add("--gap-per-byte", options.gap_per_byte, "G, of a NIC for each byte (6ns)", "TIME");
  add("--overhead-per-byte", options.overhead_per_byte, "O, of a CPU for each byte (0s)", "TIME");
  add("--rendezvous-above", options.rendezvous_above,
      "S: a send of more waits for its receive (65535B)", "SIZE");
}

}  // namespace

void add_trace_command(CLI::App& app, ExitCode& code) {
  CLI::App* trace =
      app.add_subcommand("trace", "Programs of parallel jobs: describe, check, convert, time");
  trace->require_subcommand(1);
  const auto fresh = [] { return std::make_shared<Options>(); };

  trace->add_subcommand("formats", "What can be read, with the parameters of each format")
      ->callback([&code] { code = print_formats(); });

  const auto info = fresh();
  add_verb(*trace, "info", "Ranks, operations, bytes, dependencies", info, code, print_info)
      ->add_flag("--json", info->json, "Machine-readable output");

  const auto checked = fresh();
  add_markers(*add_verb(*trace, "check", "Report every mistake: unmatched messages, cycles",
                        checked, code, check_program),
              *checked);

  const auto converted = fresh();
  CLI::App* verb = add_verb(*trace, "convert", "Write in another form", converted, code, convert);
  add_output_options(*verb, converted->format, converted->output);
  add_make_verb(*trace, code);

  const auto timed = fresh();
  verb = add_verb(*trace, "loggops", "Time on the LogGOPS model, a network without a topology",
                  timed, code, time_on_loggops);
  add_loggops_options(*verb, *timed);
  add_markers(*verb, *timed);
  verb->add_flag("--ranks", timed->ranks, "The end of every rank");
  verb->add_flag("--json", timed->json, "Machine-readable output");
}

}  // namespace ebb::cli
