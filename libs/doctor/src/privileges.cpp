// SPDX-License-Identifier: Apache-2.0
#include "ebb/doctor/privileges.hpp"

#include <fmt/format.h>

#include <unistd.h>

namespace ebb::doctor {

Finding look_at_user() {
  if (geteuid() == 0) return {"user", Verdict::ok, "root"};
  return {"user", Verdict::fail, fmt::format("number {}, not root", geteuid()),
          "run as root; a controller of switches elsewhere (--listen) needs no privilege"};
}

}  // namespace ebb::doctor
