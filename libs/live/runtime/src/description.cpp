// SPDX-License-Identifier: Apache-2.0
#include "ebb/runtime/description.hpp"

#include "ebb/controller/watts.hpp"
#include "ebb/testbed/fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace ebb::runtime {
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
  const auto maker = forwarding::TableMaker::make(made.graph, made.plan);
  if (!maker) return fail(maker.error());
  if (const auto offered = maker->offers(forwarding::BackupPaths::everywhere); !offered)
    return fail(offered.error());
  for (std::uint32_t s = 0; s < made.graph.switch_count(); ++s)
    made.tables.push_back(
        maker->table(s, forwarding::Detail::compact, forwarding::BackupPaths::everywhere));
  return made;
}

Result<controller::PortWatts> watts_of(const fabric_config::FabricFile& file,
                                       const LoadParts& load_parts, bool modules_sleep) {
  const auto library = load_parts();
  if (!library) return fail(library.error());
  const auto box = library->find_as<power::Box>(file.switch_part);
  if (!box) return fail(box.error());
  const auto& setups = (*box)->setups;
  const auto setup = std::find_if(setups.begin(), setups.end(), [&](const power::PortSetup& one) {
    return file.setup.empty() || one.name == file.setup;
  });
  if (setup == setups.end())
    return fail(fmt::format("'{}' has no setup '{}'", file.switch_part, file.setup));
  return controller::PortWatts{controller::awake_watts(*setup),
                               modules_sleep ? Power{} : setup->plugged.value,
                               [box = **box, full = *setup](std::span<const DataRate> rate_table) {
                                 return controller::step_watts(box, full, rate_table);
                               }};
}

}  // namespace

Result<drivers::Description> describe(const fabric_config::FabricFile& file) {
  auto made = tables_of(file);
  if (!made) return at_line(made.error(), file, file.lines.topology);
  return made;
}

Result<controller::PortWatts> port_watts(const fabric_config::FabricFile& file,
                                         const LoadParts& load_parts, bool modules_sleep) {
  if (file.switch_part.empty()) return controller::PortWatts{};
  auto found = watts_of(file, load_parts, modules_sleep);
  if (!found) return at_line(found.error(), file, file.lines.parts);
  return found;
}

Result<policy::Made> live_policy(const fabric_config::FabricFile& file) {
  auto made = policy::make_policy(file.policy.name, file.policy.parameters);
  if (!made) return at_line(made.error(), file, file.lines.policy);
  if (!made->policy->needs_next_hops()) return made;
  return fail(
      fmt::format("'{}' needs the next-hop sets of the routing, which live tables do not tell; "
                  "take stages or consolidate",
                  made->name),
      {file.path, file.lines.policy});
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
                     const controller::PortWatts& port) {
  Power saved;
  for (std::uint32_t which = 0; which < graph.link_count(); ++which) {
    const topology::LinkId link{which};
    const controller::LinkRate& rate = controller.rate(link);
    if (rate.step() == rate.top()) continue;
    if (controller.link(link).state() == controller::LinkState::asleep) continue;
    const std::vector<Power> watts = port.at(graph.rate_table(graph.link(link)));
    saved += (watts[index(rate.top())] - watts[index(rate.step())]) * 2;
  }
  return saved;
}

}  // namespace ebb::runtime
