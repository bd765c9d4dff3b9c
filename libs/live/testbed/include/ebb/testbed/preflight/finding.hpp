// SPDX-License-Identifier: Apache-2.0
//
// What one look at a machine found, and what to do about it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ebb::testbed::preflight {

enum class Verdict : std::uint8_t {
  ok,
  warn,  // it works, but not for long or not for everything
  fail
};

struct Finding {
  std::string subject;  // "open files"
  Verdict verdict = Verdict::ok;
  std::string found;        // "1024, 65 needed"
  std::string remedy = {};  // what to do; empty when it is ok
};

using Findings = std::vector<Finding>;

[[nodiscard]] const char* to_text(Verdict verdict);

}  // namespace ebb::testbed::preflight
