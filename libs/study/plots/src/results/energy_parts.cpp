// SPDX-License-Identifier: Apache-2.0
#include "results/tables.hpp"

namespace ebb::plots {
namespace {

struct Part {
  std::string name;
  std::string power;  // metrics
  std::string energy;
};

const std::vector<Part>& parts() {
  static const std::vector<Part> kParts = {
      {"switch cores", "power.switch_cores", "energy.switch_cores"},
      {"buffers", "power.buffers", "energy.buffers"},
      {"crossbar", "power.crossbar", "energy.crossbar"},
      {"arbiter", "power.arbiter", "energy.arbiter"},
      {"tables", "power.tables", "energy.tables"},
      {"logic", "power.logic", "energy.logic"},
      {"network cards", "power.nic", "energy.nic"},
      {"channels", "power.channels", "energy.channels"}};
  return kParts;
}

}  // namespace

Table energy_parts_table(const RunSet& runs) {
  Table table{.title = "Power of channels and of switch cores",
              .note =
                  "Means over the measured time; energy is over all of it. Cores: what "
                  "switches draw beside their channels. Components where they are metered."};
  table.columns = {text_column("experiment", "experiment"), text_column("series", "series"),
                   number_column("offered_load", "offered load", "%"), text_column("part", "part")};
  add_estimate_columns(table, number_column("power", "mean power", "W"));
  table.columns.push_back(number_column("energy", "energy while measured", "J"));
  table.columns.push_back(number_column("n", "runs", ""));
  for (const Repetitions& experiment : runs.experiments()) {
    for (const Part& part : parts()) {
      const auto power = results::estimate(experiment.group, part.power);
      const auto energy = results::estimate(experiment.group, part.energy);
      if (!power || !energy) continue;
      std::vector<Cell> row = {experiment.label, experiment.series, experiment.offered_load,
                               part.name};
      add_estimate(row, power, 1);
      row.emplace_back(energy->mean);
      row.emplace_back(static_cast<double>(power->n));
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

}  // namespace ebb::plots
