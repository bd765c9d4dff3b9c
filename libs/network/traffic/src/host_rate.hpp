// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ebb/core/error.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

namespace ebb::traffic {

// Why hosts cannot send at that rate; empty when they can.
[[nodiscard]] inline Errors mistakes(DataRate host_rate) {
  if (host_rate > DataRate()) return {};
  return {{fmt::format("hosts need a positive rate to send at, got {}", to_text(host_rate)), {}}};
}

}  // namespace ebb::traffic
