// SPDX-License-Identifier: Apache-2.0
#include "ebb/config/plan_file.hpp"

#include "ebb/files/sections.hpp"
#include "ebb/files/topology_file.hpp"
#include "ebb/plan/tables.hpp"
#include "ebb/topology/family.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace ebb::config {
namespace {

constexpr std::size_t kLargestPlanFile = 1 << 20;
constexpr std::int64_t kMostHosts = 16'000'000;
constexpr std::int64_t kMostYears = 100;

// A quantity that makes no sense at or below zero.
template <class T>
void read_positive(files::Section& section, std::string_view key, T& target) {
  const auto value = section.find(key);
  if (!value) return;
  const auto quantity = value->quantity<T>(section.errors());
  if (!quantity) return;
  if (*quantity <= T{})
    return value->report(section.errors(), fmt::format("'{}' must be positive", key));
  target = *quantity;
}

void read_ratio(files::Section& section, std::string_view key, Ratio least, Ratio most,
                Ratio& target) {
  const auto value = section.find(key);
  if (!value) return;
  const auto ratio = value->quantity<Ratio>(section.errors());
  if (!ratio) return;
  if (*ratio < least || *ratio > most) {
    return value->report(section.errors(), fmt::format("'{}' must be between {} and {}", key,
                                                       to_text(least), to_text(most)));
  }
  target = *ratio;
}

// The name of a part that the library has.
std::optional<std::string> read_part(const std::optional<files::Value>& value,
                                     const power::Library& library, files::Diagnostics& errors) {
  if (!value) return std::nullopt;
  auto name = value->text(errors);
  if (!name) return std::nullopt;
  if (const auto part = library.find(*name); !part)
    value->report(errors, part.error().front().message);
  return name;
}

void read_parts_choice(files::Section& plan, const power::Library& library,
                       plan::PartChoice& parts) {
  const auto value = plan.require("parts");
  if (!value) return;
  files::Diagnostics& errors = plan.errors();
  files::Section section(*value, errors);
  parts.switch_part = read_part(section.require("switch"), library, errors).value_or("");
  parts.nic = read_part(section.find("nic"), library, errors);
  parts.electrical = read_part(section.find("electrical"), library, errors);
  parts.optical = read_part(section.find("optical"), library, errors);
  parts.circuit_switch = read_part(section.find("circuit_switch"), library, errors);
  parts.rate_table = read_part(section.find("rate_table"), library, errors);
  section.finish();
}

void read_tariff(files::Section& plan, plan::Tariff& tariff) {
  const auto value = plan.find("electricity");
  if (!value) return;
  files::Section section(*value, plan.errors());
  read_positive(section, "price", tariff.price);
  read_positive(section, "co2", tariff.carbon);
  read_ratio(section, "pue", Ratio(1, 1), Ratio(10, 1), tariff.pue);
  tariff.years =
      static_cast<int>(section.find_integer("years", 1, kMostYears).value_or(tariff.years));
  section.finish();
}

void read_price(files::Section& section, std::string_view key, std::optional<Money>& target) {
  Money money;
  read_positive(section, key, money);
  if (money > Money{}) target = money;
}

void read_prices(files::Section& plan, plan::Prices& prices) {
  const auto value = plan.find("prices");
  if (!value) return;
  files::Section section(*value, plan.errors());
  read_price(section, "switch", prices.switch_box);
  read_price(section, "nic", prices.nic);
  read_price(section, "electrical", prices.electrical_cable);
  read_price(section, "optical", prices.optical_cable);
  section.finish();
}

constexpr std::pair<std::string_view, forwarding::Detail> kDetails[] = {
    {"flat", forwarding::Detail::flat},
    {"per-switch", forwarding::Detail::per_switch},
    {"per-group", forwarding::Detail::per_group},
    {"compact", forwarding::Detail::compact}};

// A kind that the switch does not have, or that cannot hold such rules, is reported here.
void read_tables(files::Section& plan, const power::Library& library, plan::Inputs& inputs) {
  const auto value = plan.find("tables");
  if (!value) return;
  files::Section section(*value, plan.errors());
  const auto kind = section.require_one_of("kind", {"CAM", "TCAM"});
  std::vector<std::string> words;
  for (const auto& [word, detail] : kDetails) words.emplace_back(word);
  const auto written = section.require_one_of("detail", words);
  section.finish();
  if (!kind || !written) return;
  for (const auto& [word, detail] : kDetails) {
    if (word == *written) inputs.tables = plan::TableChoice{*kind, detail};
  }
  if (!library.find(inputs.parts.switch_part)) return;  // reported with the parts
  if (const auto table = table_of(inputs, library); !table)
    value->report(plan.errors(), table.error().front().message);
}

std::vector<plan::Candidate> read_designs(files::Section& plan) {
  std::vector<plan::Candidate> designs;
  const auto value = plan.find("designs");
  if (!value) return designs;
  files::Section section(*value, plan.errors());
  for (const auto& [name, body] : section.entries()) {
    const auto spec = files::read_topology_spec(body, plan.errors());
    if (!spec) continue;
    if (spec->family.empty())
      body.report(plan.errors(), "a design names a family; graph files have no plan yet");
    designs.push_back({name, spec->family, spec->parameters});
  }
  return designs;
}

}  // namespace

Result<PlanFile> read_plan_text(std::string_view text, const std::string& file,
                                const power::Library& library) {
  files::Diagnostics errors(file);
  const auto root = files::read_yaml(text, errors);
  if (!root) return fail(errors.take());
  files::Section section(*root, errors);
  PlanFile plan;
  section.require_schema_version(1);
  plan.inputs.hosts = section.require_integer("hosts", 2, kMostHosts).value_or(0);
  read_positive(section, "rate", plan.inputs.rate);
  const auto& planes = std::get<Range<std::int64_t>>(topology::planes_parameter().allowed);
  plan.inputs.planes = section.find_integer("planes", planes.least, planes.most).value_or(1);
  read_ratio(section, "oversubscription", Ratio(1, 10), Ratio(100, 1),
             plan.inputs.oversubscription);
  read_ratio(section, "load", Ratio(0, 1), Ratio(1, 1), plan.inputs.load);
  read_positive(section, "packet", plan.inputs.packet);
  read_parts_choice(section, library, plan.inputs.parts);
  read_tables(section, library, plan.inputs);
  read_tariff(section, plan.inputs.tariff);
  read_prices(section, plan.inputs.prices);
  files::read_floor(section, plan.inputs.floor);
  plan.designs = read_designs(section);
  section.finish();
  if (!errors.empty()) return fail(errors.take());
  return plan;
}

Result<PlanFile> read_plan(const std::string& path, const power::Library& library) {
  const auto text = files::read_file(path, kLargestPlanFile);
  if (!text) return fail(text.error());
  return read_plan_text(*text, path, library);
}

}  // namespace ebb::config
