// SPDX-License-Identifier: Apache-2.0
#include "ebb/testbed/preflight/clock.hpp"

#include <ctime>
#include <sys/timex.h>

namespace ebb::testbed::preflight {

Finding look_at_clock() {
  constexpr std::time_t kBeforeEbb = 1'767'225'600;  // 2026-01-01: no ebb was there
  if (std::time(nullptr) < kBeforeEbb)
    return {"clock", Verdict::fail, "before 2026", "set the time; certificates are not valid yet"};
  timex state{};
  if (adjtimex(&state) == TIME_ERROR || (state.status & STA_UNSYNC) != 0) {
    return {"clock", Verdict::warn, "nothing keeps it right",
            "apt-get install systemd-timesyncd; or the host of this container does it"};
  }
  return {"clock", Verdict::ok, "kept right from outside"};
}

}  // namespace ebb::testbed::preflight
