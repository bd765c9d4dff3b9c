// SPDX-License-Identifier: Apache-2.0
#include "command_line/network_options.hpp"

#include "command_line/name_and_parameters.hpp"

#include "ebb/files/topology_file.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/units/text.hpp"

#include <utility>

namespace ebb::cli {
namespace {

using topology::Graph;

Result<topology::RateLadder> ladder_of(const std::vector<std::string>& texts) {
  topology::RateLadder ladder;
  Errors errors;
  for (const std::string& text : texts) {
    const auto rate = parse<DataRate>(text);
    if (!rate) errors.push_back({"--rates: " + rate.error().front().message, {}});
    if (rate && (rate->count() <= 0 || (!ladder.empty() && *rate <= ladder.back()))) {
      errors.push_back({"--rates: rates are positive and ascend", {}});
    }
    if (rate) ladder.push_back(*rate);
  }
  if (!errors.empty()) return fail(std::move(errors));
  return ladder;
}

Result<Graph> generated(const NetworkOptions& options) {
  auto ladder = ladder_of(options.rates);
  if (!ladder) return fail(ladder.error());
  const auto parameters = parameters_after_name(options.what);
  if (!parameters) return fail(parameters.error());
  topology::FloorPlan floor = options.floor;
  if (!options.electrical_limit.empty()) {
    const auto limit = parse<Length>(options.electrical_limit);
    if (!limit) return fail("--electrical-limit: " + limit.error().front().message);
    floor.electrical_limit = *limit;
  }
  auto graph = topology::build(options.what[0], *parameters, std::move(*ladder));
  if (!graph) return graph;
  if (auto placed = topology::place_cables(*graph, floor); !placed) return fail(placed.error());
  return graph;
}

}  // namespace

void add_network_argument(CLI::App& verb, NetworkOptions& options) {
  verb.add_option("network", options.what, "A graph or topology file, or FAMILY key=value ...")
      ->required();
}

void add_network_options(CLI::App& verb, NetworkOptions& options) {
  verb.add_option("--rates", options.rates, "Rates of every link, ascending, as 10Gb/s 40Gb/s")
      ->delimiter(',');
  verb.add_option("--switches-per-rack", options.floor.switches_per_rack,
                  "Floor plan: switches in a rack")
      ->check(CLI::Range(1, 100000));
  verb.add_option("--racks-per-row", options.floor.racks_per_row, "Floor plan: racks in a row")
      ->check(CLI::Range(1, 100000));
  verb.add_option("--electrical-limit", options.electrical_limit,
                  "Longest electrical cable, as 5m");
}

Result<Graph> load_network(const NetworkOptions& options) {
  return names_a_file(options.what) ? files::read_topology(options.what[0]) : generated(options);
}

}  // namespace ebb::cli
