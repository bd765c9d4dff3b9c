// SPDX-License-Identifier: Apache-2.0
#include "sim/fabric_control.hpp"

namespace ebb::cli {

config::PrepareControl fabric_control(const power::Library& /*parts*/) { return nullptr; }

}  // namespace ebb::cli
