// SPDX-License-Identifier: Apache-2.0
//
// The functions of the checks, one file each.
#pragma once

#include "ebb/validate/row.hpp"

#include <vector>

namespace ebb::validate {

[[nodiscard]] std::vector<Row> check_zero_load();
[[nodiscard]] std::vector<Row> check_saturation();
[[nodiscard]] std::vector<Row> check_bytes();
[[nodiscard]] std::vector<Row> check_credits();
[[nodiscard]] std::vector<Row> check_littles_law();
[[nodiscard]] std::vector<Row> check_adaptive();
[[nodiscard]] std::vector<Row> check_queueing();
[[nodiscard]] std::vector<Row> check_energy();
[[nodiscard]] std::vector<Row> check_same_bytes();

}  // namespace ebb::validate
