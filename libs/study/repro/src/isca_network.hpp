// SPDX-License-Identifier: Apache-2.0
//
// The network of Section 4 of "Energy Proportional Datacenter Networks", a 15-ary 3-flat with 3,375
// hosts, under its three workloads. Epoch 10 us, target 50 %, 1 us to change a rate. What the paper
// leaves open is at ebb's defaults: 2 KiB packets, 64 KiB of input buffer per virtual channel,
// 100 ns per switch, 50 ns per link.
#pragma once

#include "ebb/repro/lab.hpp"

#include <string>
#include <vector>

namespace ebb::repro {

struct IscaWorkload {
  std::string name;  // in measurements
  std::string label;
};
// In the order of the paper's figures.
[[nodiscard]] const std::vector<IscaWorkload>& isca_workloads();

inline const std::string kAlwaysOn = "policy=always-on";
inline const std::string kPaired = "policy={name: epoch, channels: paired}";
inline const std::string kIndependent = "policy={name: epoch, channels: independent}";

// "uniform": every host repeatedly sends 512 KiB to a random other host, with Poisson arrivals, at
// 23 % of the host bandwidth, the average utilisation that the paper states.
// "search", "advert": ebb's stand-ins for the traces (docs/models/workloads.md). The time is fixed:
// jobs last up to tens of milliseconds, and all policies are to meet the same messages.
[[nodiscard]] Run isca_run(const std::string& workload, std::vector<std::string> settings);

struct OfWorkload {
  IscaWorkload workload;
  std::vector<const results::Summary*> runs;
};
// Of each workload a run for each of the settings, in that order.
[[nodiscard]] Result<std::vector<OfWorkload>> isca_runs(
    Lab& lab, const std::vector<std::vector<std::string>>& settings);

// Mean latency of messages, from birth to the last bit.
[[nodiscard]] double added_us(const results::Summary& slowed, const results::Summary& fast);

}  // namespace ebb::repro
