// SPDX-License-Identifier: Apache-2.0
#include "lock.hpp"
#include "removal.hpp"

#include "ebb/core/suggest.hpp"
#include "ebb/testbed/fabric.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace ebb::testbed {
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

}  // namespace ebb::testbed
