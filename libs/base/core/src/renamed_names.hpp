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
    {"ideal-ladder", "ideal-link"},
    {"ideal-sleep-ladder", "ideal-sleep-link"},
    {"infiniband-1us-ladder", "infiniband-1us-link"},
    {"infiniband-ladder", "infiniband-link"},
    {"ladder", "rate_table"},
    {"ladders", "rate_tables"},
    {"patience", "max_coalescing_delay"},
    {"rest", "low_power_state"},
    {"thinned-mesh", "sparse-mesh"},
    {"thinned-star", "sparse-star"},
    {"thinned-torus", "sparse-torus"},
    {"up-down-ways", "up-down-nonminimal"},
};

}  // namespace ebb
