// SPDX-License-Identifier: Apache-2.0
#include "ebb/repro/lab.hpp"

#include "ebb/config/simulation.hpp"
#include "ebb/netsim/experiment.hpp"

#include <utility>

namespace ebb::repro {

Result<const netsim::Report*> Lab::simulate(std::string_view file,
                                            const std::vector<std::string>& settings) {
  const auto read = config::read_sim_text(file, "experiment", parts_, settings);
  if (!read) return fail(read.error());
  seeds_.insert(read->spec.seed);
  const std::string key = config::resolved_text(read->spec);
  const auto known = reports_.find(key);
  if (known != reports_.end()) return &known->second;
  const auto simulation = config::prepare(*read, parts_);
  if (!simulation) return fail(simulation.error());
  return &reports_.emplace(key, netsim::run(simulation->experiment())).first->second;
}

std::set<std::uint64_t> Lab::take_seeds() { return std::exchange(seeds_, {}); }

}  // namespace ebb::repro
