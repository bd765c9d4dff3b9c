// SPDX-License-Identifier: Apache-2.0
#include "ebb/results/parameters.hpp"

#include <algorithm>

namespace ebb::results {

std::vector<Parameter> parameters_of(std::span<const std::string> settings) {
  std::vector<Parameter> parameters;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) continue;
    const std::string key = setting.substr(0, equals);
    if (key == "seed") continue;
    const auto at = std::find_if(parameters.begin(), parameters.end(),
                                 [&](const Parameter& known) { return known.key == key; });
    if (at == parameters.end()) {
      parameters.push_back({key, setting.substr(equals + 1)});
    } else {
      at->value = setting.substr(equals + 1);
    }
  }
  return parameters;
}

}  // namespace ebb::results
