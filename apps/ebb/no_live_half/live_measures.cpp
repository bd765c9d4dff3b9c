// SPDX-License-Identifier: Apache-2.0
#include "repro/live_measures.hpp"

namespace ebb::cli {

repro::LiveMeasures live_measures() { return {}; }

}  // namespace ebb::cli
