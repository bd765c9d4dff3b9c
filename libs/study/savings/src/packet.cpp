// SPDX-License-Identifier: Apache-2.0
#include "packet.hpp"

#include "ebb/config/simulation.hpp"
#include "ebb/config/standalone_workload.hpp"
#include "ebb/netsim/experiment.hpp"
#include "ebb/netsim/report.hpp"
#include "ebb/routing/scheme.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace ebb::savings {
namespace {

constexpr Duration kShort = std::chrono::microseconds(200);

// A scheme made for the family, or one for any graph.
Result<std::string> routing_for(const std::string& family) {
  const auto schemes = routing::schemes();
  const auto own = std::find_if(schemes.begin(), schemes.end(), [&](const routing::Scheme& scheme) {
    return !scheme.families.empty() && scheme.supports(family);
  });
  if (own != schemes.end()) return own->name;
  const auto any = std::find_if(schemes.begin(), schemes.end(), [&](const routing::Scheme& scheme) {
    return scheme.supports(family);
  });
  if (any != schemes.end()) return any->name;
  return fail(fmt::format("no routing knows the family '{}'", family));
}

// Text of the user's own, so that nothing in it is YAML.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

std::string pairs(const ParameterTexts& parameters) {
  std::string text;
  for (const auto& [key, value] : parameters)
    text += fmt::format(", {}: {}", quoted(key), quoted(value));
  return text;
}

// A workload by its name, else an injection with uniform destinations.
std::string traffic_text(const Named& workload, bool is_injection) {
  if (!is_injection)
    return fmt::format("{{workload: {}{}}}", quoted(workload.name), pairs(workload.parameters));
  return fmt::format("{{pattern: uniform, injection: {{name: {}{}}}}}", quoted(workload.name),
                     pairs(workload.parameters));
}

// Whether hosts send by an injection, and the name with all parameters. Refuses unknown names.
struct Traffic {
  std::string name;
  bool is_injection = false;
};

Result<Traffic> traffic_of(const Question& question, const plan::Inputs& inputs) {
  const auto made = config::named_workload(question.workload.name, question.workload.parameters, 64,
                                           inputs.rate, question.seed);
  if (!made) return fail(made.error());
  return Traffic{made->name, made->injection != nullptr};
}

}  // namespace

Result<std::string> simulation_text(const Question& question, const plan::Design& design,
                                    const plan::Inputs& inputs) {
  const auto routing = routing_for(design.candidate.family);
  if (!routing) return fail(routing.error());
  const auto traffic = traffic_of(question, inputs);
  if (!traffic) return fail(traffic.error());
  const std::string rate_table =
      inputs.parts.rate_table ? ", rate_table: " + quoted(*inputs.parts.rate_table) : "";
  const std::string time = ebb::to_text(question.time.value_or(kShort));
  return fmt::format(
      "schema_version: 1\n"
      "topology: {{family: {}{}}}\n"
      "routing: {}\n"
      "traffic: {}\n"
      "policy: {{name: {}{}}}\n"
      "parts: {{switch: {}{}}}\n"
      "schedule: {{warm_up: {}, measure: {}, tail_limit: 0s}}\n"
      "seed: {}\n",
      design.candidate.family, pairs(design.candidate.parameters), *routing,
      traffic_text(question.workload, traffic->is_injection), quoted(question.policy.name),
      pairs(question.policy.parameters), quoted(inputs.parts.switch_part), rate_table, time, time,
      question.seed);
}

Result<LinkSaving> simulated_saving(const Question& question, const plan::Design& design,
                                    const plan::Inputs& inputs, const power::Library& library) {
  const auto text = simulation_text(question, design, inputs);
  if (!text) return fail(text.error());
  const auto file = config::read_sim_text(*text, "simulation of " + design.candidate.name, library);
  if (!file) return fail(file.error());
  const auto simulation = config::prepare(*file, library);
  if (!simulation) return fail(simulation.error());
  netsim::Experiment experiment = simulation->experiment();
  experiment.threads = question.threads;
  const netsim::Report report = netsim::run(experiment);
  if (report.stall || report.always_on == Energy{})
    return fail(fmt::format("the simulated network stalled: {}", design.candidate.name));
  const Energy channels = netsim::channel_energy(report.ledger);
  LinkSaving saving{.basis = Basis::packet, .workload = traffic_of(question, inputs)->name};
  saving.load =
      netsim::load(report, report.offered, simulation->host_rate, simulation->sending_hosts);
  saving.saved = 1 - to_joules(channels) / to_joules(report.always_on);
  saving.saturated = netsim::saturated(report);
  return saving;
}

}  // namespace ebb::savings
