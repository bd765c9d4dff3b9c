// SPDX-License-Identifier: Apache-2.0

#include "ebb/runtime/description.hpp"

#include "json_values.hpp"

#include "ebb/controller/safety.hpp"
#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/forwarding/address.hpp"
#include "ebb/testbed/fabric.hpp"
#include "ebb/topology/metrics.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

namespace ebb::runtime {

using topology::ChannelId;
using topology::LinkId;

std::uint32_t links_between_switches(const topology::Graph& graph) {
  std::uint32_t count = 0;
  for (std::uint32_t link = 0; link < graph.link_count(); ++link)
    count += graph.connects_switches(LinkId{link}) ? 1 : 0;
  return count;
}

std::vector<std::string> switch_names(const topology::Graph& graph) {
  std::vector<std::string> names;
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s)
    names.push_back(graph.name(graph.switch_node(s)));
  return names;
}

Result<std::string> fabric_named(const std::string& name, const testbed::StateFolder& state) {
  if (!name.empty()) {
    auto found = testbed::find_fabric(name, state);
    if (!found && !std::filesystem::exists(state.controller(name))) return fail(found.error());
    return name;
  }
  const auto fabrics = testbed::standing_fabrics(state);
  if (fabrics.size() == 1) return fabrics[0].name;
  return fail(fabrics.empty() ? "no fabric is up" : "several fabrics are up: say --fabric NAME");
}

namespace {

// Those that have no place yet get that of the section.
Failure at_line(Errors errors, const fabric_config::FabricFile& file, int line) {
  for (Error& error : errors) {
    if (error.where.file.empty()) error.where = {file.path, line};
  }
  return fail(std::move(errors));
}

Result<drivers::Description> tables_of(const fabric_config::FabricFile& file) {
  auto plan = forwarding::AddressPlan::make(file.graph);
  if (!plan) return fail(plan.error());
  drivers::Description made{file.graph, std::move(*plan), {}};
  auto tables = forwarding::fabric_tables(made.graph, made.plan);
  if (!tables) return fail(tables.error());
  made.tables = std::move(*tables);
  return made;
}

// Ports between switches have several rates.
bool has_rates(const topology::Graph& graph) {
  for (const topology::Link& link : graph.links()) {
    if (graph.connects_switches(link) && graph.rate_table(link).size() > 1) return true;
  }
  return false;
}

// What the world can do, as far as links of this fabric may sleep and have rates.
policy::Abilities abilities_of(const fabric_config::FabricFile& file, const LiveAbilities& can) {
  policy::Abilities abilities = policy::world_named(can.world).abilities;
  std::erase_if(abilities, [&](policy::Ability ability) {
    const bool of_rates =
        ability == policy::Ability::set_rate || ability == policy::Ability::slow_when_idle;
    return of_rates ? !has_rates(file.graph) : !can.links_sleep;
  });
  return abilities;
}

// Policies that can act here with their defaults: "; policies that can: stages, consolidate".
std::string policies_that_can(const fabric_config::FabricFile& file, const LiveAbilities& can) {
  std::vector<std::string> names;
  for (const policy::Entry& entry : policy::policies()) {
    const auto made = policy::make_policy(entry.name, {});
    if (!made->policy->acts_by().empty() && !made->policy->needs_next_hops() &&
        policy::can_act(*made->policy, abilities_of(file, can)))
      names.push_back(entry.name);
  }
  return names.empty() ? "" : fmt::format("; policies that can: {}", fmt::join(names, ", "));
}

std::string why_no_rates(const fabric_config::FabricFile& file) {
  if (!has_rates(file.graph)) return "links between switches have one rate";
  return "OpenFlow does not set rates; --ports snmp and --ports gnmi do";
}

std::string why_it_cannot_act(const fabric_config::FabricFile& file, const policy::Made& made) {
  const policy::Ability ability = made.policy->acts_by().front();
  const auto refuse = [&](std::string_view why) {
    return fmt::format("'{}' can change nothing here: it {}, but {}", made.name, to_text(ability),
                       why);
  };
  switch (ability) {
    case policy::Ability::set_rate:
    case policy::Ability::slow_when_idle:
      return refuse(why_no_rates(file));
    case policy::Ability::wake_when_announced:
    case policy::Ability::wake_when_planned:
      return refuse("hosts do not announce their messages");
    case policy::Ability::sleep_when_idle:
    case policy::Ability::sleep:
    case policy::Ability::sleep_of_tiers:
      break;
  }
  return refuse("no link may sleep: each is needed to reach everyone");
}

}  // namespace

