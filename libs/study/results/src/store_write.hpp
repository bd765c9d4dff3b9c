// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "database.hpp"

#include "ebb/results/run.hpp"

#include <cstdint>
#include <optional>

namespace ebb::results {

// Inside a transaction of the caller.
[[nodiscard]] std::int64_t write_record(const Database& database, const Record& record,
                                        std::optional<double> wall_seconds);

}  // namespace ebb::results
