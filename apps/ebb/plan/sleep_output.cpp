// SPDX-License-Identifier: Apache-2.0
#include "plan/sleep_output.hpp"

#include "command_line/text.hpp"
#include "plan/output.hpp"

#include "ebb/units/text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace ebb::cli {
namespace {

using plan::Design;
using plan::SleepPotential;
using Json = nlohmann::ordered_json;

constexpr auto kRight = Table::Align::right;

std::string percent(Ratio ratio) { return fmt::format("{:g} %", 100 * ratio.to_double()); }

double share(Power part, Power whole) {
  return whole == Power{} ? 0 : to_watts(part) / to_watts(whole);
}

std::string share_text(Power part, Power whole) {
  return fmt::format("{:.1f} %", 100 * share(part, whole));
}

Money money_of_year(Power power, const plan::Inputs& inputs) {
  plan::Tariff year = inputs.tariff;
  year.years = 1;
  return plan::energy_cost(power, year);
}

std::string designs_text(const PlannedSleep& sleep, const std::vector<Design>& designs,
                         const plan::Inputs& inputs) {
  const bool at_wall = sleep.front().front().wall.has_value();  // all designs have one switch part
  std::vector<Table::Column> columns = {{"#", kRight},        {"design"},        {"load", kRight},
                                        {"switches", kRight}, {"links", kRight}, {"kW", kRight},
                                        {"saved kW", kRight}, {"of all", kRight}};
  for (const char* title : {"wall kW", "saved at the wall", "of the wall"}) {
    if (at_wall) columns.push_back({title, kRight});
  }
  columns.push_back({"USD/year", kRight});
  Table table(std::move(columns));
  for (std::size_t i = 0; i < sleep.size(); ++i) {
    for (const SleepPotential& at : sleep[i]) {
      const bool first = &at == &sleep[i].front();
      std::vector<std::string> cells = {
          first ? std::to_string(i + 1) : "",
          first ? designs[i].candidate.name : "",
          percent(at.load),
          fmt::format("{} of {}", with_separators(at.switches),
                      with_separators(designs[i].parts.chips)),
          fmt::format("{} of {}", with_separators(at.links_asleep), with_separators(at.links)),
          kilowatts(at.network),
          kilowatts(at.saved()),
          share_text(at.saved(), at.network)};
      if (at.wall) {
        cells.insert(cells.end(), {kilowatts(at.wall->network), kilowatts(at.wall->saved),
                                   share_text(at.wall->saved, at.wall->network)});
      }
      cells.push_back(
          with_separators(std::llround(to_dollars(money_of_year(at.saved_of_bill(), inputs)))));
      table.add(std::move(cells));
    }
  }
  return table.text();
}

// The parts of a design are the same at every load.
std::string groups_text(const std::vector<SleepPotential>& loads, const Design& design) {
  std::vector<Table::Column> columns = {{"power groups of " + design.candidate.name},
                                        {"kW", kRight}};
  for (const SleepPotential& at : loads)
    columns.push_back({fmt::format("saved at {}", percent(at.load)), kRight});
  Table table(std::move(columns));
  for (std::size_t part = 0; part < loads.front().parts.size(); ++part) {
    const plan::SleepingPart& all = loads.front().parts[part];
    std::vector<std::string> cells = {all.name, kilowatts(all.all)};
    for (const SleepPotential& at : loads) cells.push_back(kilowatts(at.parts[part].saved));
    table.add(std::move(cells));
  }
  return table.text();
}

Json load_json(const SleepPotential& at, const plan::Inputs& inputs) {
  Json groups = Json::array();
  for (const plan::SleepingPart& part : at.parts) {
    groups.push_back({{"group", part.name},
                      {"power_W", to_watts(part.all)},
                      {"power_saved_W", to_watts(part.saved)}});
  }
  Json json = {{"load", at.load.to_double()},
               {"switches_asleep", at.switches},
               {"links_between_switches", at.links},
               {"links_asleep", at.links_asleep},
               {"power_W", to_watts(at.network)},
               {"power_saved_W", to_watts(at.saved())},
               {"saved_share", share(at.saved(), at.network)},
               {"cost_USD_per_year", to_dollars(money_of_year(at.saved_of_bill(), inputs))},
               {"groups", groups}};
  if (at.wall) {
    json["power_wall_W"] = to_watts(at.wall->network);
    json["power_wall_saved_W"] = to_watts(at.wall->saved);
    json["wall_saved_share"] = share(at.wall->saved, at.wall->network);
  }
  return json;
}

}  // namespace

Result<PlannedSleep> planned_sleep(const std::vector<Design>& designs, const plan::Inputs& inputs,
                                   const power::Library& library) {
  PlannedSleep all;
  for (const Design& design : designs) {
    auto& loads = all.emplace_back();
    for (const Ratio load : plan::kSleepLoads) {
      auto potential = plan::sleep_potential(design, load, inputs, library);
      if (!potential) return fail(potential.error());
      loads.push_back(std::move(*potential));
    }
  }
  return all;
}

std::string sleep_tables(const PlannedSleep& sleep, const std::vector<Design>& designs,
                         const plan::Inputs& inputs) {
  return fmt::format(
      "What can sleep: links between switches in proportion to the load, and switches that can be "
      "emptied\nwhile every two hosts keep a path and a spare one; {} x PUE {}\n\n{}\n{}",
      to_text(inputs.tariff.price), to_text(inputs.tariff.pue),
      designs_text(sleep, designs, inputs), groups_text(sleep.front(), designs.front()));
}

Json sleep_json(const PlannedSleep& sleep, const std::vector<Design>& designs,
                const plan::Inputs& inputs) {
  Json all = Json::array();
  for (std::size_t i = 0; i < sleep.size(); ++i) {
    Json loads = Json::array();
    for (const SleepPotential& at : sleep[i]) loads.push_back(load_json(at, inputs));
    all.push_back({{"design", designs[i].candidate.name}, {"loads", loads}});
  }
  return all;
}

}  // namespace ebb::cli
