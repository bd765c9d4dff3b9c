// SPDX-License-Identifier: Apache-2.0
//
// From what a fabric file says to the controller of a simulated fabric. Whoever simulates fabric
// files passes it to the simulation that it prepares (config::PrepareControl).
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/netsim/experiment.hpp"
#include "ebb/policy/policy.hpp"
#include "ebb/power/library.hpp"
#include "ebb/topology/graph.hpp"

#include <string>

namespace ebb::simulated {

struct ControlSpec {
  std::string safety;       // the section, as text; empty: not in the file
  std::string switch_part;  // a box
  std::string setup;        // of its ports; empty: its first
};

// Reads the safety rules, checks that the policy can keep them, and makes tables and facts. Errors
// carry the key that they are about. The graph outlives what is made.
[[nodiscard]] Result<netsim::MakeControl> prepare_control(const ControlSpec& spec,
                                                          const topology::Graph& graph,
                                                          const policy::Made& policy,
                                                          const power::Library& parts);

}  // namespace ebb::simulated
