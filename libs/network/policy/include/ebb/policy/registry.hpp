// SPDX-License-Identifier: Apache-2.0
//
// Every policy by name. Adding one: a file pair under src/, a line in the list, a test.
//
//   auto policy = make_policy("epoch", {{"target", "75%"}});
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/policy/policy.hpp"
#include "ebb/units/parameters.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::policy {

struct Entry {
  std::string name;
  std::string summary;
  std::vector<Parameter> parameters;
  std::unique_ptr<Policy> (*make)(const Parameters&) = nullptr;
};

// In the order `ebb list` prints them.
[[nodiscard]] std::span<const Entry> policies();
[[nodiscard]] Result<const Entry*> find_policy(std::string_view name);

// A policy ready to decide, and the resolved parameters that a transcript and a result keep.
struct Made {
  std::string name;
  ParameterTexts parameters;
  std::unique_ptr<Policy> policy;
};
[[nodiscard]] Result<Made> make_policy(std::string_view name, const ParameterTexts& parameters);

}  // namespace ebb::policy
