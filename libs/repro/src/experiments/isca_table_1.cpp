// SPDX-License-Identifier: Apache-2.0
#include "experiments/isca_design.hpp"
#include "experiments/measure.hpp"

namespace ebb::repro {
namespace {

double number(std::int64_t count) { return static_cast<double>(count); }

}  // namespace

Result<Measurements> measure_isca_table_1(const power::Library& parts) {
  const auto fbfly = isca_fbfly(parts);
  const auto clos = isca_clos(parts);
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
Result<Measurements> measure_isca_links(const power::Library& parts) {
  const auto fbfly = isca_fbfly(parts);
  const auto clos = isca_clos(parts);
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

Result<Measurements> measure_isca_ports(const power::Library&) {
  const auto flat5 = topology::figures("fbfly", {{"hosts", "8"}, {"dims", "8x8x8x8"}});
  const auto flat4 = topology::figures("fbfly", {{"hosts", "12"}, {"dims", "8x8x8"}});
  if (!flat5) return fail(flat5.error());
  if (!flat4) return fail(flat4.error());
  return Measurements{{"flat5.ports", number(flat5->switch_ports)},
                      {"flat4.ports", number(flat4->switch_ports)},
                      {"flat4.hosts", number(flat4->hosts)}};
}

}  // namespace ebb::repro
