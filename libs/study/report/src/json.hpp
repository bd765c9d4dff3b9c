// SPDX-License-Identifier: Apache-2.0
//
// Objects keep the order in which they are written: same input, same bytes.
#pragma once

#include <nlohmann/json.hpp>

namespace ebb::report {

using Json = nlohmann::ordered_json;

}  // namespace ebb::report