Result<drivers::Description> describe(const fabric_config::FabricFile& file) {
  auto made = tables_of(file);
  if (!made) return at_line(made.error(), file, file.lines.topology);
  return made;
}

Result<power::PortWatts> port_watts(const fabric_config::FabricFile& file,
                                    const LoadParts& load_parts, bool modules_sleep) {
  if (file.switch_part.empty()) return power::PortWatts{};
  const auto library = load_parts();
  if (!library) return at_line(library.error(), file, file.lines.parts);
  auto found = power::port_watts(*library, file.switch_part, file.setup, modules_sleep);
  if (!found) return at_line(found.error(), file, file.lines.parts);
  return found;
}

Result<Power> box_watts(const fabric_config::FabricFile& file, const LoadParts& load_parts) {
  if (file.switch_part.empty()) return Power{};
  const auto library = load_parts();
  if (!library) return at_line(library.error(), file, file.lines.parts);
  const auto box = library->find_as<power::Box>(file.switch_part);
  if (!box) return at_line(box.error(), file, file.lines.parts);
  return (*box)->base.value;
}

Power boxes_that_go_off(const topology::Graph& graph, const controller::SwitchPower& power,
                        Power box) {
  Power sum;
  for (const std::uint32_t device : power.devices) {
    if (!topology::has_hosts(graph, device)) sum += box;
  }
  return sum;
}

Power saved_by_boxes(const topology::Graph& graph, const controller::Controller& controller,
                     const power::PortWatts& port, Power box) {
  Power saved;
  for (const auto& [device, out] : controller.switches_out()) {
    if (out.state != controller::SwitchState::off) continue;
    const auto ports = graph.outputs(graph.switch_node(device)).size();
    saved += box + port.asleep * static_cast<std::int64_t>(ports);
  }
  return saved;
}

namespace {

// By asking for it. What sleeps by a trigger is known to nobody but the link.
bool puts_links_to_sleep(const policy::Policy& policy) {
  const policy::Abilities acts_by = policy.acts_by();
  return std::any_of(acts_by.begin(), acts_by.end(), [](policy::Ability one) {
    return one == policy::Ability::sleep || one == policy::Ability::sleep_of_tiers;
  });
}

// Why the policy cannot decide or act here; nothing: it can.
std::optional<std::string> why_not(const fabric_config::FabricFile& file, const LiveAbilities& can,
                                   const policy::Made& made) {
  if (!policy::can_act(*made.policy, abilities_of(file, can)))
    return why_it_cannot_act(file, made) + policies_that_can(file, can);
  if (const auto why = controller::cannot_keep(made, file.safety))
    return made.policy->needs_next_hops() ? *why + policies_that_can(file, can) : *why;
  if (file.switch_power && file.switch_power->by_policy && !puts_links_to_sleep(*made.policy)) {
    return fmt::format(
        "'{}' never asks for whole links to sleep, and so never for switches: switch_power has "
        "'drained_by: policy'",
        made.name);
  }
  const auto objection = can.objection ? can.objection(*made.policy) : std::nullopt;
  if (!objection) return std::nullopt;
  return fmt::format("'{}' can change nothing here: it {}{}", made.name, *objection,
                     policies_that_can(file, can));
}

}  // namespace

LiveAbilities abilities_on(const forwarding::TableWalker& walker,
                           const forwarding::SleepableLinks& sleepable,
                           const power::PortWatts& port, const std::string& world) {
  const std::vector<bool>& may_sleep = sleepable.may_sleep;
  const auto objection = [&](const policy::Policy& policy) -> std::optional<std::string> {
    if (!policy.needs_next_hops()) return std::nullopt;
    const topology::Graph& graph = walker.graph();
    controller::Sampler sampler(graph, controller::channel_facts(graph, sleepable, port));
    const std::vector<policy::State> awake(graph.channel_count());
    return policy.objection(sampler.sample(TimePoint{}, awake), controller::next_hops_of(walker));
  };
  return {.world = world,
          .links_sleep = std::find(may_sleep.begin(), may_sleep.end(), true) != may_sleep.end(),
          .objection = objection};
}

Result<policy::Made> live_policy(const fabric_config::FabricFile& file, const LiveAbilities& can) {
  auto made = policy::make_policy(file.policy.name, file.policy.parameters);
  if (!made) return at_line(made.error(), file, file.lines.policy);
  if (const auto why = why_not(file, can, *made)) return fail(*why, {file.path, file.lines.policy});
  return made;
}

