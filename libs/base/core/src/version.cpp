// SPDX-License-Identifier: Apache-2.0
#include "ebb/core/version.hpp"

namespace ebb {

std::string_view version() { return EBB_VERSION; }

}  // namespace ebb
