// SPDX-License-Identifier: Apache-2.0
//
// The kind `components`: what parts of a switch and of a network card take by what they do.
#pragma once

#include "parts_file_kinds.hpp"
#include "parts_file_numbers.hpp"

namespace ebb::files::parts {

[[nodiscard]] Body read_components(Section& part, const Numbers& numbers);

}  // namespace ebb::files::parts
