// SPDX-License-Identifier: Apache-2.0
#include "plan/output.hpp"

#include "command_line/text.hpp"

#include "ebb/plan/json.hpp"
#include "ebb/results/export.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace ebb::cli {
namespace {

using plan::Design;
using plan::Inputs;
using Json = nlohmann::ordered_json;

std::string dollars_text(Money money) {
  return "$" + with_separators(static_cast<std::int64_t>(std::llround(to_dollars(money))));
}

// "12.5 %", or "-" when nobody knows.
std::string capacity_text(const routing::WorstCase* worst) {
  return worst == nullptr ? "-" : fmt::format("{:.1f} %", 100 * worst->capacity);
}

// Of families without a closed form nobody knows it.
std::string cut_text(const Design& design) {
  if (design.properties.bisection_links == 0) return "-";
  return fmt::format("{:.0f} %", 100 * design.cut_per_host());
}

std::string watts_per_gigabit_text(const Design& design) {
  if (design.properties.bisection_links == 0) return "-";
  return fmt::format("{:.3f}", design.watts_per_gigabit());
}

constexpr auto kMinimal = routing::Paths::minimal;
constexpr auto kNonMinimal = routing::Paths::non_minimal;

// Of minimal routing; that of non-minimal routing is in the machine-readable forms.
std::string permutation_text(const Design& design) {
  const routing::WorstCase* worst = design.worst_case(kMinimal);
  return worst == nullptr ? "-" : worst->permutation;
}

std::string summary_line(const Inputs& inputs) {
  return fmt::format(
      "{} hosts at {}, oversubscription at most {}, load {:g} %, switch {}, {} x PUE {} x {} "
      "years\n\n",
      with_separators(inputs.hosts), to_text(inputs.rate), to_text(inputs.oversubscription),
      100 * inputs.load.to_double(), inputs.parts.switch_part, to_text(inputs.tariff.price),
      to_text(inputs.tariff.pue), inputs.tariff.years);
}

struct Column {
  std::string title;
  std::function<std::string(const Design&)> cell;
};

std::string table_of(const std::vector<Design>& designs, const std::vector<Column>& columns) {
  std::vector<Table::Column> heads = {{"#", Table::Align::right}, {"design"}};
  for (const Column& column : columns) heads.push_back({column.title, Table::Align::right});
  Table table(std::move(heads));
  for (std::size_t i = 0; i < designs.size(); ++i) {
    std::vector<std::string> cells = {std::to_string(i + 1), designs[i].candidate.name};
    for (const Column& column : columns) cells.push_back(column.cell(designs[i]));
    table.add(std::move(cells));
  }
  return table.text();
}

// Nothing where no supply is named.
plan::WallWatts wall_of(const Design& design) { return design.wall.value_or(plan::WallWatts{}); }

// Of the switch with most, counted in its table; without tables that were asked for, by formula.
std::int64_t rules_shown(const Design& design) {
  return design.parts.tables ? design.parts.tables->most : design.rules.per_group;
}

}  // namespace

std::string kilowatts(Power power) { return fmt::format("{:.1f}", to_watts(power) * 1e-3); }

std::string designs_table(const std::vector<Design>& designs, const Inputs& inputs) {
  const auto every = [&](auto holds) { return std::all_of(designs.begin(), designs.end(), holds); };
  std::vector<Column> columns = {
      {"chips", [](const Design& d) { return with_separators(d.parts.chips); }},
      {"boxes", [](const Design& d) { return with_separators(d.parts.boxes); }},
      {"electrical", [](const Design& d) { return with_separators(d.parts.electrical_links); }},
      {"optical", [](const Design& d) { return with_separators(d.parts.optical_links); }},
      {"racks", [](const Design& d) { return with_separators(d.parts.racks.racks); }},
      {"free ports", [](const Design& d) { return with_separators(d.parts.unused_ports); }},
      {"idle kW", [](const Design& d) { return kilowatts(d.watts.idle); }},
      {"load kW", [](const Design& d) { return kilowatts(d.watts.at_load); }},
      {"tables kW", [](const Design& d) { return kilowatts(d.breakdown.tables); }},
      {"slowest kW", [](const Design& d) { return kilowatts(d.watts.slowest); }},
      {"ideal kW", [](const Design& d) { return kilowatts(d.watts.ideal); }},
      {"wall kW", [](const Design& d) { return kilowatts(wall_of(d).at_load); }},
      {"slowest wall kW", [](const Design& d) { return kilowatts(wall_of(d).slowest); }},
      {"W/(Gb/s)", watts_per_gigabit_text},
      {"cut", cut_text},
      {"worst case", [](const Design& d) { return capacity_text(d.worst_case(kMinimal)); }},
      {"non-minimal", [](const Design& d) { return capacity_text(d.worst_case(kNonMinimal)); }},
      {"permutation", permutation_text},
      {"rules", [](const Design& d) { return with_separators(rules_shown(d)); }},
      {fmt::format("energy {} years, USD", inputs.tariff.years),
       [](const Design& d) { return dollars_text(d.energy_cost); }},
      {"purchase", [](const Design& d) { return dollars_text(d.purchase.value_or(Money{})); }}};
  // Columns that would say nothing new are left out.
  std::vector<std::string> silent;
  if (every([](const Design& d) { return d.parts.boxes == d.parts.chips; }))
    silent.push_back("chips");
  if (every([](const Design& d) { return d.watts.at_load == d.watts.idle; }))
    silent.push_back("load kW");
  if (every([](const Design& d) { return !d.wall; })) silent.push_back("wall kW");
  const bool one_rate = every([](const Design& d) { return d.watts.slowest == d.watts.idle; });
  if (one_rate) silent.push_back("slowest kW");
  if (one_rate || every([](const Design& d) { return !d.wall; }))
    silent.push_back("slowest wall kW");
  if (!limited(inputs.floor)) silent.push_back("racks");
  if (!inputs.tables) silent.push_back("tables kW");
  if (every([](const Design& d) { return !d.purchase; })) silent.push_back("purchase");
  std::erase_if(columns, [&](const Column& c) {
    return std::find(silent.begin(), silent.end(), c.title) != silent.end();
  });
  return summary_line(inputs) + table_of(designs, columns);
}

