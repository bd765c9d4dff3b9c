// SPDX-License-Identifier: Apache-2.0
//
// The tables of result_figures() and what is drawn of them.
#pragma once

#include "ebb/plots/figure.hpp"
#include "ebb/plots/run_set.hpp"
#include "ebb/plots/table.hpp"

namespace ebb::plots {

[[nodiscard]] Table power_load_table(const RunSet& runs);
[[nodiscard]] Figure draw_power_load(const Table& table);
[[nodiscard]] Table latency_load_table(const RunSet& runs);
[[nodiscard]] Figure draw_latency_load(const Table& table);
[[nodiscard]] Table state_time_table(const RunSet& runs);
[[nodiscard]] Figure draw_state_time(const Table& table);
[[nodiscard]] Table latency_cdf_table(const RunSet& runs);
[[nodiscard]] Figure draw_latency_cdf(const Table& table);
[[nodiscard]] Table savings_latency_table(const RunSet& runs);
[[nodiscard]] Figure draw_savings_latency(const Table& table);
[[nodiscard]] Table energy_parts_table(const RunSet& runs);
[[nodiscard]] Figure draw_energy_parts(const Table& table);

}  // namespace ebb::plots
