// SPDX-License-Identifier: Apache-2.0
//
// What `ebb replay` prints: for people, and as JSON.
#pragma once

#include "ebb/counters/mapping.hpp"
#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/replay/costs.hpp"
#include "ebb/replay/replay.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace ebb::cli {

struct Replayed {
  const fabric_config::FabricFile& file;
  counters::ChannelLoads loads;
  std::vector<counters::Anomaly> anomalies;
  std::uint64_t readings = 0;
  std::uint32_t interfaces = 0;
  std::vector<double> levels;
  std::vector<replay::PolicyRun> runs;
  bool year = false;
  std::vector<replay::Costs> costs;  // by run; empty: without a scenario
  std::string currency;
};

[[nodiscard]] nlohmann::ordered_json replay_json(const Replayed& replayed);
[[nodiscard]] std::string replay_text(const Replayed& replayed);

}  // namespace ebb::cli
