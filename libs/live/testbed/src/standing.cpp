// SPDX-License-Identifier: Apache-2.0
#include "daemons.hpp"
#include "snmp_agents.hpp"

#include "ebb/testbed/fabric.hpp"

#include <algorithm>
#include <filesystem>

namespace ebb::testbed {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDaemonsPerSwitch = 2;

Standing standing(const std::string& name, const StateFolder& state) {
  const auto manifest = read_manifest(name, state);
  if (!manifest) return {.name = name};
  const std::size_t daemons = find_daemons(state.fabric(name)).size();
  const std::size_t of_switch = kDaemonsPerSwitch + (manifest->agents ? 1 : 0) +
                                (manifest->snmp ? kSnmpDaemons : 0) + (manifest->gnmi ? 1 : 0);
  return {.name = name,
          .switches = manifest->switches,
          .hosts = manifest->hosts(),
          .links = manifest->links,
          .whole = manifest->complete && daemons == of_switch * manifest->switches};
}

}  // namespace

std::vector<Standing> standing_fabrics(const StateFolder& state) {
  std::vector<Standing> fabrics;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(state.path, none)) {
    const std::string name = entry.path().filename().string();
    if (is_fabric_name(name) && (fs::exists(state.manifest(name)) || fs::exists(state.lock(name))))
      fabrics.push_back(standing(name, state));
  }
  std::sort(fabrics.begin(), fabrics.end(),
            [](const Standing& a, const Standing& b) { return a.name < b.name; });
  return fabrics;
}

}  // namespace ebb::testbed
