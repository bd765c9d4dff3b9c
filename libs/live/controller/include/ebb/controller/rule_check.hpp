// SPDX-License-Identifier: Apache-2.0
//
// What a safety rule says about a link that somebody would like to put to sleep.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ebb::controller {

struct RuleCheck {
  std::string_view rule;  // its name, that of the key in the fabric file where there is one
  std::string present;    // the value that it looked at, with its unit
  std::string needed;     // for the link to sleep
  std::optional<std::string> objection;  // none: it has nothing against it
};

}  // namespace ebb::controller
