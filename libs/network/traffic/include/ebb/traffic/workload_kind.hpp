// SPDX-License-Identifier: Apache-2.0
//
// Workloads by name: services whose hosts have parts to play, which no pattern and injection can
// say. Adding one: a source under src/workloads/, its declaration in kinds.hpp and its line in
// workloads.cpp, a test; see docs/add-a-workload.md.
//
//   const auto search = make_workload("search", shape, gigabits_per_second(40), {{"load", "6%"}});
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/traffic/pattern.hpp"
#include "ebb/traffic/workload.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/parameters.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::traffic {

struct WorkloadKind {
  std::string name;
  std::string summary;
  std::vector<Parameter> parameters;
  // Refuses a network on which the workload does not exist. May rely on validate(shape) being empty
  // and on a positive rate, that of every host link.
  Result<std::unique_ptr<Workload>> (*make)(const Shape&, DataRate host_rate,
                                            const Parameters&) = nullptr;
};

// Every workload that has a name, in the order `ebb list` prints them.
[[nodiscard]] std::span<const WorkloadKind> workload_kinds();
[[nodiscard]] Result<const WorkloadKind*> find_workload_kind(std::string_view name);

// Resolves, checks and builds; refuses with all errors.
[[nodiscard]] Result<std::unique_ptr<Workload>> make_workload(std::string_view name,
                                                              const Shape& shape,
                                                              DataRate host_rate,
                                                              const ParameterTexts& parameters);

}  // namespace ebb::traffic
