// SPDX-License-Identifier: Apache-2.0
#include "fabric/named.hpp"

#include "ebb/testbed/fabric.hpp"

#include <filesystem>

namespace ebb::cli {

Result<std::string> fabric_named(const std::string& name, const testbed::StateFolder& state) {
  if (!name.empty()) {
    auto found = testbed::find_fabric(name, state);
    if (!found && !std::filesystem::exists(state.controller(name))) return fail(found.error());
    return name;
  }
  const auto fabrics = testbed::standing_fabrics(state);
  if (fabrics.size() == 1) return fabrics[0].name;
  return fail(fabrics.empty() ? "no fabric is up" : "several fabrics are up: say --fabric NAME");
}

}  // namespace ebb::cli
