// SPDX-License-Identifier: Apache-2.0
//
// What designers of multi-plane networks claim: with a chip's rate on eight times as many ports,
// two levels of switches hold as many hosts as three, with fewer switches and optics for each host.
#include "ebb/repro/experiment.hpp"
#include "ebb/topology/family.hpp"

namespace ebb::repro::multi_plane_design {
namespace {

constexpr std::int64_t kPlanes = 8;
constexpr DataRate kHostRate = gigabits_per_second(800);

// Of a network, for each host.
struct PerHost {
  double hosts = 0;
  double levels = 0;
  double switches = 0;
  double optics = 0;  // ends of links, in those of a link of the host's rate
};

// A folded Clos: two hosts as far apart as can be are 2 (levels - 1) links between switches apart.
Result<PerHost> count(const ParameterTexts& parameters, DataRate link_rate) {
  const auto known = topology::properties("clos", parameters);
  if (!known) return fail(known.error());
  const auto graph = topology::build("clos", parameters, {link_rate});
  if (!graph) return fail(graph.error());
  const auto hosts = static_cast<double>(graph->hosts_of_plane());
  const double ends = 2.0 * graph->link_count();
  const double share_of_rate =
      static_cast<double>(link_rate.count()) / static_cast<double>(kHostRate.count());
  const auto levels = known->diameter / 2 + 1;
  return PerHost{hosts, static_cast<double>(levels), graph->switch_count() / hosts,
                 ends * share_of_rate / hosts};
}

Result<Measurements> measure_claim(RunCache&) {
  const auto planes = count(
      {{"levels", "2"}, {"ports", "512"}, {"hosts", "131072"}, {"planes", std::to_string(kPlanes)}},
      scale(kHostRate, Ratio(1, kPlanes)));
  const auto single = count({{"levels", "3"}, {"ports", "64"}, {"hosts", "65536"}}, kHostRate);
  if (!planes) return fail(planes.error());
  if (!single) return fail(single.error());
  return Measurements{{"hosts", planes->hosts},
                      {"levels", planes->levels},
                      {"switches_share", 100 * planes->switches / single->switches},
                      {"optics_share", 100 * planes->optics / single->optics}};
}

}  // namespace

std::vector<Experiment> experiments() { return {{.id = "E1", .measure = measure_claim}}; }

}  // namespace ebb::repro::multi_plane_design
