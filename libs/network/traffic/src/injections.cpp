// SPDX-License-Identifier: Apache-2.0
#include "host_rate.hpp"
#include "injections/bernoulli.hpp"
#include "injections/flows.hpp"
#include "injections/jump.hpp"
#include "injections/on_off.hpp"
#include "injections/periodic.hpp"
#include "injections/poisson.hpp"

#include "ebb/core/find_named.hpp"
#include "ebb/traffic/injection.hpp"

namespace ebb::traffic {

// One line per injection, so that adding one changes one line.
std::span<const InjectionKind> injection_kinds() {
  // clang-format off
  static const std::vector<InjectionKind> kKinds = {
      poisson::kind(),
      bernoulli::kind(),
      periodic::kind(),
      flows::kind(),
      on_off::kind(),
      jump::kind(),
  };
  // clang-format on
  return kKinds;
}

Result<const InjectionKind*> find_injection_kind(std::string_view name) {
  return find_named("injection", injection_kinds(), name, &InjectionKind::name);
}

Result<std::unique_ptr<Injection>> make_injection(std::string_view name, DataRate host_rate,
                                                  const ParameterTexts& parameters) {
  Errors errors = mistakes(host_rate);
  const auto kind = find_injection_kind(name);
  if (!kind) {
    errors.insert(errors.end(), kind.error().begin(), kind.error().end());
    return fail(std::move(errors));
  }
  const auto resolved = Parameters::resolve((*kind)->parameters, parameters);
  if (!resolved) errors.insert(errors.end(), resolved.error().begin(), resolved.error().end());
  if (!errors.empty()) return fail(std::move(errors));
  return (*kind)->make(host_rate, *resolved);
}

}  // namespace ebb::traffic
