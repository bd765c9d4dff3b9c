// SPDX-License-Identifier: Apache-2.0
//
// One reader per kind of part. A new kind is one function and one line in the list.
#pragma once

#include "parts_file_numbers.hpp"

#include "ebb/files/document.hpp"
#include "ebb/power/part.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ebb::files::parts {

using Body = decltype(power::Part::body);

[[nodiscard]] const std::vector<std::string>& kind_names();

// The body of a part of that kind. What could not be read is reported and left at its default.
[[nodiscard]] Body read_body(std::string_view kind, Section& part, const Numbers& numbers);

}  // namespace ebb::files::parts
