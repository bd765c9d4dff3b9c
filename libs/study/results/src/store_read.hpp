// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "database.hpp"

#include "ebb/results/run.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace ebb::results {

[[nodiscard]] std::vector<Run> read_runs(const Database& database);
[[nodiscard]] std::vector<Histogram> read_histograms(const Database& database, std::int64_t run);
[[nodiscard]] std::vector<StateTime> read_residency(const Database& database, std::int64_t run);
[[nodiscard]] std::vector<Channel> read_channels(const Database& database, std::int64_t run);
[[nodiscard]] std::optional<Series> read_series(const Database& database, std::int64_t run);

}  // namespace ebb::results
