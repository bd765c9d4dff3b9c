// SPDX-License-Identifier: Apache-2.0
//
// The network of Section 4 of "Energy Proportional Datacenter Networks": a 15-ary 3-flat with
// 3,375 hosts. Epoch 10 us, target 50 %, 1 us to change a rate. What the paper leaves open is at
// ebb's defaults: 2 KiB packets, 64 KiB of input buffer per virtual channel, 100 ns per switch,
// 50 ns per link.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/netsim/report.hpp"
#include "ebb/power/library.hpp"

#include <string>
#include <vector>

namespace ebb::repro {

inline const std::string kPaired = "policy={name: epoch, channels: paired}";
inline const std::string kIndependent = "policy={name: epoch, channels: independent}";

// Every host repeatedly sends 512 KiB to a random other host, with Poisson arrivals; the run offers
// 23 % of the host bandwidth, the average utilisation that the paper states. Always on, unless
// `settings` of the simulation file say otherwise.
[[nodiscard]] Result<netsim::Report> run_uniform(const power::Library& parts,
                                                 const std::vector<std::string>& settings);

// ebb's stand-in for the trace of that name, "search" or "advert". The time is fixed: jobs last up
// to tens of milliseconds, and all policies are to meet the same messages.
[[nodiscard]] Result<netsim::Report> run_service(const power::Library& parts,
                                                 const std::string& name,
                                                 std::vector<std::string> settings);

}  // namespace ebb::repro
