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

// The present name of something that an earlier version called `old_name`, if it is a candidate.
[[nodiscard]] std::optional<std::string> renamed_name(std::string_view old_name,
                                                      std::span<const std::string> candidates);

// "unknown key 'hsots'; did you mean 'hosts'?", or the list of what is valid.
[[nodiscard]] std::string unknown_name(std::string_view kind, std::string_view wrong,
                                       std::span<const std::string> candidates);

}  // namespace ebb
