// SPDX-License-Identifier: Apache-2.0
//
// Names of keys, values, parameters, verbs and options that an earlier version of ebb had, with the
// names that they have now. Whoever uses an old one is told the new one. One old name may have
// several new ones, in different places; the one that is valid in its place is told.
//
// tests/cli/renamed_names.tsv gives each of them to the program.
#pragma once

#include <string_view>

namespace ebb {

struct RenamedName {
  std::string_view before;
  std::string_view now;
};

inline constexpr RenamedName kRenamedNames[] = {
    // Keep this list sorted by the old name.
    {"alternatives", "backup-paths"},
    {"asleep_for", "min_sleep_time"},
    {"at_once", "max_concurrent"},
    {"awake_for", "min_awake_time"},
    {"calm", "failure_holdoff"},
    {"choice", "output_selection"},
    {"hold", "link_up_hold"},
    {"ideal-ladder", "ideal-link"},
    {"ideal-sleep-ladder", "ideal-sleep-link"},
    {"infiniband-1us-ladder", "infiniband-1us-link"},
    {"infiniband-ladder", "infiniband-link"},
    {"ladder", "rate_table"},
    {"ladders", "rate_tables"},
    {"lanes", "virtual_lanes"},
    {"least_period", "min_decision_interval"},
    {"patience", "max_coalescing_delay"},
    {"put-back", "undrain"},
    {"quiet", "drain_idle"},
    {"rate_for", "min_rate_time"},
    {"rest", "low_power_state"},
    {"rest_counts_as", "low_power_penalty"},
    {"spare", "max_detour_utilisation"},
    {"take-out", "drain"},
    {"thinned-mesh", "sparse-mesh"},
    {"thinned-star", "sparse-star"},
    {"thinned-torus", "sparse-torus"},
    {"up-down-ways", "up-down-nonminimal"},
};

}  // namespace ebb
