// SPDX-License-Identifier: Apache-2.0
//
// Prediction from the recent past: a channel that has been busy is expected to be so again soon and
// stays up; others sleep as soon as they are idle. The forecast is the moving average
//
//   forecast' = (3 * forecast + utilisation of the last period) / 4
#pragma once

#include "ebb/policy/registry.hpp"

namespace ebb::policy::history {

[[nodiscard]] Entry entry();

}  // namespace ebb::policy::history
