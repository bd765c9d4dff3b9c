// SPDX-License-Identifier: Apache-2.0
//
// Figure 9(b): latency and power over the time that a change of rate takes, paired channels, epoch
// ten times that.
#include "isca_curves.hpp"
#include "isca_network.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace ebb::repro {
namespace {

// The longest run first.
const std::vector<Abscissa> kTimes = {{100, "100us"}, {10, "10us"}, {1, "1us"}, {0.1, "100ns"}};

std::string epoch_of(const Abscissa& time) { return fmt::format("{:g}us", 10 * time.x); }

// Uniform goes on in the same way: 10 epochs to settle, of which four lead to the slowest rate, and
// 20 to measure; up to 10 us, the time that is found is longer. Traces are not the same in any two
// stretches: one that is long enough for the longest epoch, for every run and the baseline.
std::string schedule(const std::string& workload, const Abscissa& time) {
  if (workload != "uniform") return "schedule={warm_up: 10ms, measure: 20ms, tail_limit: 20ms}";
  if (time.x <= 1) return "schedule={measure: 1ms}";
  return fmt::format("schedule={{warm_up: {:g}us, measure: {:g}us, tail_limit: 20ms}}",
                     100 * time.x, 200 * time.x);
}

Run slowed(const std::string& workload, const Abscissa& time) {
  return isca_run(
      workload, {"parts.rate_change=" + time.name,
                 fmt::format("policy={{name: epoch, channels: paired, epoch: {}}}", epoch_of(time)),
                 schedule(workload, time)});
}

// The longest first; of each workload last the baseline.
std::vector<Run> runs_of_all() {
  std::vector<Run> runs;
  for (const IscaWorkload& workload : isca_workloads()) {
    for (const Abscissa& time : kTimes) runs.push_back(slowed(workload.name, time));
    runs.push_back(isca_run(workload.name, {kAlwaysOn, schedule(workload.name, kTimes.back())}));
  }
  return runs;
}

Result<Measurements> measure_times(Lab& lab) {
  const auto summaries = lab.simulate(runs_of_all());
  if (!summaries) return fail(summaries.error());
  Measurements measured;
  auto next = summaries->begin();
  for (const IscaWorkload& workload : isca_workloads()) {
    const results::Summary& fast = *next[static_cast<std::ptrdiff_t>(kTimes.size())];
    for (const Abscissa& time : kTimes) {
      const results::Summary& run = **next++;
      const std::string end = workload.name + "_" + time.name;
      measured.emplace_back("added_" + end, added_us(run, fast) * 1e-3);
      measured.emplace_back("power_" + end, 100 * relative_power(run.report));
      measured.emplace_back("saturated_" + end, saturated(run.report) ? 1 : 0);
    }
    ++next;
    const double lost = value_of(measured, "power_" + workload.name + "_100us") -
                        value_of(measured, "power_" + workload.name + "_1us");
    measured.emplace_back("lost_" + workload.name, lost);
  }
  return measured;
}

std::vector<plots::Figure> draw_figure_9b(const Row&, const Measurements& measured) {
  const plots::Axis reactivation{"time of a rate change", "us", true};
  plots::Figure latency{.name = "figure-9b",
                        .title = "Figure 9(b): mean latency added, paired channels",
                        .x = reactivation,
                        .y = {"added mean latency of messages", "ms", true}};
  latency.levels = {{"published at 10 us: approaches 1 ms", 1}};
  plots::Figure power{.name = "figure-9b-power",
                      .title = "To Figure 9(b): power of ideal channels, paired",
                      .x = reactivation,
                      .y = {"power of always-on", "%"}};
  power.levels = {{"published for Uniform at 100 us: no saving", 100}};
  return {with_curves(latency, "added_", kTimes, measured),
          with_curves(power, "power_", kTimes, measured)};
}

}  // namespace

std::vector<Experiment> experiments_in_isca_reactivation() {
  return {{"A12", measure_times, Cost::lengthy, draw_figure_9b}};
}

}  // namespace ebb::repro