std::string not_counted_lines(const Design& design, const Inputs& inputs) {
  std::string text;
  Power together;
  for (const plan::NotCounted& missing : design.not_counted) {
    together += missing.proposed();
    text += fmt::format("Not counted: {} {}, for no part is named. ",
                        with_separators(missing.count), missing.component);
    if (!missing.proposal) {
      const std::int64_t share = missing.key == "nic" ? 1 : design.properties.interfaces;
      text += fmt::format("The library has none of {}: --{} PART with --parts FILE\n",
                          to_text(scale(inputs.rate, Ratio(1, share))), missing.key);
      continue;
    }
    text += fmt::format("--{} {} ({} each, {}) adds {} kW\n", missing.key, missing.proposal->part,
                        to_text(missing.proposal->each), to_text(missing.proposal->source.evidence),
                        kilowatts(missing.proposed()));
  }
  if (together != Power{}) {
    text += fmt::format("Not counted in design 1, with these parts: {} kW; it would draw {} kW\n",
                        kilowatts(together), kilowatts(design.watts.at_load + together));
  }
  return text.empty() ? text : "\n" + text;
}

std::string designs_csv(const std::vector<Design>& designs) {
  std::string text;
  for (const Design& design : designs) {
    Json row = plan::to_json(design);
    row.erase("parameters");  // part of the design's name
    row.erase("cables");      // a list does not fit a row
    row.erase("not_counted");
    row.erase("racks");
    row.erase("hosts_in_other_racks");
    std::string header;
    std::string line;
    for (const auto& [key, value] : row.items()) {
      header += (header.empty() ? "" : ",") + results::csv_field(key);
      const std::string cell = value.is_null()     ? ""
                               : value.is_string() ? value.get<std::string>()
                                                   : value.dump();
      line += (line.empty() ? "" : ",") + results::csv_field(cell);
    }
    if (text.empty()) text = header + "\n";
    text += line + "\n";
  }
  return text;
}

std::string cables_table(const Design& design) {
  Table table({{"cables of " + design.candidate.name},
               {"up to", Table::Align::right},
               {"count", Table::Align::right}});
  for (const topology::CableGroup& group : design.parts.cables) {
    table.add({std::string(topology::to_text(group.medium)), to_text(group.up_to),
               with_separators(static_cast<std::int64_t>(group.cables))});
  }
  return table.text();
}

std::string breakdown_table(const Design& design) {
  constexpr auto kRight = Table::Align::right;
  Table table({{"watts of " + design.candidate.name}, {"kW at load", kRight}, {"share", kRight}});
  const plan::Breakdown& parts = design.breakdown;
  for (const auto& [name, power] :
       {std::pair("switches without ports", parts.base), std::pair("switch ports", parts.ports),
        std::pair("traffic through switches", parts.traffic),
        std::pair("forwarding tables", parts.tables), std::pair("modules", parts.modules),
        std::pair("host interfaces", parts.nics),
        std::pair("optical circuit switches", parts.circuit_switches)}) {
    if (power == Power{}) continue;
    table.add({name, kilowatts(power),
               fmt::format("{:.1f} %", 100 * to_watts(power) / to_watts(parts.sum()))});
  }
  return table.text();
}

std::string sensitivity_table(const Design& design, const std::vector<plan::Swing>& swings) {
  constexpr auto kRight = Table::Align::right;
  Table table({{"input of " + design.candidate.name},
               {"energy at -20 %", kRight},
               {"energy at +20 %", kRight},
               {"spread", kRight}});
  for (const plan::Swing& swing : swings) {
    table.add({swing.input, dollars_text(swing.low), dollars_text(swing.high),
               dollars_text(swing.spread())});
  }
  return table.text();
}

}  // namespace ebb::cli
