// SPDX-License-Identifier: Apache-2.0
#include "kinds.hpp"

#include "ebb/core/names.hpp"
#include "ebb/traffic/injection.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

namespace ebb::traffic {

Errors validate(DataRate host_rate) {
  if (host_rate > DataRate()) return {};
  return {{fmt::format("hosts need a positive rate to send at, got {}", to_text(host_rate)), {}}};
}

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
  Errors errors = validate(host_rate);
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
