// SPDX-License-Identifier: Apache-2.0
#include "ebb/plan/json.hpp"

#include "ebb/plan/not_counted.hpp"
#include "ebb/routing/worst_case.hpp"
#include "ebb/topology/placement.hpp"
#include "ebb/units/text.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace ebb::plan {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(const std::optional<Money>& money) {
  return money ? Json(to_dollars(*money)) : Json(nullptr);
}

void add_worst_case(Json& design, const std::string& paths, const routing::WorstCase* worst) {
  const bool known = worst != nullptr;
  design["worst_case_" + paths] = known ? Json(worst->capacity) : Json(nullptr);
  design["worst_case_" + paths + "_routing"] = known ? Json(worst->routing) : Json(nullptr);
  design["worst_case_" + paths + "_permutation"] = known ? Json(worst->permutation) : Json(nullptr);
}

Json not_counted_json(const NotCounted& missing) {
  const auto& proposal = missing.proposal;
  return {{"component", missing.component},
          {"count", missing.count},
          {"key", missing.key},
          {"part", proposal ? Json(proposal->part) : Json(nullptr)},
          {"power_each_W", proposal ? Json(to_watts(proposal->each)) : Json(nullptr)},
          {"power_W", proposal ? Json(to_watts(missing.proposed())) : Json(nullptr)},
          {"evidence", proposal ? Json(to_text(proposal->source.evidence)) : Json(nullptr)},
          {"source", proposal ? Json(proposal->source.title) : Json(nullptr)}};
}

Json inputs_json(const Inputs& inputs) {
  const auto name_or_null = [](const std::optional<std::string>& name) {
    return name ? Json(*name) : Json(nullptr);
  };
  return {{"hosts", inputs.hosts},
          {"rate", to_text(inputs.rate)},
          {"oversubscription", to_text(inputs.oversubscription)},
          {"load", to_text(inputs.load)},
          {"packet", to_text(inputs.packet)},
          {"switch", inputs.parts.switch_part},
          {"nic", name_or_null(inputs.parts.nic)},
          {"electrical", name_or_null(inputs.parts.electrical)},
          {"optical", name_or_null(inputs.parts.optical)},
          {"price", to_text(inputs.tariff.price)},
          {"pue", to_text(inputs.tariff.pue)},
          {"years", inputs.tariff.years}};
}

}  // namespace

Json to_json(const Design& design) {
  Json parameters = Json::object();
  for (const auto& [key, value] : design.candidate.parameters) parameters[key] = value;
  Json cables = Json::array();
  for (const topology::CableGroup& group : design.parts.cables) {
    cables.push_back({{"medium", topology::to_text(group.medium)},
                      {"up_to_m", static_cast<double>(group.up_to.count()) / 1e3},
                      {"count", group.cables}});
  }
  Json not_counted = Json::array();
  for (const NotCounted& missing : design.not_counted)
    not_counted.push_back(not_counted_json(missing));
  Json json = {
      {"design", design.candidate.name},
      {"family", design.candidate.family},
      {"parameters", parameters},
      {"hosts_connected", design.parts.hosts},
      {"hosts_possible", design.properties.hosts},
      {"chips", design.parts.chips},
      {"boxes", design.parts.boxes},
      {"switch_ports_used_most", design.properties.switch_ports},
      {"switch_ports_free", design.parts.unused_ports},
      {"links_electrical", design.parts.electrical_links},
      {"links_optical", design.parts.optical_links},
      {"links_backplane", design.parts.backplane_links},
      {"diameter_links", design.properties.diameter},
      {"oversubscription", design.properties.oversubscription},
      {"power_idle_W", to_watts(design.watts.idle)},
      {"power_load_W", to_watts(design.watts.at_load)},
      {"power_peak_W", to_watts(design.watts.peak)},
      {"power_slowest_W", to_watts(design.watts.slowest)},
      {"power_ideal_W", to_watts(design.watts.ideal)},
      {"bisection_cut_links", design.properties.bisection_links},
      {"bisection_bits_per_second", design.bisection.count()},
      {"power_per_bisection_W_per_Gbps",
       design.properties.bisection_links > 0 ? Json(design.watts_per_gigabit()) : Json(nullptr)},
      {"energy_cost_USD", to_dollars(design.energy_cost)},
      {"purchase_USD", number_or_null(design.purchase)},
      {"cables", cables},
      {"rules_flat", design.rules.flat},
      {"rules_per_switch", design.rules.per_switch},
      {"rules_per_group", design.rules.per_group},
      {"table_entries", design.parts.tables ? Json(design.parts.tables->entries) : Json(nullptr)},
      {"table_entries_most", design.parts.tables ? Json(design.parts.tables->most) : Json(nullptr)},
      {"power_load_base_W", to_watts(design.breakdown.base)},
      {"power_load_ports_W", to_watts(design.breakdown.ports)},
      {"power_load_traffic_W", to_watts(design.breakdown.traffic)},
      {"power_load_tables_W", to_watts(design.breakdown.tables)},
      {"power_load_modules_W", to_watts(design.breakdown.modules)},
      {"power_load_nics_W", to_watts(design.breakdown.nics)},
      {"power_load_circuit_switches_W", to_watts(design.breakdown.circuit_switches)},
      {"racks", design.parts.racks.racks},
      {"hosts_in_other_racks", design.parts.racks.hosts_apart},
      {"not_counted", not_counted}};
  if (design.wall) {
    json["power_wall_load_W"] = to_watts(design.wall->at_load);
    json["power_wall_slowest_W"] = to_watts(design.wall->slowest);
    json["power_lost_in_supplies_W"] = to_watts(design.wall->lost);
  }
  json["cut_one_way_per_host"] =
      design.properties.bisection_links > 0 ? Json(design.cut_per_host()) : Json(nullptr);
  add_worst_case(json, "minimal", design.worst_case(routing::Paths::minimal));
  add_worst_case(json, "non_minimal", design.worst_case(routing::Paths::non_minimal));
  const routing::WorstCase* worst = design.worst_case();
  json["power_per_worst_case_W_per_Gbps"] =
      worst == nullptr ? Json(nullptr) : Json(design.watts_per_gigabit(*worst));
  return json;
}

std::string designs_json(const std::vector<Design>& designs, const Inputs& inputs,
                         const std::vector<Swing>& swings, const Json& more) {
  Json all = Json::array();
  for (const Design& design : designs) all.push_back(to_json(design));
  Json sensitivity = Json::array();
  for (const Swing& swing : swings) {
    sensitivity.push_back({{"input", swing.input},
                           {"energy_cost_at_minus_20_percent_USD", to_dollars(swing.low)},
                           {"energy_cost_at_plus_20_percent_USD", to_dollars(swing.high)}});
  }
  Json document = {{"schema_version", 1}, {"inputs", inputs_json(inputs)}, {"designs", all}};
  if (!swings.empty()) document["sensitivity_of_first"] = sensitivity;
  if (!more.is_null()) document.update(more);
  return document.dump(2) + "\n";
}

}  // namespace ebb::plan
