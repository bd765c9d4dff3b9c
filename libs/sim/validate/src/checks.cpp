// SPDX-License-Identifier: Apache-2.0
#include "checks/list.hpp"

#include "ebb/core/suggest.hpp"
#include "ebb/validate/check.hpp"

namespace ebb::validate {

// One line per check, so that adding one changes one line.
std::span<const Check> checks() {
  static const std::vector<Check> kChecks = {
      {"zero-load", "latency of a packet alone in the network, every family and routing",
       "sum of link and switch latencies and transmission times (Dally & Towles, Section 3.3)",
       check_zero_load},
      {"saturation", "accepted load against the capacity of the busiest channel",
       "throughput = 1 / greatest channel load (Dally & Towles, Section 3.3)", check_saturation},
      {"bytes", "everything that was offered passes the right hosts' links, no more and no less",
       "count of the offered messages, made without the simulator", check_bytes},
      {"credits", "after the last packet every buffer is empty and every credit is back",
       "the sizes of the buffers", check_credits},
      {"littles-law", "mean number in the network against arrival rate times mean time",
       "N = lambda T (Little, A Proof for the Queuing Formula L = lambda W)", check_littles_law},
      {"adaptive", "routings that see queues carry more under adversarial traffic",
       "channel loads of both routings, ideal spreading", check_adaptive},
      {"queueing", "mean wait of Poisson messages of one size", "M/D/1: W = rho S / (2 (1 - rho))",
       check_queueing},
      {"energy", "energy and times of a staircase of rates and sleep", "a count by hand",
       check_energy},
      {"same-bytes", "the same run twice, and a run cut into pieces", "equality", check_same_bytes},
  };
  return kChecks;
}

Result<const Check*> find_check(std::string_view name) {
  std::vector<std::string> names;
  for (const Check& check : checks()) {
    if (check.name == name) return &check;
    names.push_back(check.name);
  }
  return fail(unknown_name("check", name, names));
}

}  // namespace ebb::validate
