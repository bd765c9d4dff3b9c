// SPDX-License-Identifier: Apache-2.0
//
// The two networks of "A Holistic Approach to Designing Energy-Efficient Cluster Interconnects": 15
// switches wired at random, and an 8 x 8 mesh, of InfiniBand-like switches with links that are
// voltage-scaled (DVS) or shut down (DLS). The paper's tables of parameters are lost; what is
// chosen in their place stands in the files below and in the notes of the rows.
#pragma once

#include "ebb/repro/experiment.hpp"

#include <string>
#include <vector>

namespace ebb::repro {

// A way to run the network, as the paper's bars and curves are called.
struct ClusterCase {
  std::string name;   // in measurements
  std::string label;  // in figures
  std::vector<std::string> settings;
};

inline const std::string kScaled = "policy={name: dvs, window: 100us, low: 20%, high: 50%}";
inline const std::string kShutDown = "policy={name: shutdown, window: 500us, t_max: 20%}";
inline const std::string kAt70nm = "parts={switch: kim-70nm-switch, components: kim-70nm}";
inline const std::string kGated = "hardware.gated_buffers=true";

// The six of Figure 7, in its order.
[[nodiscard]] const std::vector<ClusterCase>& figure_7_cases();

[[nodiscard]] Run on_irregular(std::vector<std::string> settings);
[[nodiscard]] Run on_mesh(std::vector<std::string> settings);

[[nodiscard]] std::string cluster_load(double percent);
// Names of measurements: "base_20".
[[nodiscard]] std::string at_load(const std::string& name, double percent);

// Of links and switches, without network cards, for each packet that arrived.
[[nodiscard]] double microjoules_per_packet(const results::Summary& run);
// Of the same, what the links take.
[[nodiscard]] double link_share(const results::Summary& run);
// From the creation of a packet, so with the time that it waits in its network card.
[[nodiscard]] double mean_latency_us(const results::Summary& run);
[[nodiscard]] double component_joules(const results::Summary& run, const std::string& name);

// Curves over load of measurements called <what><case>_<load>.
[[nodiscard]] plots::Figure over_load(plots::Figure frame, const std::string& what,
                                      const std::vector<ClusterCase>& cases,
                                      const std::vector<double>& loads,
                                      const Measurements& measured);

// Runs every case at every load, and keeps latency_<case>_<load> and energy_<case>_<load>.
struct ClusterRuns {
  std::vector<ClusterCase> cases;
  std::vector<double> loads;                 // % of the host links
  std::vector<const results::Summary*> all;  // case by case

  [[nodiscard]] const results::Summary& of(std::size_t which, std::size_t load) const {
    return *all[which * loads.size() + load];
  }
};
[[nodiscard]] Result<ClusterRuns> run_cluster(RunCache& cache,
                                              Run (*network)(std::vector<std::string>),
                                              std::vector<ClusterCase> cases,
                                              std::vector<double> loads);
void add_latency_and_energy(const ClusterRuns& runs, Measurements& measured);

}  // namespace ebb::repro
