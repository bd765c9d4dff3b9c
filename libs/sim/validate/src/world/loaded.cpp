// SPDX-License-Identifier: Apache-2.0
#include "world/loaded.hpp"

#include "ebb/policy/registry.hpp"
#include "ebb/units/text.hpp"

#include <utility>

namespace ebb::validate {

netsim::Report run_loaded(const World& world, const netsim::Hardware& hardware, const Load& load,
                          Accounts& accounts) {
  const auto injection =
      traffic::make_injection("poisson", world.host_rate(),
                              {{"load", load.load}, {"size", to_text(hardware.packet)}})
          .value();
  const traffic::IndependentHosts workload(load.pattern, *injection, world.graph().host_count());
  const auto policy = policy::make_policy("always-on", {}).value();
  netsim::Schedule schedule;
  schedule.warm_up = load.warm_up;
  schedule.measure = load.measure;
  netsim::Report report = netsim::run({world.graph(), world.routing(), workload, *policy.policy,
                                       world.models(), kSwitchCore, hardware, schedule, load.seed});
  accounts.add(report.ledger);
  return report;
}

double accepted(const netsim::Report& report, const World& world, const Load& load) {
  if (report.stall) return 0;
  return netsim::load(report, report.delivered, world.host_rate(), load.senders);
}

std::unique_ptr<traffic::Pattern> uniform(const World& world) {
  return traffic::make_pattern("uniform", {.hosts = world.graph().host_count()}, {}, 1).value();
}

}  // namespace ebb::validate
