// SPDX-License-Identifier: Apache-2.0
#include "workloads/advert.hpp"
#include "workloads/search.hpp"

#include "ebb/core/suggest.hpp"
#include "ebb/traffic/workload_kind.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

namespace ebb::traffic {

// One line per workload, so that adding one changes one line.
std::span<const WorkloadKind> workload_kinds() {
  // clang-format off
  static const std::vector<WorkloadKind> kKinds = {
      search::kind(),
      advert::kind(),
  };
  // clang-format on
  return kKinds;
}

Result<const WorkloadKind*> find_workload_kind(std::string_view name) {
  std::vector<std::string> names;
  for (const WorkloadKind& kind : workload_kinds()) {
    if (kind.name == name) return &kind;
    names.push_back(kind.name);
  }
  return fail(unknown_name("workload", name, names));
}

Result<std::unique_ptr<Workload>> make_workload(std::string_view name, const Shape& shape,
                                                DataRate host_rate,
                                                const ParameterTexts& parameters) {
  Errors errors = mistakes(shape);
  if (host_rate <= DataRate()) {
    errors.push_back(
        {fmt::format("hosts need a positive rate to send at, got {}", to_text(host_rate)), {}});
  }
  const auto kind = find_workload_kind(name);
  if (!kind) {
    errors.insert(errors.end(), kind.error().begin(), kind.error().end());
    return fail(std::move(errors));
  }
  const auto resolved = Parameters::resolve((*kind)->parameters, parameters);
  if (!resolved) errors.insert(errors.end(), resolved.error().begin(), resolved.error().end());
  if (!errors.empty()) return fail(std::move(errors));
  return (*kind)->make(shape, host_rate, *resolved);
}

}  // namespace ebb::traffic
