// SPDX-License-Identifier: Apache-2.0
#include "traffic/subject.hpp"

#include "command_line/data_folder.hpp"
#include "command_line/name_and_parameters.hpp"

#include "ebb/core/suggest.hpp"
#include "ebb/traffic/independent_hosts.hpp"
#include "ebb/traffic/workload_kind.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace ebb::cli {
namespace {

constexpr std::int64_t kMostHosts = 10'000'000;

// Options as a table of parameters: the same messages for the same mistakes.
Result<Parameters> resolved(const TrafficOptions& options) {
  const std::vector<Parameter> table = {
      {"hosts", Range<std::int64_t>{2, kMostHosts}, "1024", "number of hosts"},
      {"time", Range<Duration>{Duration(1), std::chrono::hours(1)}, "10ms", "how long"},
      {"seed", Range<std::int64_t>{0, std::numeric_limits<std::int64_t>::max()}, "1", "of chance"}};
  ParameterTexts given = {{"time", options.time}};
  if (!options.hosts.empty()) given.emplace_back("hosts", options.hosts);
  if (!options.seed.empty()) given.emplace_back("seed", options.seed);
  return Parameters::resolve(table, given);
}

std::string text_of(const std::string& name, const ParameterTexts& parameters) {
  std::string text = name;
  for (const auto& [key, value] : parameters) text += fmt::format(" {}={}", key, value);
  return text;
}

std::string text_of(const config::SimSpec& spec) {
  if (!spec.workload.name.empty()) return text_of(spec.workload.name, spec.workload.parameters);
  return text_of(spec.pattern.name, spec.pattern.parameters) + ", " +
         text_of(spec.injection.name, spec.injection.parameters);
}

Result<TrafficSubject> of_file(const TrafficOptions& options) {
  if (!options.hosts.empty() || !options.rate.empty() || !options.seed.empty())
    return fail("--hosts, --rate and --seed are for a NAME; a file says its own (see --set)");
  const auto parts = load_parts(options.part_files);
  if (!parts) return fail(parts.error());
  const auto file = config::read_sim(options.what[0], *parts, options.settings);
  if (!file) return fail(file.error());
  auto simulation = config::prepare(*file, *parts);
  if (!simulation) return fail(simulation.error());
  return TrafficSubject{.name = text_of(simulation->spec),
                        .hosts = simulation->graph->host_count(),
                        .host_rate = simulation->host_rate,
                        .seed = simulation->spec.seed,
                        .pattern = std::move(simulation->pattern),
                        .injection = std::move(simulation->injection),
                        .workload = std::move(simulation->workload)};
}

// An injection comes with the pattern uniform: how bursty hosts send does not depend on it.
Result<void> make_injected(const ParameterTexts& parameters, const traffic::InjectionKind& kind,
                           TrafficSubject& subject) {
  auto pattern = traffic::make_pattern("uniform", {.hosts = subject.hosts}, {}, subject.seed);
  auto injection = traffic::make_injection(kind.name, subject.host_rate, parameters);
  if (!pattern) return fail(pattern.error());
  if (!injection) return fail(injection.error());
  subject.pattern = std::move(*pattern);
  subject.injection = std::move(*injection);
  subject.workload = std::make_unique<traffic::IndependentHosts>(*subject.pattern,
                                                                 *subject.injection, subject.hosts);
  subject.name =
      "uniform, " + text_of(kind.name, Parameters::resolve(kind.parameters, parameters)->texts());
  return {};
}

Result<void> make_named(const ParameterTexts& parameters, const traffic::WorkloadKind& kind,
                        TrafficSubject& subject) {
  auto workload =
      traffic::make_workload(kind.name, {.hosts = subject.hosts}, subject.host_rate, parameters);
  if (!workload) return fail(workload.error());
  subject.workload = std::move(*workload);
  subject.name = text_of(kind.name, Parameters::resolve(kind.parameters, parameters)->texts());
  return {};
}

Result<void> make(const std::string& name, const ParameterTexts& parameters,
                  TrafficSubject& subject) {
  std::vector<std::string> names;
  for (const traffic::WorkloadKind& kind : traffic::workload_kinds()) {
    if (kind.name == name) return make_named(parameters, kind, subject);
    names.push_back(kind.name);
  }
  for (const traffic::InjectionKind& kind : traffic::injection_kinds()) {
    if (kind.name == name) return make_injected(parameters, kind, subject);
    names.push_back(kind.name);
  }
  return fail(unknown_name("workload or injection", name, names));
}

Result<TrafficSubject> of_name(const TrafficOptions& options) {
  if (!options.settings.empty())
    return fail("--set is for a file; give the parameters of a NAME as key=value");
  const auto parameters = parameters_after_name(options.what);
  if (!parameters) return fail(parameters.error());
  const auto rate = parse<DataRate>(options.rate.empty() ? "40Gb/s" : options.rate);
  if (!rate) return fail("--rate: " + rate.error().front().message);
  const auto values = resolved(options);
  if (!values) return fail(values.error());
  TrafficSubject subject{.hosts = static_cast<std::uint32_t>(values->integer("hosts")),
                         .host_rate = *rate,
                         .seed = static_cast<std::uint64_t>(values->integer("seed"))};
  if (auto made = make(options.what[0], *parameters, subject); !made) return fail(made.error());
  return subject;
}

}  // namespace

Result<TrafficSubject> load_subject(const TrafficOptions& options) {
  const auto values = resolved(options);
  if (!values) return fail(values.error());
  auto subject = names_a_file(options.what) ? of_file(options) : of_name(options);
  if (subject) subject->until = TimePoint(values->duration("time"));
  return subject;
}

}  // namespace ebb::cli
