// SPDX-License-Identifier: Apache-2.0
#include "ebb/doctor/finding.hpp"

namespace ebb::doctor {

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

}  // namespace ebb::doctor
