// SPDX-License-Identifier: Apache-2.0
//
// Figure 9(a): latency and power over the target utilisation of paired channels.
#include "isca_curves.hpp"
#include "isca_network.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace ebb::repro {
namespace {

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

Result<Measurements> measure_targets(Lab& lab) {
  std::vector<std::vector<std::string>> settings = {{kAlwaysOn}};
  for (const Abscissa& target : kTargets) settings.push_back({with_target(target)});
  const auto all = isca_runs(lab, settings);
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

}  // namespace

std::vector<Experiment> experiments_in_isca_target() {
  return {{"A11", measure_targets, Cost::lengthy, draw_figure_9a}};
}

}  // namespace ebb::repro
