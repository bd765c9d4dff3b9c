// SPDX-License-Identifier: Apache-2.0
//
// The version of ebb, which goes with every result.
#pragma once

#include <string_view>

namespace ebb {

[[nodiscard]] std::string_view version();

}  // namespace ebb