Result<policy::Made> live_policy(const fabric_config::FabricFile& file, const LiveAbilities& can,
                                 policy::Made made) {
  if (made.policy->needs_next_hops() && !policy::find_policy(made.name)) {
    return fail(fmt::format("'{}' needs the next-hop sets of the routing, which a live controller "
                            "tells its own policies alone",
                            made.name),
                {.path = "policy"});
  }
  if (const auto why = why_not(file, can, made)) return fail(*why, {.path = "policy"});
  return made;
}

drivers::RateSetter rates_of(const fabric_config::FabricFile& file,
                             const testbed::StateFolder& state) {
  auto manifest = testbed::read_manifest(file.name, state);
  if (!manifest) return {};
  const auto rates = std::make_shared<testbed::PortRates>(std::move(*manifest));
  // Port numbers of OpenFlow begin at 1.
  return {.set = [rates](std::uint32_t device, forwarding::PortNumber port,
                         DataRate rate) { return rates->set(device, port - 1, rate); },
          .read = [rates](std::uint32_t device,
                          forwarding::PortNumber port) { return rates->read(device, port - 1); }};
}

Power saved_by_rates(const topology::Graph& graph, const controller::Controller& controller,
                     const power::PortWatts& port) {
  Power saved;
  for (std::uint32_t which = 0; which < graph.link_count(); ++which) {
    const topology::LinkId link{which};
    const policy::RateLevel top = controller.rate(link).top();
    const policy::RateLevel level = controller.rate_level(link);
    if (level == top || controller.sleeps(link)) continue;
    const std::vector<Power> watts = port.at(graph.rate_table(graph.link(link)));
    saved += (watts[index(top)] - watts[index(level)]) * 2;
  }
  return saved;
}

namespace {

Json end_json(const testbed::Layout& layout, const testbed::End& end) {
  return {{"node", layout.nodes[end.node].name}, {"port", end.port + 1}};
}

// 10.x.y.z, where x.y.z are the low bits of the MAC: whoever knows one knows the other, so switches
// can answer ARP by arithmetic.
testbed::HostAddress host_address(const forwarding::AddressPlan& plan, std::uint32_t host) {
  constexpr std::uint32_t kTen = 10U << 24U;
  constexpr std::uint32_t kLow = 0x00ffffff;
  const forwarding::Address address = plan.of_host(host);
  return {static_cast<std::uint64_t>(forwarding::mac_of(address)),
          kTen | (static_cast<std::uint32_t>(address) & kLow)};
}

}  // namespace

std::string ipv4_text(std::uint32_t address) {
  return fmt::format("{}.{}.{}.{}", address >> 24U, address >> 16U & 0xffU, address >> 8U & 0xffU,
                     address & 0xffU);
}

Result<testbed::Layout> layout_of(const std::string& path) {
  constexpr int kMostBits = 24;
  auto file = fabric_config::read_fabric(path, fabric_config::Site::test_fabric);
  if (!file) return fail(file.error());
  const auto plan = forwarding::AddressPlan::make(file->graph);
  if (!plan) return fail(plan.error());
  if (plan->bits() > kMostBits) {
    return fail(
        fmt::format("addresses of {} bits; a test fabric has at most {}", plan->bits(), kMostBits),
        {path});
  }
  std::vector<testbed::HostAddress> addresses;
  for (std::uint32_t host = 0; host < file->graph.host_count(); ++host)
    addresses.push_back(host_address(*plan, host));
  return testbed::lay_out(file->name, file->graph, std::move(addresses));
}

Json layout_json(const testbed::Layout& layout) {
  Json switches = Json::array();
  for (std::size_t s = 0; s < layout.switches; ++s)
    switches.push_back({{"name", layout.nodes[s].name}, {"datapath_id", s + 1}});
  Json hosts = Json::array();
  for (std::size_t h = 0; h < layout.hosts(); ++h) {
    const testbed::HostAddress& address = layout.addresses[h];
    hosts.push_back({{"name", layout.nodes[layout.switches + h].name},
                     {"mac", forwarding::to_text(forwarding::Mac{address.mac})},
                     {"address", ipv4_text(address.ipv4) + "/8"}});
  }
  Json cables = Json::array();
  for (const testbed::Cable& cable : layout.cables) {
    const DataRate rate = layout.nodes[cable.a.node].ports[cable.a.port].rate;
    cables.push_back({{"a", end_json(layout, cable.a)},
                      {"b", end_json(layout, cable.b)},
                      {"rate_bit_per_s", rate.count()}});
  }
  return {{"fabric", layout.name}, {"switches", switches}, {"hosts", hosts}, {"cables", cables}};
}

}  // namespace ebb::runtime
