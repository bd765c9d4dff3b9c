// SPDX-License-Identifier: Apache-2.0
#include "ebb/config/standalone_workload.hpp"

#include "ebb/core/names.hpp"
#include "ebb/traffic/host_source.hpp"
#include "ebb/traffic/workload_kind.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace ebb::config {
namespace {

std::string with_parameters(const std::string& name, const ParameterTexts& parameters) {
  std::string text = name;
  for (const auto& [key, value] : parameters) text += fmt::format(" {}={}", key, value);
  return text;
}

std::string workload_name(const SimSpec& spec) {
  if (!spec.messages.text.empty()) return "a list of messages";
  if (!spec.workload.name.empty())
    return with_parameters(spec.workload.name, spec.workload.parameters);
  return with_parameters(spec.pattern.name, spec.pattern.parameters) + ", " +
         with_parameters(spec.injection.name, spec.injection.parameters);
}

Result<void> make_from(const traffic::InjectionKind& kind, const ParameterTexts& parameters,
                       StandaloneWorkload& made) {
  auto pattern = traffic::make_pattern("uniform", {.hosts = made.hosts}, {}, made.seed);
  auto injection = traffic::make_injection(kind.name, made.host_rate, parameters);
  if (!pattern) return fail(pattern.error());
  if (!injection) return fail(injection.error());
  made.pattern = std::move(*pattern);
  made.injection = std::move(*injection);
  made.workload =
      std::make_unique<traffic::IndependentHosts>(*made.pattern, *made.injection, made.hosts);
  made.name = "uniform, " +
              with_parameters(kind.name, Parameters::resolve(kind.parameters, parameters)->texts());
  return {};
}

Result<void> make_from(const traffic::WorkloadKind& kind, const ParameterTexts& parameters,
                       StandaloneWorkload& made) {
  auto workload =
      traffic::make_workload(kind.name, {.hosts = made.hosts}, made.host_rate, parameters);
  if (!workload) return fail(workload.error());
  made.workload = std::move(*workload);
  made.name = with_parameters(kind.name, Parameters::resolve(kind.parameters, parameters)->texts());
  return {};
}

Result<void> make_named(const std::string& name, const ParameterTexts& parameters,
                        StandaloneWorkload& made) {
  std::vector<std::string> names;
  for (const traffic::WorkloadKind& kind : traffic::workload_kinds()) {
    if (kind.name == name) return make_from(kind, parameters, made);
    names.push_back(kind.name);
  }
  for (const traffic::InjectionKind& kind : traffic::injection_kinds()) {
    if (kind.name == name) return make_from(kind, parameters, made);
    names.push_back(kind.name);
  }
  return fail(unknown_name("workload or injection", name, names));
}

}  // namespace

StandaloneWorkload workload_of(Simulation simulation) {
  return {.name = workload_name(simulation.spec),
          .hosts = simulation.graph->hosts_of_plane(),
          .host_rate = simulation.host_rate,
          .seed = simulation.spec.seed,
          .pattern = std::move(simulation.pattern),
          .injection = std::move(simulation.injection),
          .workload = std::move(simulation.workload)};
}

Result<StandaloneWorkload> named_workload(const std::string& name, const ParameterTexts& parameters,
                                          std::uint32_t hosts, DataRate host_rate,
                                          std::uint64_t seed) {
  StandaloneWorkload made{.hosts = hosts, .host_rate = host_rate, .seed = seed};
  if (auto done = make_named(name, parameters, made); !done) return fail(done.error());
  return made;
}

}  // namespace ebb::config
