// SPDX-License-Identifier: Apache-2.0
#include "host_rate.hpp"
#include "workloads/advert.hpp"
#include "workloads/search.hpp"
#include "workloads/video.hpp"

#include "ebb/core/find_named.hpp"
#include "ebb/traffic/workload_kind.hpp"

namespace ebb::traffic {

// One line per workload, so that adding one changes one line.
std::span<const WorkloadKind> workload_kinds() {
  // clang-format off
  static const std::vector<WorkloadKind> kKinds = {
      search::kind(),
      advert::kind(),
      video::kind(),
  };
  // clang-format on
  return kKinds;
}

Result<const WorkloadKind*> find_workload_kind(std::string_view name) {
  return find_named("workload", workload_kinds(), name, &WorkloadKind::name);
}

Result<std::unique_ptr<Workload>> make_workload(std::string_view name, const Shape& shape,
                                                DataRate host_rate,
                                                const ParameterTexts& parameters) {
  Errors errors = mistakes(shape);
  const Errors more = mistakes(host_rate);
  errors.insert(errors.end(), more.begin(), more.end());
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
