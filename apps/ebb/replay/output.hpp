// SPDX-License-Identifier: Apache-2.0
//
// What `ebb replay` prints: for people, as JSON, as a page, and in the IETF's power-and-energy
// model.
#pragma once

#include "ebb/counters/mapping.hpp"
#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/forwarding/equal_cost.hpp"
#include "ebb/power/port_watts.hpp"
#include "ebb/replay/costs.hpp"
#include "ebb/replay/replay.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::cli {

struct Replayed {
  const fabric_config::FabricFile& file;
  power::Accuracy accuracy = power::Accuracy::unknown;  // of the watts of its ports
  std::optional<forwarding::EqualCostOptions> equal_cost = std::nullopt;  // none: tables of ebb
  std::vector<std::string> switch_groups;  // power groups that are charged, by name
  counters::ChannelLoads loads;
  std::vector<counters::Anomaly> anomalies;
  std::uint64_t readings = 0;
  std::uint32_t interfaces = 0;
  std::size_t lldp_tables = 0;
  std::vector<std::string> lldp_disagreements;
  std::vector<std::string> lldp_one_sided;
  std::vector<double> levels;
  std::vector<replay::PolicyRun> runs;
  bool year = false;
  std::vector<replay::Costs> costs;  // by run; empty: without a scenario
  std::string currency;
  std::vector<replay::EmbodiedPart> embodied;  // of the scenario
};

[[nodiscard]] nlohmann::ordered_json replay_json(const Replayed& replayed);
[[nodiscard]] std::string replay_text(const Replayed& replayed);
// HTML that fetches nothing: what was saved, when, by which links, what kept more from sleeping,
// and what to do next.
[[nodiscard]] std::string replay_page(const Replayed& replayed);
// Of one run: the network with what it used, and each link between switches as when the data ends.
[[nodiscard]] std::string replay_energy_objects(const Replayed& replayed,
                                                const replay::PolicyRun& run);
// What they share: shares, means, and a year in words.
[[nodiscard]] std::string percent(double share);
[[nodiscard]] double asleep_share(const replay::Hour& hour, std::uint32_t links);
[[nodiscard]] double saved_share(const replay::Hour& hour);
[[nodiscard]] double mean_watts(Energy energy, replay::LongTime time);
[[nodiscard]] std::string year_text(const replay::Year& year);
// Their parts: what the data is and what was wrong with it, and which links slept every day, a line
// for each of the times that save most.
[[nodiscard]] std::string data_text(const Replayed& replayed);
[[nodiscard]] nlohmann::ordered_json embodied_json(const Replayed& replayed);
[[nodiscard]] std::string embodied_text(const Replayed& replayed);
// A row for each part, and one of all.
inline constexpr std::array<std::string_view, 6> kEmbodiedTitles = {
    "embodied, of this time", "parts", "kg each", "years", "kg CO2e", "source"};
[[nodiscard]] std::vector<std::vector<std::string>> embodied_rows(const Replayed& replayed);
// Which ports are in the account, and what their watts rest on.
[[nodiscard]] std::string account_text(const Replayed& replayed);
[[nodiscard]] std::vector<std::string> nights_of(const Replayed& replayed,
                                                 const replay::PolicyRun& run);

}  // namespace ebb::cli
