// SPDX-License-Identifier: Apache-2.0
//
// The network of Section 4 of "Energy Proportional Datacenter Networks", a 15-ary 3-flat with 3,375
// hosts, under its three workloads. Epoch 10 us, target 50 %, 1 us to change a rate. What the paper
// leaves open is at ebb's defaults: 2 KiB packets, 64 KiB of input buffer per virtual channel,
// 100 ns per switch, 50 ns per link.
#pragma once

#include "beside_published.hpp"

#include "ebb/plan/design.hpp"
#include "ebb/repro/run_cache.hpp"

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
    RunCache& cache, const std::vector<std::vector<std::string>>& settings);

// Mean latency of messages, from creation to the last bit.
[[nodiscard]] double added_us(const results::Summary& slowed, const results::Summary& fast);

// The two networks of Table 1 of "Energy Proportional Datacenter Networks" as designs of a plan.

// Conditions of section 2.2: 32k hosts, 40 Gb/s, 36-port chips of 100 W, NICs of 10 W, $0.07/kWh,
// PUE 1.6, four years.
[[nodiscard]] plan::Inputs isca_inputs();

[[nodiscard]] Result<plan::Design> isca_fbfly(const power::Library& parts);
[[nodiscard]] Result<plan::Design> isca_clos(const power::Library& parts);

// Figures with a curve for each of the workloads of "Energy Proportional Datacenter Networks".

struct Abscissa {
  double x = 0;
  std::string name;  // at the end of the names of measurements
};

// Adds the curves to a figure that has its title and axes. Measurements are called
// <what><workload>_<name of the abscissa>.
[[nodiscard]] plots::Figure with_curves(plots::Figure frame, const std::string& what,
                                        const std::vector<Abscissa>& abscissae,
                                        const Measurements& measured);

}  // namespace ebb::repro
