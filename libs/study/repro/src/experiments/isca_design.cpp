// SPDX-License-Identifier: Apache-2.0
//
// "Energy Proportional Datacenter Networks" (ISCA 2010): the designs of Table 1, their cost in
// money, and what the evaluation comes to on them.
#include "beside_published.hpp"
#include "isca.hpp"

#include "ebb/plan/power.hpp"
#include "ebb/repro/experiment.hpp"

#include <algorithm>

namespace ebb::repro::isca_design {
namespace {

double number(std::int64_t count) { return static_cast<double>(count); }

Result<Measurements> measure_table_1(RunCache& cache) {
  const auto fbfly = isca_fbfly(cache.parts());
  const auto clos = isca_clos(cache.parts());
  if (!fbfly) return fail(fbfly.error());
  if (!clos) return fail(clos.error());
  return Measurements{
      {"clos.chips", number(clos->parts.chips)},
      {"clos.powered_chips", number(clos->parts.lit_ports) / number(clos->parts.ports_per_chip)},
      {"clos.watts", to_watts(clos->watts.idle)},
      {"clos.watts_per_gigabit", clos->watts_per_gigabit()},
      {"fbfly.chips", number(fbfly->parts.chips)},
      {"fbfly.watts", to_watts(fbfly->watts.idle)},
      {"fbfly.watts_per_gigabit", fbfly->watts_per_gigabit()},
      {"bisection", number(std::min(clos->bisection, fbfly->bisection).count()) * 1e-12},
      {"saved_watts", to_watts(clos->watts.idle - fbfly->watts.idle)}};
}

// Every cable that leaves a rack of 8 switches is longer than 5 m on the default floor, so
// electrical links are those of the hosts and of dimension 1, as in the paper.
Result<Measurements> measure_links(RunCache& cache) {
  const auto fbfly = isca_fbfly(cache.parts());
  const auto clos = isca_clos(cache.parts());
  if (!fbfly) return fail(fbfly.error());
  if (!clos) return fail(clos.error());
  const plan::PartsCount& flat = fbfly->parts;
  return Measurements{
      {"fbfly.electrical", number(flat.electrical_links)},
      {"fbfly.optical", number(flat.optical_links)},
      {"fbfly.electrical_share",
       100 * number(flat.electrical_ports) / number(flat.electrical_ports + flat.optical_ports)},
      {"clos.outside_chassis", number(clos->parts.electrical_links + clos->parts.optical_links)},
      {"clos.electrical", number(clos->parts.hosts)}};
}

Result<Measurements> measure_ports(RunCache&) {
  const auto flat5 = topology::properties("fbfly", {{"hosts", "8"}, {"dims", "8x8x8x8"}});
  const auto flat4 = topology::properties("fbfly", {{"hosts", "12"}, {"dims", "8x8x8"}});
  if (!flat5) return fail(flat5.error());
  if (!flat4) return fail(flat4.error());
  return Measurements{{"flat5.ports", number(flat5->switch_ports)},
                      {"flat4.ports", number(flat4->switch_ports)},
                      {"flat4.hosts", number(flat4->hosts)}};
}

std::vector<plots::Figure> draw_table_1(const Row& row, const Measurements& measured) {
  const double kilo = 1e-3;
  return {beside_published({.name = "table-1-power",
                            .title = "Table 1: power of the network, 32,768 hosts",
                            .y = {"power", "kW"}},
                           row, measured,
                           {{"folded Clos", "clos.watts"}, {"8-ary 5-flat", "fbfly.watts"}}, kilo),
          beside_published({.name = "table-1-chips",
                            .title = "Table 1: switch chips, 32,768 hosts",
                            .y = {"chips", ""}},
                           row, measured,
                           {{"folded Clos", "clos.chips"},
                            {"folded Clos, powered", "clos.powered_chips"},
                            {"8-ary 5-flat", "fbfly.chips"}})};
}

std::vector<plots::Figure> draw_links(const Row& row, const Measurements& measured) {
  return {beside_published({.name = "table-1-links",
                            .title = "Table 1: links (of the Clos, see the note)",
                            .y = {"links", ""}},
                           row, measured,
                           {{"8-ary 5-flat, electrical", "fbfly.electrical"},
                            {"8-ary 5-flat, optical", "fbfly.optical"},
                            {"folded Clos, outside the chassis", "clos.outside_chassis"},
                            {"folded Clos, hosts", "clos.electrical"}})};
}

constexpr double kLoad = 0.15;

Result<Measurements> measure_money(RunCache&) {
  const auto millions = [](Power power) {
    return to_dollars(plan::energy_cost(power, isca_inputs().tariff)) * 1e-6;
  };
  return Measurements{{"topology_saving", millions(watts(409'600))},
                      {"fbfly", millions(watts(737'280))},
                      {"proportional_saving", millions(watts(975'000))}};
}

// Figure 1: 32k servers of 250 W beside the folded Clos. Proportional servers draw 15 % at 15 %
// load.
Result<Measurements> measure_figure_1(RunCache& cache) {
  const auto clos = isca_clos(cache.parts());
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

// What the evaluation comes to: the largest reduction of power, and its worth on the network of
// Table 1.

constexpr double kPublishedReduction = 6.6;  // Section 4.2.2
constexpr double kReductionOfIntroduction = 6;

Result<Measurements> measure_headline(RunCache& cache) {
  const auto all = isca_runs(cache, {{kIndependent}});
  if (!all) return fail(all.error());
  const auto design = isca_fbfly(cache.parts());
  if (!design) return fail(design.error());
  double reduction = 0;
  for (const OfWorkload& of : *all)
    reduction = std::max(reduction, 1 / relative_power(of.runs[0]->report));
  const double cost =
      to_dollars(plan::energy_cost(design->watts.idle, isca_inputs().tariff)) * 1e-6;
  const auto saved_by = [&](double times) { return cost * (1 - 1 / times); };
  return Measurements{{"reduction", reduction},
                      {"saved_published", saved_by(kPublishedReduction)},
                      {"saved_contribution", saved_by(kReductionOfIntroduction)},
                      {"saved", saved_by(reduction)}};
}

}  // namespace

std::vector<Experiment> experiments() {
  return {{.id = "A1", .measure = measure_table_1, .draw = draw_table_1},
          {.id = "A2", .measure = measure_links, .draw = draw_links},
          {.id = "A3", .measure = measure_ports},
          {.id = "A4", .measure = measure_money},
          {.id = "A5", .measure = measure_figure_1, .draw = draw_figure_1},
          {"A14", measure_headline, Cost::simulated}};
}

}  // namespace ebb::repro::isca_design
