// SPDX-License-Identifier: Apache-2.0
#include "ebb/runtime/drained_links.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

namespace ebb::runtime {

DrainedLinks::DrainedLinks(const std::string& folder, std::string fabric)
    : folder_(folder.empty() ? "" : folder + "/" + fabric), fabric_(std::move(fabric)) {}

std::uint64_t DrainedLinks::newest_generation(controller::WallTime now) const {
  return folder_.empty() ? 0 : controller::restore(folder_, fabric_, now).newest;
}

void DrainedLinks::add_to(controller::RestoredState& restored, controller::WallTime now) const {
  if (folder_.empty()) return;
  controller::RestoredState kept = controller::restore(folder_, fabric_, now);
  restored.problems.insert(restored.problems.end(), kept.problems.begin(), kept.problems.end());
  if (kept.state.generation > restored.state.generation) {
    restored.state.links.merge(kept.state.links);
    restored.state.switches.merge(kept.state.switches);
  }
}

Result<void> DrainedLinks::save(std::uint64_t generation, const Links& links,
                                const Switches& switches, controller::WallTime now) {
  if (folder_.empty()) return {};
  Links drained;
  std::string names;
  for (const auto& [name, link] : links) {
    if (!link.drained) continue;
    drained.emplace(name, link);
    names += name + "\n";
  }
  for (const auto& [name, one] : switches)
    names += fmt::format("{} {} {}\n", name, to_text(one.state), to_text(one.by));
  if (names == written_) return {};
  std::error_code problem;
  std::filesystem::create_directories(folder_, problem);
  if (problem) return fail(problem.message(), {folder_});
  const controller::RestoredState before = controller::restore(folder_, fabric_, now);
  auto saved = controller::save({generation, std::move(drained), switches}, folder_, fabric_, now);
  if (!saved) return saved;
  controller::remove_older(folder_, before, generation);
  written_ = std::move(names);
  return {};
}

}  // namespace ebb::runtime
