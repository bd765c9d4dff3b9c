// SPDX-License-Identifier: Apache-2.0
#include "packet.hpp"

#include "ebb/config/simulation.hpp"
#include "ebb/config/standalone_workload.hpp"
#include "ebb/netsim/experiment.hpp"
#include "ebb/netsim/report.hpp"
#include "ebb/routing/scheme.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace ebb::savings {
namespace {

constexpr Duration kShort = std::chrono::microseconds(200);
constexpr std::uint32_t kAnyHosts = 64;  // of a workload that is made for its name and kind alone

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

// Measured for as long as its messages need at least: what is simulated may be shorter.
config::SimSpec spec_of(const Question& question, const plan::Design& design,
                        const plan::LinkModel& links, const plan::Inputs& inputs) {
  config::SimSpec spec;
  spec.topology.family = design.candidate.family;
  spec.topology.parameters = design.candidate.parameters;
  for (const power::RateTableEntry& step : links.rate_table->steps)
    spec.topology.rates.push_back(step.rate);
  spec.policy = question.policy;
  spec.switch_part = inputs.parts.switch_part;
  spec.rate_table = links.rate_table_name;
  const Duration time = question.time.value_or(kShort);
  spec.schedule = {
      .warm_up = time, .warm_up_limit = time, .measure = time, .tail_limit = Duration{}};
  spec.automatic = {.warm_up_limit = false, .measure = true, .tail_limit = false};
  spec.seed = question.seed;
  return spec;
}

}  // namespace

Result<LinkSaving> simulated_saving(const Question& question, const plan::Design& design,
                                    const plan::LinkModel& links, const plan::Inputs& inputs,
                                    const power::Library& library) {
  const auto routing = routing_for(design.candidate.family);
  if (!routing) return fail(routing.error());
  const auto traffic = config::named_workload(question.workload.name, question.workload.parameters,
                                              kAnyHosts, inputs.rate, question.seed);
  if (!traffic) return fail(traffic.error());
  config::SimSpec spec = spec_of(question, design, links, inputs);
  spec.routing = *routing;
  if (traffic->injection) {
    spec.pattern.name = "uniform";
    spec.injection = question.workload;
  } else {
    spec.workload = question.workload;
  }
  auto simulation = config::prepare(spec, library);
  if (!simulation) return fail(simulation.error());
  const Duration needed = std::exchange(simulation->spec.schedule.measure, spec.schedule.measure);
  netsim::Experiment experiment = simulation->experiment();
  experiment.threads = question.threads.value_or(1);
  const netsim::Report report = netsim::run(experiment);
  if (report.stall || report.always_on == Energy{})
    return fail(fmt::format("the simulated network stalled: {}", design.candidate.name));
  const Energy channels = netsim::channel_energy(report.ledger);
  LinkSaving saving{.basis = Basis::packet, .workload = traffic->name};
  saving.rate_table = links.rate_table_name;
  saving.load =
      netsim::load(report, report.offered, simulation->host_rate, simulation->sending_hosts);
  saving.saved = 1 - to_joules(channels) / to_joules(report.always_on);
  if (needed > spec.schedule.measure || too_short(report))
    saving.needed = std::max(needed, least_measure(report));
  saving.saturated = netsim::saturated(report);
  return saving;
}

}  // namespace ebb::savings
