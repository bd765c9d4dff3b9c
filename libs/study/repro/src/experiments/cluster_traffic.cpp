// SPDX-License-Identifier: Apache-2.0
//
// The cluster of Kim et al. under other traffic and in other technologies: Figures 9 and 11, and
// gated buffers.
#include "beside_published.hpp"
#include "cluster_network.hpp"

#include <string>
#include <vector>

namespace ebb::repro::cluster_traffic {
namespace {

// Figure 9: bursts and hot spots on the irregular network, and the 8 x 8 mesh.

const std::vector<double> kBurstLoads = {10, 20, 30, 40};
const std::vector<double> kMeshLoads = {2.5, 5, 10, 15};
constexpr double kLowLoad = 5;

// Cases 3 to 6: all with adaptive routing.
std::vector<ClusterCase> bursty_cases() {
  std::vector<ClusterCase> cases(figure_7_cases().begin() + 2, figure_7_cases().end());
  for (ClusterCase& one : cases) {
    one.settings.emplace_back("traffic.pattern={name: hotspot, fraction: 5%, hot: 1}");
    one.settings.emplace_back("traffic.injection={name: on-off, load: 20%, size: 1KiB, peak: 80%}");
  }
  return cases;
}

// Without DVS and DLS, with the one and with the other.
std::vector<ClusterCase> mesh_cases() {
  const auto& all = figure_7_cases();
  std::vector<ClusterCase> cases = {all[2], all[4], all[3]};
  for (ClusterCase& one : cases) one.settings.emplace_back("routing=up-down-nonminimal");
  return cases;
}

void add_claims(Measurements& measured) {
  const auto change = [&](const std::string& what) {
    const double with = value_of(measured, what + at_load("dls", kLowLoad));
    const double without = value_of(measured, what + at_load("adaptive", kLowLoad));
    return 100 * (with / without - 1);
  };
  measured.emplace_back("saved", -change("mesh_energy_"));
  measured.emplace_back("added", change("mesh_latency_"));
}

Result<Measurements> measure_bursts_and_mesh(RunCache& cache) {
  const auto mesh = run_cluster(cache, on_mesh, mesh_cases(), kMeshLoads);
  if (!mesh) return fail(mesh.error());
  const auto bursts = run_cluster(cache, on_irregular, bursty_cases(), kBurstLoads);
  if (!bursts) return fail(bursts.error());
  Measurements of_mesh;
  add_latency_and_energy(*mesh, of_mesh);
  Measurements measured;
  add_latency_and_energy(*bursts, measured);
  for (const auto& [name, value] : of_mesh) measured.emplace_back("mesh_" + name, value);
  add_claims(measured);
  return measured;
}

std::vector<plots::Figure> draw_figure_9(const Row&, const Measurements& measured) {
  return {over_load({.name = "figure-9a",
                     .title = "Figure 9(a): latency with bursts and a hot spot",
                     .y = {"latency", "us", true}},
                    "latency_", bursty_cases(), kBurstLoads, measured),
          over_load({.name = "figure-9b",
                     .title = "Figure 9(b): energy per packet with bursts and a hot spot",
                     .y = {"energy per packet", "uJ"}},
                    "energy_", bursty_cases(), kBurstLoads, measured),
          over_load({.name = "figure-9c",
                     .title = "Figure 9(c): energy per packet on the 8 x 8 mesh",
                     .y = {"energy per packet", "uJ"}},
                    "mesh_energy_", mesh_cases(), kMeshLoads, measured),
          over_load({.name = "figure-9c-latency",
                     .title = "Figure 9(c): latency on the 8 x 8 mesh",
                     .y = {"latency", "us"}},
                    "mesh_latency_", mesh_cases(), kMeshLoads, measured)};
}

// What links and switches take in two technologies, and buffers that are gated; Figure 11.

const std::vector<double> kLoads = {20, 30, 40, 50, 60};
// Figure 11 scales the technology of links that have several frequencies.
const std::string kScaledAt70nm =
    "parts={switch: kim-70nm-switch, rate_table: kim-dvs-link, components: kim-70nm}";

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

Result<Measurements> measure_shares(RunCache& cache) {
  const auto base = run_cluster(cache, on_irregular, {figure_7_cases()[0]}, {20});
  if (!base) return fail(base.error());
  const auto small = run_cluster(cache, on_mesh, {{"packet", "", {kAt70nm}}}, {10});
  if (!small) return fail(small.error());
  const auto technologies = run_cluster(cache, on_irregular, technology_cases(), kLoads);
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
Result<double> saved_by_gating(RunCache& cache, double load) {
  const auto runs = run_cluster(cache, on_mesh,
                                {{"on", "", {kAt70nm}}, {"gated", "", {kAt70nm, kGated}}}, {load});
  if (!runs) return fail(runs.error());
  const double on = component_joules(runs->of(0, 0), "buffers");
  return 100 * (1 - component_joules(runs->of(1, 0), "buffers") / on);
}

Result<Measurements> measure_gating(RunCache& cache) {
  Measurements measured;
  for (const auto& [name, load] : {std::pair{"low", 5.0}, std::pair{"empty", 0.1}}) {
    const auto saved = saved_by_gating(cache, load);
    if (!saved) return fail(saved.error());
    measured.emplace_back(name, *saved);
  }
  return measured;
}

}  // namespace

std::vector<Experiment> experiments() {
  return {{"C4", measure_bursts_and_mesh, Cost::simulated, draw_figure_9},
          {"C5", measure_shares, Cost::simulated, draw_figure_11},
          {"C6", measure_gating, Cost::simulated, nullptr}};
}

}  // namespace ebb::repro::cluster_traffic
