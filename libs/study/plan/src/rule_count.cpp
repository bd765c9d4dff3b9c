// SPDX-License-Identifier: Apache-2.0
#include "ebb/plan/rule_count.hpp"

namespace ebb::plan {

RuleCount count_rules(const topology::Figures& figures) {
  const std::int64_t groups = figures.groups;
  const std::int64_t per_group = figures.access_switches_per_group;
  const std::int64_t hosts = figures.hosts_per_access_switch;
  return {.flat = figures.hosts,
          .per_switch = groups * per_group - 1 + hosts,
          .per_group = (groups - 1) + (per_group - 1) + hosts};
}

}  // namespace ebb::plan
