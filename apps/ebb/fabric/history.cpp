// SPDX-License-Identifier: Apache-2.0
#include "fabric/history.hpp"

#include <fmt/format.h>

#include <chrono>

namespace ebb::cli {
namespace {

double watts_of(Power power) { return static_cast<double>(power.count()) / 1e6; }

}  // namespace

Result<FabricHistory> FabricHistory::create(const std::string& path) {
  std::ofstream file(path);
  if (!file) return fail("cannot write", {path});
  file << "at [s],links asleep,power [W],all awake [W],highest use [%]\n" << std::flush;
  return FabricHistory(std::move(file));
}

void FabricHistory::add(const HistoryPoint& point, const controller::Watts& watts) {
  file_ << fmt::format("{:.3f},{},{:.3f},{:.3f},{:.2f}\n",
                       std::chrono::duration<double>(point.at.time_since_epoch()).count(),
                       point.links_asleep, watts_of(watts.present()), watts_of(watts.all_awake()),
                       100 * point.highest_use)
        << std::flush;
}

}  // namespace ebb::cli
