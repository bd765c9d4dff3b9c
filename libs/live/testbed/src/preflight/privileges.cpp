// SPDX-License-Identifier: Apache-2.0
#include "ebb/testbed/preflight/privileges.hpp"

#include <fmt/format.h>

#include <unistd.h>

namespace ebb::testbed::preflight {

Finding look_at_user() {
  if (geteuid() == 0) return {"user", Verdict::ok, "root"};
  return {"user", Verdict::fail, fmt::format("number {}, not root", geteuid()),
          "run as root; a controller of switches elsewhere (--listen) needs no privilege"};
}

}  // namespace ebb::testbed::preflight
