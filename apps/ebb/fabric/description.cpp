// SPDX-License-Identifier: Apache-2.0
#include "fabric/description.hpp"

#include "command_line/data_folder.hpp"

#include "ebb/controller/step_watts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::cli {
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
  if (const auto offered = maker->offers(forwarding::Alternatives::everywhere); !offered)
    return fail(offered.error());
  for (std::uint32_t s = 0; s < made.graph.switch_count(); ++s)
    made.tables.push_back(
        maker->table(s, forwarding::Detail::compact, forwarding::Alternatives::everywhere));
  return made;
}

Result<controller::PortWatts> watts_of(const fabric_config::FabricFile& file, bool modules_sleep) {
  const auto library = load_parts({});
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
                               [box = **box, full = *setup](std::span<const DataRate> ladder) {
                                 return controller::step_watts(box, full, ladder);
                               }};
}

}  // namespace

Result<drivers::Description> describe(const fabric_config::FabricFile& file) {
  auto made = tables_of(file);
  if (!made) return at_line(made.error(), file, file.lines.topology);
  return made;
}

Result<controller::PortWatts> port_watts(const fabric_config::FabricFile& file,
                                         bool modules_sleep) {
  if (file.switch_part.empty()) return controller::PortWatts{};
  auto found = watts_of(file, modules_sleep);
  if (!found) return at_line(found.error(), file, file.lines.parts);
  return found;
}

Result<policy::Made> live_policy(const fabric_config::FabricFile& file) {
  auto made = policy::make_policy(file.policy.name, file.policy.parameters);
  if (!made) return at_line(made.error(), file, file.lines.policy);
  if (!made->policy->wants_ways()) return made;
  return fail(fmt::format("'{}' needs to know all ways of packets, which live tables do not tell; "
                          "take stages or consolidate",
                          made->name),
              {file.path, file.lines.policy});
}

}  // namespace ebb::cli
