// SPDX-License-Identifier: Apache-2.0
//
// What the evaluation comes to: the largest reduction of power, and its worth on the network of
// Table 1.
#include "isca_design.hpp"
#include "isca_network.hpp"

#include "ebb/plan/energy_cost.hpp"
#include "ebb/repro/experiment.hpp"

#include <algorithm>

namespace ebb::repro {
namespace {

constexpr double kPublishedReduction = 6.6;  // Section 4.2.2
constexpr double kReductionOfIntroduction = 6;

Result<Measurements> measure_headline(Lab& lab) {
  const auto all = isca_runs(lab, {{kIndependent}});
  if (!all) return fail(all.error());
  const auto design = isca_fbfly(lab.parts());
  if (!design) return fail(design.error());
  double reduction = 0;
  for (const OfWorkload& of : *all)
    reduction = std::max(reduction, 1 / relative_power(of.runs[0]->report));
  const double cost =
      to_dollars(plan::energy_cost(design->watts.idle, isca_inputs().tariff)) * 1e-6;
  const auto saved_by = [&](double times) { return cost * (1 - 1 / times); };
  return Measurements{{"reduction", reduction},
                      {"saved_published", saved_by(kPublishedReduction)},
                      {"saved_contribution", saved_by(kReductionOfIntroduction)},
                      {"saved", saved_by(reduction)}};
}

}  // namespace

std::vector<Experiment> experiments_in_isca_headline() {
  return {{"A14", measure_headline, Cost::simulated}};
}

}  // namespace ebb::repro
