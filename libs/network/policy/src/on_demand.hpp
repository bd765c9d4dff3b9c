// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ebb/policy/registry.hpp"

namespace ebb::policy::on_demand {

[[nodiscard]] Entry entry();

}  // namespace ebb::policy::on_demand
