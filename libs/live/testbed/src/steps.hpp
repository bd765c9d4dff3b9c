// SPDX-License-Identifier: Apache-2.0
//
// Programs that make parts of a fabric, several at a time.
#pragma once

#include "ebb/core/child_process.hpp"
#include "ebb/core/result.hpp"

#include <string>
#include <vector>

namespace ebb::testbed {

struct Step {
  std::vector<std::string> words;
  ChildOptions options = {};
  std::string space = {};  // the network namespace that it runs in; empty: ours
};

// All of them, whatever becomes of one; nothing runs any more when this returns. The first that
// failed is told, with what it said.
[[nodiscard]] Result<void> run_all(const std::vector<Step>& steps);

}  // namespace ebb::testbed
