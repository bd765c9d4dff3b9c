// SPDX-License-Identifier: Apache-2.0
//
// The network of Section 4 of "Energy Proportional Datacenter Networks", a 15-ary 3-flat with 3,375
// hosts, under its three workloads. Epoch 10 us, target 50 %, 1 us to change a rate. What the paper
// leaves open is at ebb's defaults: 2 KiB packets, 64 KiB of input buffer per virtual channel,
// 100 ns per switch, 50 ns per link. Always on, unless `settings` say otherwise.
#pragma once

#include "ebb/repro/lab.hpp"

#include <string>
#include <vector>

namespace ebb::repro {

inline const std::string kPaired = "policy={name: epoch, channels: paired}";
inline const std::string kIndependent = "policy={name: epoch, channels: independent}";

// Every host repeatedly sends 512 KiB to a random other host, with Poisson arrivals; the run offers
// 23 % of the host bandwidth, the average utilisation that the paper states.
[[nodiscard]] Result<const results::Summary*> simulate_uniform(
    Lab& lab, const std::vector<std::string>& settings);

// ebb's stand-in for a trace, "search" or "advert" (docs/models/workloads.md). The time is fixed:
// jobs last up to tens of milliseconds, and all policies are to meet the same messages.
[[nodiscard]] Result<const results::Summary*> simulate_service(Lab& lab, const std::string& name,
                                                               std::vector<std::string> settings);

}  // namespace ebb::repro
