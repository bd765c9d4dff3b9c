// SPDX-License-Identifier: Apache-2.0
#include "ebb/plan/sleep.hpp"

#include "emptied.hpp"
#include "sleep_wall.hpp"

#include "ebb/plan/power.hpp"
#include "ebb/plan/wall.hpp"
#include "ebb/power/model.hpp"
#include "ebb/power/power_groups.hpp"
#include "ebb/topology/placement.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace ebb::plan {
namespace {

using power::Library;
using power::PowerGroup;
using topology::Graph;
using topology::Link;
using topology::Medium;

struct Counts {
  std::int64_t switches = 0;
  std::int64_t emptied = 0;
  ByMedium between{};          // links between switches
  ByMedium between_emptied{};  // of these, those with an emptied end
  ByMedium host_links{};
  ByMedium ends_in_emptied{};  // ports of emptied switches with a cable
  ByMedium asleep{};           // links between switches
};

std::int64_t sum(const ByMedium& counts) { return counts[0] + counts[1] + counts[2]; }

void count_link(const Graph& graph, const Link& link, const std::vector<bool>& emptied,
                Counts& counts) {
  const auto medium = static_cast<std::size_t>(link.medium);
  if (!graph.connects_switches(link)) {
    ++counts.host_links.at(medium);
    return;
  }
  const int ends = (emptied[index(link.a)] ? 1 : 0) + (emptied[index(link.b)] ? 1 : 0);
  ++counts.between.at(medium);
  counts.between_emptied.at(medium) += ends > 0 ? 1 : 0;
  counts.ends_in_emptied.at(medium) += ends;
}

// Links in proportion to the load: of n links between switches n (1 - load) sleep, rounded down,
// but all of emptied switches. The others are spread over the media as there are links of each.
void count_asleep(Ratio load, Counts& counts) {
  const std::int64_t all = sum(counts.between);
  const std::int64_t awake = (all * load.num() + load.den() - 1) / load.den();
  const std::int64_t of_emptied = sum(counts.between_emptied);
  std::int64_t more = std::max<std::int64_t>(0, all - awake - of_emptied);
  std::int64_t rest = all - of_emptied;
  for (std::size_t medium = 0; medium < counts.asleep.size(); ++medium) {
    const std::int64_t left = counts.between.at(medium) - counts.between_emptied.at(medium);
    const std::int64_t taken = rest == 0 ? 0 : more * left / rest;
    counts.asleep.at(medium) = counts.between_emptied.at(medium) + taken;
    more -= taken;
    rest -= left;
  }
}

std::uint32_t connected_hosts(const Graph& graph, std::int64_t hosts) {
  return static_cast<std::uint32_t>(std::min<std::int64_t>(hosts, graph.host_count()));
}

Counts counts_of(const Graph& graph, std::int64_t hosts, Ratio load,
                 const std::vector<bool>& emptied) {
  Counts counts;
  counts.switches = graph.switch_count();
  counts.emptied = std::count(emptied.begin(), emptied.end(), true);
  const std::uint32_t connected = connected_hosts(graph, hosts);
  for (const Link& link : graph.links()) {
    if (!topology::beyond_hosts(graph, link, connected)) count_link(graph, link, emptied, counts);
  }
  count_asleep(load, counts);
  return counts;
}

// One end of a link in a switch.
struct PortPower {
  Power awake;
  Power asleep;   // of a switch that is on
  Power plugged;  // its module, which draws as long as the switch is on
};

// What a switch of the plan is made of.
struct SwitchPower {
  std::array<PortPower, 3> ports;  // by medium
  Power base;                      // beside ports and groups
  std::vector<PowerGroup> groups;
  int part_ports = 0;
};

Result<PortPower> port_of_box(const power::Box& box, std::string_view medium,
                              const Inputs& inputs) {
  const auto setup = power::setup_at(box, medium, inputs.rate);
  if (!setup) return PortPower{};  // a box without such a setup has no such ports
  return PortPower{setup->port.value + setup->up.value, {}, setup->plugged.value};
}

Result<SwitchPower> power_of_box(const power::Box& box, const Inputs& inputs) {
  SwitchPower of{
      .ports = {}, .base = box.base.value, .groups = box.groups, .part_ports = box.ports};
  of.ports[0] = *port_of_box(box, "electrical", inputs);
  of.ports[1] = *port_of_box(box, "optical", inputs);
  return of;
}

// Links of chips sleep as their rate table says; without one, or one that sleeps, they never do.
Result<SwitchPower> power_of_chip(const power::Chip& whole, const Inputs& inputs,
                                  const Library& library) {
  const power::Chip chip = power::at_rate(whole, inputs.rate);
  const auto model = link_model(inputs, library);
  if (!model) return fail(model.error());
  SwitchPower of{.ports = {},
                 .base = power::core_power(chip),
                 .groups = chip.groups,
                 .part_ports = chip.ports};
  const Power awake = power::link_power(chip);
  const bool sleeps = *model && (*model)->rate_table->sleep;
  const Power asleep = sleeps ? power::link_power(chip, (*model)->rate_table->sleep->value) : awake;
  of.ports.fill({awake, asleep, {}});
  return of;
}

Result<SwitchPower> switch_power(const Inputs& inputs, const Library& library) {
  const auto part = library.find(inputs.parts.switch_part);
  if (!part) return fail(part.error());
  auto of = std::holds_alternative<power::Box>((*part)->body)
                ? power_of_box(std::get<power::Box>((*part)->body), inputs)
                : power_of_chip(std::get<power::Chip>((*part)->body), inputs, library);
  if (of) of->base -= power::awake_power(of->groups, of->part_ports);
  return of;
}

// A switch without groups is switched off as a whole; one with groups lets these sleep.
struct Saving {
  const Counts& counts;
  const SwitchPower& power;

