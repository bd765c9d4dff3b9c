// SPDX-License-Identifier: Apache-2.0
//
// The checks of the packet simulator against what is known without it: closed forms, laws of
// queueing, counts by hand. docs/validate.md has the equation and the source of each.
// Adding one: a file in src/checks, a declaration in src/checks/list.hpp, a line in checks().
//
//   for (const Check& check : checks()) print(check, check.run());
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/validate/row.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::validate {

struct Check {
  std::string name;
  std::string summary;
  std::string source;  // the closed form or the book that `expected` comes from
  // Takes seconds, not minutes. The same rows at every call.
  std::vector<Row> (*run)() = nullptr;
};

// In the order `ebb validate list` prints them.
[[nodiscard]] std::span<const Check> checks();
[[nodiscard]] Result<const Check*> find_check(std::string_view name);

}  // namespace ebb::validate
