// SPDX-License-Identifier: Apache-2.0
//
// Bursts with heavy tails. ON: N messages at the slots of size / (peak * rate), N from ParetoCount.
// OFF: (K - 1/2 + u) * (peak / load - 1) slots, K like N, u uniform in (0, 1]. Both have the mean
// of the count, so the share of ON time is load / peak, exactly in the mean. The first burst of a
// host begins at a uniform share of an OFF time.
#pragma once

#include "ebb/traffic/injection.hpp"

namespace ebb::traffic::on_off {

[[nodiscard]] InjectionKind kind();

}  // namespace ebb::traffic::on_off
