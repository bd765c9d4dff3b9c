// SPDX-License-Identifier: Apache-2.0
//
// A time series in bytes: what a colour of a heat map can show.
#pragma once

#include "json.hpp"

#include "ebb/core/result.hpp"
#include "ebb/results/store.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace ebb::report {

// About as many characters as the series takes in the document.
[[nodiscard]] std::size_t document_size(const results::Series& series);

// `run` is its position in the document, `start` where its first frame begins. `states` are of all
// classes of the run, `channels` by number.
[[nodiscard]] Json series_json(std::size_t run, const results::Series& series, TimePoint start,
                               const std::vector<results::Channel>& channels,
                               const std::vector<results::StateTime>& states);

}  // namespace ebb::report
