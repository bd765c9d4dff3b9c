// SPDX-License-Identifier: Apache-2.0
//
// The worst cases of each family, which worst_cases.cpp collects. docs/models/worst-case.md has the
// derivations; the letters are the same there and here.
#pragma once

#include "ebb/routing/worst_case.hpp"
#include "ebb/units/parameters.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ebb::routing::worst {

// `links` channels share the traffic of `hosts` hosts: what each host gets, at most 1.
[[nodiscard]] double share(std::int64_t links, std::int64_t hosts);

// "shift by=8".
[[nodiscard]] std::string shift_text(std::int64_t by);

[[nodiscard]] std::vector<WorstCase> of_fbfly(const Parameters& parameters);
[[nodiscard]] std::vector<WorstCase> of_torus(const Parameters& parameters);
[[nodiscard]] std::vector<WorstCase> of_mesh(const Parameters& parameters);
[[nodiscard]] std::vector<WorstCase> of_dragonfly(const Parameters& parameters);
[[nodiscard]] std::vector<WorstCase> of_clos(const Parameters& parameters);
[[nodiscard]] std::vector<WorstCase> of_clos_chassis(const Parameters& parameters);
[[nodiscard]] std::vector<WorstCase> of_complete(const Parameters& parameters);
[[nodiscard]] std::vector<WorstCase> of_tree(const Parameters& parameters);

}  // namespace ebb::routing::worst
