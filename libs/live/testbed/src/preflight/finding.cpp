// SPDX-License-Identifier: Apache-2.0
#include "ebb/testbed/preflight/finding.hpp"

namespace ebb::testbed::preflight {

const char* to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok:
      return "ok";
    case Verdict::warn:
      return "warn";
    case Verdict::fail:
      break;
  }
  return "fail";
}

}  // namespace ebb::testbed::preflight
