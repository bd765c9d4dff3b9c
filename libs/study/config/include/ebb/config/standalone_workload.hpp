// SPDX-License-Identifier: Apache-2.0
//
// A workload without a network: that of a simulation, or one that is made from a name of
// `ebb list`. `ebb traffic` and `ebb breakeven` look at its messages without simulating anything.
//
//   const auto made = named_workload("poisson", {{"load", "23%"}}, 64, gigabits_per_second(40), 1);
//   traffic::every_message(*made->workload, made->seed, until);
#pragma once

#include "ebb/config/simulation.hpp"
#include "ebb/core/result.hpp"
#include "ebb/traffic/workload.hpp"
#include "ebb/units/parameters.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace ebb::config {

// Owns what the workload refers to.
struct StandaloneWorkload {
  std::string name;  // with every parameter
  std::uint32_t hosts = 0;
  DataRate host_rate;
  std::uint64_t seed = 1;
  std::unique_ptr<const traffic::Pattern> pattern;
  std::unique_ptr<const traffic::Injection> injection;
  std::unique_ptr<const traffic::Workload> workload;
};

// Takes the workload out of the simulation, which cannot run afterwards.
[[nodiscard]] StandaloneWorkload workload_of(Simulation simulation);

// `name` is a workload or an injection. An injection comes with the pattern uniform: how bursty
// hosts send does not depend on the pattern.
[[nodiscard]] Result<StandaloneWorkload> named_workload(const std::string& name,
                                                        const ParameterTexts& parameters,
                                                        std::uint32_t hosts, DataRate host_rate,
                                                        std::uint64_t seed);

}  // namespace ebb::config
