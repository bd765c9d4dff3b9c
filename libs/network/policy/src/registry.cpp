// SPDX-License-Identifier: Apache-2.0
#include "policies.hpp"

#include "ebb/core/names.hpp"
#include "ebb/policy/policy.hpp"

namespace ebb::policy {

// One line per policy, so that adding one changes one line.
std::span<const Entry> policies() {
  // clang-format off
  static const std::vector<Entry> kPolicies = {
      always_on::entry(),
      always_slowest::entry(),
      epoch::entry(),
      on_demand::entry(),
      wake_ahead::entry(),
      scheduled::entry(),
      periodic::entry(),
      perf_bound::entry(),
      latency_budget::entry(),
      history::entry(),
      stages::entry(),
      consolidate::entry(),
      elastic::entry(),
      power_cap::entry(),
      dvs::entry(),
      shutdown::entry(),
      dvs_shutdown::entry(),
  };
  // clang-format on
  return kPolicies;
}

Result<const Entry*> find_policy(std::string_view name) {
  return find_named("policy", policies(), name, &Entry::name);
}

Result<Made> make_policy(std::string_view name, const ParameterTexts& parameters) {
  const auto entry = find_policy(name);
  if (!entry) return fail(entry.error());
  const auto resolved = Parameters::resolve((*entry)->parameters, parameters);
  if (!resolved) return fail(resolved.error());
  return Made{(*entry)->name, resolved->texts(), (*entry)->make(*resolved)};
}

}  // namespace ebb::policy
