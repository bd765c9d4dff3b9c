// SPDX-License-Identifier: Apache-2.0
//
// Which runs show their time series: as many as the file may hold.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/results/store.hpp"

#include <cstddef>
#include <vector>

namespace ebb::report {

struct SeriesChoice {
  std::vector<std::size_t> runs;  // positions, ascending
  std::size_t left_out = 0;       // runs that have a series and no place
};

// The first repetition of every experiment comes before the second of any.
[[nodiscard]] Result<SeriesChoice> choose_series(const results::Store& store,
                                                 const std::vector<results::Run>& runs,
                                                 std::size_t most_bytes);

}  // namespace ebb::report
