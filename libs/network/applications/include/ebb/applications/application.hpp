// SPDX-License-Identifier: Apache-2.0
//
// Applications by name: programs of parallel codes, made from a few parameters instead of a trace.
// What they send follows from the published codes; docs/programs/applications.md has the formulas.
// Adding one: a source under src/, its declaration in applications.hpp and its line in
// registry.cpp, a test; see docs/add-an-application.md.
//
//   const auto program = make_application("nas-cg", {{"class", "A"}, {"ranks", "16"}});
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/program/program.hpp"
#include "ebb/units/parameters.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::applications {

struct Application {
  std::string name;
  std::string summary;
  std::vector<Parameter> parameters;
  // Refuses parameters that do not go together, such as ranks that the application cannot use.
  Result<program::Program> (*make)(const Parameters&) = nullptr;
};

// Every application, in the order `ebb list` prints them.
[[nodiscard]] std::span<const Application> applications();
[[nodiscard]] Result<const Application*> find_application(std::string_view name);

// Resolves, checks and makes; refuses with all errors.
[[nodiscard]] Result<program::Program> make_application(std::string_view name,
                                                        const ParameterTexts& parameters);

}  // namespace ebb::applications
