// SPDX-License-Identifier: Apache-2.0
#include "interfaces.hpp"
#include "processes.hpp"
#include "switch_daemons.hpp"

#include "ebb/core/names.hpp"
#include "ebb/testbed/fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace ebb::testbed {
namespace {

namespace fs = std::filesystem;

// Of the files that every fabric has. Anything else there is not ours: the folder then stays.
Result<void> remove_files(const std::string& name, const StateFolder& state) {
  std::error_code problem;
  fs::remove_all(state.controller(name), problem);
  if (problem) return fail("cannot delete: " + problem.message(), {state.controller(name)});
  for (const std::string& file : {state.manifest(name) + ".new", state.manifest(name),
                                  state.lock(name), state.fabric(name)}) {
    fs::remove(file, problem);
    if (problem) return fail("cannot delete: " + problem.message(), {file});
  }
  return {};
}

}  // namespace

Result<void> remove_fabric(const Manifest& manifest, const StateFolder& state) {
  if (auto done = end_daemons(state.fabric(manifest.name)); !done) return done;
  Errors errors;
  for (const Manifest::Member& member : manifest.members) {
    if (auto done = delete_namespace(member.space); !done) errors.push_back(done.error().front());
  }
  for (std::size_t s = 0; s < manifest.switches; ++s) {
    const std::string folder = state.device(manifest.name, s);
    std::error_code problem;
    fs::remove_all(folder, problem);
    if (problem) errors.push_back({"cannot delete: " + problem.message(), {folder}});
  }
  if (!errors.empty()) return fail(std::move(errors));
  return remove_files(manifest.name, state);
}

Result<void> remove_bare_folder(const std::string& name, const StateFolder& state) {
  return remove_files(name, state);
}

namespace {

namespace fs = std::filesystem;

bool has_manifest(const std::string& name, const StateFolder& state) {
  return fs::exists(state.manifest(name));
}

// Of an `up` that was killed before it wrote what it was going to make: it has made nothing.
bool is_bare(const std::string& name, const StateFolder& state) {
  std::error_code unreadable;
  const bool folder = fs::is_directory(state.fabric(name), unreadable);
  return folder && (fs::exists(state.lock(name)) || fs::is_empty(state.fabric(name), unreadable));
}

}  // namespace

Result<void> find_fabric(const std::string& name, const StateFolder& state) {
  if (has_manifest(name, state) || is_bare(name, state)) return {};
  std::vector<std::string> names;
  for (const Standing& fabric : standing_fabrics(state)) names.push_back(fabric.name);
  if (names.empty()) return fail(fmt::format("there is no fabric '{}', nor another one", name));
  return fail(unknown_name("fabric", name, names));
}

Result<void> take_down(const std::string& name, const StateFolder& state) {
  const auto lock = lock_fabric(name, state);
  if (!lock) return fail(lock.error());
  if (!has_manifest(name, state)) return remove_bare_folder(name, state);
  const auto manifest = read_manifest(name, state);
  if (!manifest) return fail(manifest.error());
  return remove_fabric(*manifest, state);
}

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDaemonsPerSwitch = 2;

Standing standing(const std::string& name, const StateFolder& state) {
  const auto manifest = read_manifest(name, state);
  if (!manifest) return {.name = name};
  const std::size_t daemons = find_daemons(state.fabric(name)).size();
  const std::size_t of_switch = kDaemonsPerSwitch + (manifest->agents ? 1 : 0) +
                                (manifest->snmp ? kSnmpDaemons : 0) + (manifest->gnmi ? 1 : 0);
  std::size_t expected = of_switch * manifest->switches;
  for (std::size_t s = 0; s < manifest->switches; ++s)
    expected -= has_power(name, state, s) ? 0 : kDaemonsPerSwitch;
  return {.name = name,
          .switches = manifest->switches,
          .hosts = manifest->hosts(),
          .links = manifest->links,
          .whole = manifest->complete && daemons == expected};
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

// What can be done to one switch or host of a fabric.

Result<void> set_rate(const Manifest& fabric, std::size_t member, std::size_t port, DataRate rate) {
  return run_all(
      {set_port_rate(fabric.members[member].space, port_name(fabric, member, port), rate)});
}

Result<void> move_into(const Manifest& fabric, const StateFolder& state, std::size_t member) {
  if (member < fabric.switches) {
    for (std::string& setting : environment_of_device(state.device(fabric.name, member))) {
      const std::size_t equals = setting.find('=');
      setenv(setting.substr(0, equals).c_str(), setting.c_str() + equals + 1, 1);
    }
  }
  return move_into_namespace(fabric.members[member].space);
}

}  // namespace ebb::testbed
