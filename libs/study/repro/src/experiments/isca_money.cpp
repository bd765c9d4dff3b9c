// SPDX-License-Identifier: Apache-2.0
#include "beside_published.hpp"
#include "isca_design.hpp"

#include "ebb/plan/energy_cost.hpp"

namespace ebb::repro {
namespace {

constexpr double kLoad = 0.15;

Result<Measurements> measure_money(Lab&) {
  const auto millions = [](Power power) {
    return to_dollars(plan::energy_cost(power, isca_inputs().tariff)) * 1e-6;
  };
  return Measurements{{"topology_saving", millions(watts(409'600))},
                      {"fbfly", millions(watts(737'280))},
                      {"proportional_saving", millions(watts(975'000))}};
}

// Figure 1: 32k servers of 250 W beside the folded Clos. Proportional servers draw 15 % at 15 %
// load.
Result<Measurements> measure_figure_1(Lab& lab) {
  const auto clos = isca_clos(lab.parts());
  if (!clos) return fail(clos.error());
  const double network = to_watts(clos->watts.idle);
  const double servers = static_cast<double>(clos->parts.hosts) * 250;
  return Measurements{{"share_full_load", 100 * network / (network + servers)},
                      {"share_15", 100 * network / (network + kLoad * servers)},
                      {"saved", (1 - kLoad) * network * 1e-3},
                      {"network", network * 1e-6},
                      {"servers", servers * 1e-6}};
}

plots::Figure draw_shares(const Row& row, const Measurements& measured) {
  return beside_published(
      {.name = "figure-1-shares",
       .title = "Figure 1: share of the network in the power of the cluster",
       .y = {"share of power", "%"}},
      row, measured,
      {{"full load", "share_full_load"}, {"15 % load, servers proportional", "share_15"}});
}

// The bars of Figure 1, from left to right; the paper gives no numbers for them but the shares.
plots::Figure draw_power(const Measurements& measured) {
  const double network = value_of(measured, "network");
  const double servers = value_of(measured, "servers");
  plots::Figure figure{.name = "figure-1",
                       .title = "Figure 1: power of servers and network",
                       .kind = plots::Kind::stacked_bars,
                       .y = {"power", "MW"},
                       .categories = {"full load", "15 % load, servers proportional",
                                      "15 % load, servers and network proportional"}};
  figure.series = {{"servers", {{0, servers}, {1, kLoad * servers}, {2, kLoad * servers}}},
                   {"network", {{0, network}, {1, network}, {2, kLoad * network}}}};
  return figure;
}

std::vector<plots::Figure> draw_figure_1(const Row& row, const Measurements& measured) {
  return {draw_power(measured), draw_shares(row, measured)};
}

}  // namespace

std::vector<Experiment> experiments_in_isca_money() {
  return {{.id = "A4", .measure = measure_money},
          {.id = "A5", .measure = measure_figure_1, .draw = draw_figure_1}};
}

}  // namespace ebb::repro
