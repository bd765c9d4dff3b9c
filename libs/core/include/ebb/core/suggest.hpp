// SPDX-License-Identifier: Apache-2.0
//
// The nearest valid name for a mistyped one, by edit distance.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ebb {

// The closest candidate, if it is close enough to be what the user meant.
[[nodiscard]] std::optional<std::string> closest_name(std::string_view wrong,
                                                      std::span<const std::string> candidates);

// "unknown key 'hsots'; did you mean 'hosts'?", or the list of what is valid.
[[nodiscard]] std::string unknown_name(std::string_view kind, std::string_view wrong,
                                       std::span<const std::string> candidates);

}  // namespace ebb
