// SPDX-License-Identifier: Apache-2.0
//
// "Energy Proportional Datacenter Networks" (ISCA 2010): Figure 9, the sensitivity to the target
// and to the time of a change.
#include "isca.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ebb::repro::isca_sensitivity {
namespace {

// Figure 9(a): latency and power over the target utilisation of paired channels.

const std::vector<Abscissa> kTargets = {{25, "25"}, {50, "50"}, {75, "75"}};

std::string with_target(const Abscissa& target) {
  return "policy={name: epoch, channels: paired, target: " + target.name + "%}";
}

void add_claims(const IscaWorkload& workload, Measurements& measured) {
  const auto of = [&](const std::string& what, const Abscissa& target) {
    return value_of(measured, what + workload.name + "_" + target.name);
  };
  const double growth = of("added_", kTargets.back()) / of("added_", kTargets.front());
  std::vector<double> powers;
  powers.reserve(kTargets.size());
  for (const Abscissa& target : kTargets) powers.push_back(of("power_", target));
  const auto [least, most] = std::minmax_element(powers.begin(), powers.end());
  const double spread = *most - *least;
  measured.emplace_back("growth_" + workload.name, growth);
  measured.emplace_back("spread_" + workload.name, spread);
}

Result<Measurements> measure_targets(RunCache& cache) {
  std::vector<std::vector<std::string>> settings = {{kAlwaysOn}};
  for (const Abscissa& target : kTargets) settings.push_back({with_target(target)});
  const auto all = isca_runs(cache, settings);
  if (!all) return fail(all.error());
  Measurements measured;
  for (const auto& [workload, runs] : *all) {
    for (std::size_t i = 0; i < kTargets.size(); ++i) {
      const results::Summary& run = *runs[i + 1];
      const std::string end = workload.name + "_" + kTargets[i].name;
      measured.emplace_back("added_" + end, added_us(run, *runs[0]));
      measured.emplace_back("power_" + end, 100 * relative_power(run.report));
    }
    add_claims(workload, measured);
  }
  return measured;
}

std::vector<plots::Figure> draw_figure_9a(const Row&, const Measurements& measured) {
  const plots::Axis target{"target utilisation", "%"};
  plots::Figure latency{.name = "figure-9a",
                        .title = "Figure 9(a): mean latency added, paired channels",
                        .x = target,
                        .y = {"added mean latency of messages", "us"}};
  latency.levels = {{"published at 50 %: at least", 10}, {"published at 50 %: at most", 50}};
  plots::Figure power{.name = "figure-9a-power",
                      .title = "To Figure 9(a): power of ideal channels, paired",
                      .x = target,
                      .y = {"power of always-on", "%"}};
  return {with_curves(latency, "added_", kTargets, measured),
          with_curves(power, "power_", kTargets, measured)};
}

// Figure 9(b): latency and power over the time that a change of rate takes, paired channels, epoch
// ten times that.

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

Result<Measurements> measure_times(RunCache& cache) {
  const auto summaries = cache.simulate(runs_of_all());
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

std::vector<Experiment> experiments() {
  return {{"A11", measure_targets, Cost::lengthy, draw_figure_9a},
          {"A12", measure_times, Cost::lengthy, draw_figure_9b}};
}

}  // namespace ebb::repro::isca_sensitivity
