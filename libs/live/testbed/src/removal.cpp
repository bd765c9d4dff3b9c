// SPDX-License-Identifier: Apache-2.0
#include "removal.hpp"

#include "daemons.hpp"
#include "network_namespace.hpp"

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
    const std::string folder = state.box(manifest.name, s);
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

}  // namespace ebb::testbed
