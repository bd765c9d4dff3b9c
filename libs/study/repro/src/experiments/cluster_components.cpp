// SPDX-License-Identifier: Apache-2.0
//
// What links and switches take in two technologies, and buffers that are gated; Figure 11.
#include "beside_published.hpp"
#include "cluster_network.hpp"

#include <string>
#include <vector>

namespace ebb::repro {
namespace {

const std::vector<double> kLoads = {20, 30, 40, 50, 60};
// Figure 11 scales the technology of links that have several frequencies.
const std::string kScaledAt70nm =
    "parts={switch: kim-70nm-switch, ladder: kim-dvs-link, components: kim-70nm}";

std::vector<ClusterCase> technology_cases() {
  const ClusterCase& dls = figure_7_cases()[3];
  const ClusterCase& dvs = figure_7_cases()[4];
  std::vector<ClusterCase> cases = {dvs, dls, dvs, dls};
  cases[0].name = "dvs_180";
  cases[1].name = "dls_180";
  for (std::size_t i : {2U, 3U}) {
    cases[i].name += "_70";
    cases[i].settings.insert(cases[i].settings.end(), {kScaledAt70nm, kGated});
  }
  cases[2].name = "dvs_70";
  return cases;
}

Result<Measurements> measure_shares(Lab& lab) {
  const auto base = run_cluster(lab, on_irregular, {figure_7_cases()[0]}, {20});
  if (!base) return fail(base.error());
  const auto small = run_cluster(lab, on_mesh, {{"packet", "", {kAt70nm}}}, {10});
  if (!small) return fail(small.error());
  const auto technologies = run_cluster(lab, on_irregular, technology_cases(), kLoads);
  if (!technologies) return fail(technologies.error());
  Measurements measured;
  add_latency_and_energy(*technologies, measured);
  for (const double load : kLoads) {
    for (const char* nm : {"180", "70"}) {
      const auto energy = [&](const std::string& of) {
        return value_of(measured, "energy_" + at_load(of + nm, load));
      };
      measured.emplace_back(at_load(std::string("ratio_") + nm, load),
                            energy("dls_") / energy("dvs_"));
    }
  }
  measured.emplace_back("links_180", 100 * link_share(base->of(0, 0)));
  measured.emplace_back("links_70", 100 * link_share(small->of(0, 0)));
  return measured;
}

std::vector<plots::Figure> draw_figure_11(const Row&, const Measurements& measured) {
  plots::Figure figure{.name = "figure-11",
                       .title = "Figure 11: energy with DLS over that with DVS",
                       .y = {"DLS over DVS", ""}};
  figure.levels = {{"equal", 1}};
  const std::vector<ClusterCase> kCurves = {{"180", "180 nm", {}},
                                            {"70", "70 nm, gated buffers", {}}};
  return {over_load(figure, "ratio_", kCurves, kLoads, measured)};
}

// Energy of all buffers of the mesh at 70 nm, without and with gating.
Result<double> saved_by_gating(Lab& lab, double load) {
  const auto runs =
      run_cluster(lab, on_mesh, {{"on", "", {kAt70nm}}, {"gated", "", {kAt70nm, kGated}}}, {load});
  if (!runs) return fail(runs.error());
  const double on = component_joules(runs->of(0, 0), "buffers");
  return 100 * (1 - component_joules(runs->of(1, 0), "buffers") / on);
}

Result<Measurements> measure_gating(Lab& lab) {
  Measurements measured;
  for (const auto& [name, load] : {std::pair{"low", 5.0}, std::pair{"empty", 0.1}}) {
    const auto saved = saved_by_gating(lab, load);
    if (!saved) return fail(saved.error());
    measured.emplace_back(name, *saved);
  }
  return measured;
}

}  // namespace

std::vector<Experiment> experiments_in_cluster_components() {
  return {{"C5", measure_shares, Cost::simulated, draw_figure_11},
          {"C6", measure_gating, Cost::simulated, nullptr}};
}

}  // namespace ebb::repro
