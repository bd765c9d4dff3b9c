// SPDX-License-Identifier: Apache-2.0
//
// dvs and shutdown together: shutdown decides which channels sleep, dvs sets the rates of the
// others. "Integration of both DVS and DLS results in the best energy optimization" (Kim et al.,
// 2005). One window serves both.
#pragma once

#include "ebb/policy/registry.hpp"

namespace ebb::policy::dvs_shutdown {

[[nodiscard]] Entry entry();

}  // namespace ebb::policy::dvs_shutdown
