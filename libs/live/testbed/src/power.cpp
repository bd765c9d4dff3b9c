// SPDX-License-Identifier: Apache-2.0
//
// The power of one switch of a fabric: its daemons are killed and its ports lose their carrier, as
// when an outlet is switched off, and start with what is on its disk, as a switch that boots. Its
// management (SNMP, gNMI) goes on, as that of an outlet or of a supervisor card does.
#include "interfaces.hpp"
#include "processes.hpp"
#include "switch_daemons.hpp"

#include "ebb/testbed/fabric.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <net/if.h>
#include <string_view>

namespace ebb::testbed {
namespace {

namespace fs = std::filesystem;

// Is there while the switch is off.
std::string mark_of(const std::string& folder) { return folder + "/power-off"; }

std::vector<std::string> ports_in(const std::string& space) {
  std::vector<std::string> ports;
  const auto visit = NamespaceVisit::enter(space);
  if (!visit) return ports;
  struct if_nameindex* const all = if_nameindex();
  for (const auto* one = all; one != nullptr && one->if_index != 0; ++one) {
    const std::string_view name = one->if_name;
    if (name.size() > 1 && name[0] == 'p' &&
        name.find_first_not_of("0123456789", 1) == std::string_view::npos)
      ports.emplace_back(name);
  }
  if_freenameindex(all);
  return ports;
}

Result<void> set_ports(const std::string& space, bool up) {
  std::vector<Step> steps;
  for (const std::string& port : ports_in(space))
    steps.push_back({{"ip", "link", "set", port, up ? "up" : "down"}, {}, space});
  return run_all(steps);
}

Result<void> switch_off(const std::string& space, const std::string& folder) {
  std::ofstream mark(mark_of(folder));
  if (!mark.flush()) return fail("cannot be written", {mark_of(folder)});
  if (auto done = kill_switch_daemons(folder); !done) return done;
  return set_ports(space, false);
}

// Who switched it on before may have been killed when half of it was done.
Result<void> switch_on(const Device& device) {
  if (auto done = kill_switch_daemons(device.folder); !done) return done;
  if (auto done = run_all({start_database(device)}); !done) return done;
  if (auto done = run_all({start_switch(device)}); !done) return done;
  if (auto done = set_ports(device.node->space, true); !done) return done;
  std::error_code problem;
  fs::remove(mark_of(device.folder), problem);
  return problem ? fail(problem.message(), {mark_of(device.folder)}) : Result<void>{};
}

}  // namespace

bool has_power(const std::string& fabric, const StateFolder& state, std::size_t number) {
  std::error_code unreadable;
  return !fs::exists(mark_of(state.device(fabric, number)), unreadable);
}

Result<void> set_power(const std::string& fabric, const StateFolder& state, std::size_t number,
                       bool on) {
  const auto lock = lock_fabric(fabric, state);
  if (!lock) return fail(lock.error());
  const auto manifest = read_manifest(fabric, state);
  if (!manifest) return fail(manifest.error());
  if (number >= manifest->switches) return fail("there is no such switch");
  if (on && has_power(fabric, state, number)) return {};
  const std::string folder = state.device(fabric, number);
  const Node node{.name = manifest->members[number].name, .space = manifest->members[number].space};
  if (on) return switch_on({.node = &node, .folder = folder, .number = number});
  return switch_off(node.space, folder);
}

}  // namespace ebb::testbed
