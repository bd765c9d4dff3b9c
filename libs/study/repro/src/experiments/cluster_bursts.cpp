// SPDX-License-Identifier: Apache-2.0
//
// Figure 9: bursts and hot spots on the irregular network, and the 8 x 8 mesh.
#include "beside_published.hpp"
#include "cluster_network.hpp"

#include <string>
#include <vector>

namespace ebb::repro {
namespace {

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
  for (ClusterCase& one : cases) one.settings.emplace_back("routing=up-down-ways");
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

Result<Measurements> measure_bursts_and_mesh(Lab& lab) {
  const auto mesh = run_cluster(lab, on_mesh, mesh_cases(), kMeshLoads);
  if (!mesh) return fail(mesh.error());
  const auto bursts = run_cluster(lab, on_irregular, bursty_cases(), kBurstLoads);
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

}  // namespace

std::vector<Experiment> experiments_in_cluster_bursts() {
  return {{"C4", measure_bursts_and_mesh, Cost::simulated, draw_figure_9}};
}

}  // namespace ebb::repro
