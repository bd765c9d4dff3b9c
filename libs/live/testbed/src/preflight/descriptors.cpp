// SPDX-License-Identifier: Apache-2.0
#include "ebb/testbed/preflight/descriptors.hpp"

#include <fmt/format.h>

#include <sys/resource.h>

namespace ebb::testbed::preflight {

std::uint64_t descriptors_needed(std::uint32_t switches) {
  // Of each switch: the door, the stream, its database, and one more while it comes again.
  constexpr std::uint64_t kPerSwitch = 4;
  // Log, audit trail, transcript, status, metrics, operators, clocks.
  constexpr std::uint64_t kOthers = 64;
  return kOthers + kPerSwitch * switches;
}

Finding look_at_descriptors(std::uint32_t switches) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  const std::uint64_t needed = descriptors_needed(switches);
  Finding finding{"open files", Verdict::ok,
                  fmt::format("{} at a time, {} needed", limit.rlim_cur, needed)};
  if (limit.rlim_cur < needed) {
    finding.verdict = Verdict::fail;
    finding.remedy = fmt::format("ulimit -n {0}; in a unit LimitNOFILE={0}", needed);
  }
  return finding;
}

}  // namespace ebb::testbed::preflight