  [[nodiscard]] bool off() const { return power.groups.empty(); }

  [[nodiscard]] SleepingPart links() const {
    SleepingPart part{"links between switches", {}, {}};
    for (std::size_t m = 0; m < 3; ++m) {
      const PortPower& port = power.ports.at(m);
      const std::int64_t ends = 2 * counts.asleep.at(m);
      const std::int64_t ends_off = off() ? counts.ends_in_emptied.at(m) : 0;
      part.all += port.awake * (2 * counts.between.at(m));
      part.saved += (port.awake - port.asleep) * (ends - ends_off) + port.awake * ends_off;
    }
    return part;
  }
  [[nodiscard]] SleepingPart host_links() const {
    SleepingPart part{"links of hosts", {}, {}};
    for (std::size_t m = 0; m < 3; ++m)
      part.all += power.ports.at(m).awake * counts.host_links.at(m);
    return part;
  }
  // `part` is that of modules which the plan names, of one end.
  [[nodiscard]] SleepingPart modules(const std::array<Power, 3>& named) const {
    SleepingPart part{"modules of switches", {}, {}};
    for (std::size_t m = 0; m < 3; ++m) {
      const Power each = power.ports.at(m).plugged + named.at(m);
      part.all += each * (2 * counts.between.at(m) + counts.host_links.at(m));
      if (off()) part.saved += each * counts.ends_in_emptied.at(m);
    }
    return part;
  }
  [[nodiscard]] SleepingPart base() const {
    return {"switches without ports", power.base * counts.switches,
            off() ? power.base * counts.emptied : Power{}};
  }
  [[nodiscard]] SleepingPart group(const PowerGroup& group) const {
    const int count = power::count_of(group, power.part_ports);
    const Power asleep = group.asleep.value_or(group.power).value;
    return {group.name, group.power.value * (count * counts.switches),
            (group.power.value - asleep) * (count * counts.emptied)};
  }
};

std::vector<SleepingPart> sleeping_parts(const Saving& saving,
                                         const std::array<Power, 3>& modules) {
  std::vector<SleepingPart> parts = {saving.links(), saving.host_links(), saving.modules(modules)};
  for (const PowerGroup& group : saving.power.groups) parts.push_back(saving.group(group));
  parts.push_back(saving.base());
  std::erase_if(parts, [](const SleepingPart& part) { return part.all == Power{}; });
  return parts;
}

// A switch with supplies is a chip, whose links draw the same by every medium.
SleepingSwitches sleeping_switches(const Counts& counts, const SwitchPower& power,
                                   const std::array<Power, 3>& modules) {
  SleepingSwitches all{.core = power.base + power::awake_power(power.groups, power.part_ports),
                       .link = power.ports[0].awake,
                       .link_asleep = power.ports[0].asleep,
                       .modules = modules,
                       .off = power.groups.empty()};
  all.groups_asleep_save = power::awake_power(power.groups, power.part_ports) -
                           power::asleep_power(power.groups, power.part_ports);
  for (std::size_t m = 0; m < all.left.size(); ++m) {
    all.left.at(m) = counts.between.at(m) - counts.between_emptied.at(m);
    all.asleep.at(m) = counts.asleep.at(m) - counts.between_emptied.at(m);
  }
  return all;
}

}  // namespace

Power SleepPotential::saved() const {
  Power sum;
  for (const SleepingPart& part : parts) sum += part.saved;
  return sum;
}

Result<SleepPotential> sleep_potential(const Design& design, Ratio load, const Inputs& inputs,
                                       const Library& library) {
  const Candidate& candidate = design.candidate;
  auto graph = topology::build(candidate.family, candidate.parameters, {inputs.rate});
  if (!graph) return fail(graph.error());
  if (const auto placed = topology::place_cables(*graph, inputs.floor); !placed)
    return fail(placed.error());
  Inputs at_load = inputs;
  at_load.load = load;
  const auto network = power_breakdown(design.parts, at_load, library);
  const auto power = switch_power(inputs, library);
  const auto modules = module_ends(inputs, library);
  const auto supply = supply_of(inputs, library);
  if (!network) return fail(network.error());
  if (!power) return fail(power.error());
  if (!modules) return fail(modules.error());
  if (!supply) return fail(supply.error());
  const std::vector<bool> emptied = emptied_switches(*graph, inputs.hosts, load);
  const Counts counts = counts_of(*graph, inputs.hosts, load, emptied);
  SleepPotential found{load,
                       counts.emptied,
                       sum(counts.between),
                       sum(counts.asleep),
                       sleeping_parts(Saving{counts, *power}, *modules),
                       network->sum(),
                       std::nullopt};
  if (!*supply || !design.wall) return found;
  const auto ends = ends_of(*graph, connected_hosts(*graph, inputs.hosts), emptied);
  found.wall = {
      network->sum() + design.wall->lost,
      saved_at_wall(sleeping_switches(counts, *power, *modules), ends, emptied, **supply)};
  return found;
}

}  // namespace ebb::plan
