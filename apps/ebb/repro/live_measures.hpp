// SPDX-License-Identifier: Apache-2.0
//
// Rows that are measured on real switches: in live_half, or none in no_live_half, of builds without
// it.
#pragma once

#include "ebb/repro/run_cache.hpp"

namespace ebb::cli {

[[nodiscard]] repro::LiveMeasures live_measures();

}  // namespace ebb::cli
