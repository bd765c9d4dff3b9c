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
    {"ladder", "rate_table"},
};

}  // namespace ebb
