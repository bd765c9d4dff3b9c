// SPDX-License-Identifier: Apache-2.0
//
// What each row measures. The names of the numbers are those in repro/<id>.yaml.
#pragma once

#include "ebb/repro/experiment.hpp"

namespace ebb::repro {

// "Energy Proportional Datacenter Networks"
[[nodiscard]] Result<Measurements> measure_isca_table_1(const power::Library& parts);
[[nodiscard]] Result<Measurements> measure_isca_links(const power::Library& parts);
[[nodiscard]] Result<Measurements> measure_isca_ports(const power::Library& parts);
[[nodiscard]] Result<Measurements> measure_isca_money(const power::Library& parts);
[[nodiscard]] Result<Measurements> measure_isca_figure_1(const power::Library& parts);
// ... the rows that are simulated
[[nodiscard]] Result<Measurements> measure_isca_ideal_channels(const power::Library& parts);
[[nodiscard]] Result<Measurements> measure_isca_measured_channels(const power::Library& parts);
[[nodiscard]] Result<Measurements> measure_isca_speeds(const power::Library& parts);
[[nodiscard]] Result<Measurements> measure_isca_independent_latency(const power::Library& parts);
[[nodiscard]] Result<Measurements> measure_isca_latency(const power::Library& parts);
[[nodiscard]] Result<Measurements> measure_isca_always_slowest(const power::Library& parts);

// "On the Use of Commodity Ethernet Technology in Exascale HPC Systems"
[[nodiscard]] Result<Measurements> measure_exascale_rules(const power::Library& parts);
[[nodiscard]] Result<Measurements> measure_exascale_sizes(const power::Library& parts);

// "Performance Evaluation of Power-aware Multi-tree Ethernet for HPC Interconnects"
[[nodiscard]] Result<Measurements> measure_multi_tree_distances(const power::Library& parts);

}  // namespace ebb::repro
