// SPDX-License-Identifier: Apache-2.0
#include "beside_published.hpp"
#include "isca_design.hpp"

namespace ebb::repro {
namespace {

double number(std::int64_t count) { return static_cast<double>(count); }

Result<Measurements> measure_table_1(Lab& lab) {
  const auto fbfly = isca_fbfly(lab.parts());
  const auto clos = isca_clos(lab.parts());
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
Result<Measurements> measure_links(Lab& lab) {
  const auto fbfly = isca_fbfly(lab.parts());
  const auto clos = isca_clos(lab.parts());
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

Result<Measurements> measure_ports(Lab&) {
  const auto flat5 = topology::figures("fbfly", {{"hosts", "8"}, {"dims", "8x8x8x8"}});
  const auto flat4 = topology::figures("fbfly", {{"hosts", "12"}, {"dims", "8x8x8"}});
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

}  // namespace

std::vector<Experiment> experiments_in_isca_table_1() {
  return {{.id = "A1", .measure = measure_table_1, .draw = draw_table_1},
          {.id = "A2", .measure = measure_links, .draw = draw_links},
          {.id = "A3", .measure = measure_ports}};
}

}  // namespace ebb::repro
