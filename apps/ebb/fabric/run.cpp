// SPDX-License-Identifier: Apache-2.0
#include "fabric/run.hpp"

#include "command_line/interrupt.hpp"
#include "fabric/ports.hpp"
#include "fabric/session.hpp"

#include <filesystem>
#include <optional>

namespace ebb::cli {
namespace {

// One session, from its start to its end.
Result<TermEnd> serve(const FabricRunOptions& options, controller::Succession& succession,
                      Prepared prepared, const drivers::PortsOn& ports,
                      std::optional<transport::Clock::time_point> not_before) {
  Session session(options, succession, std::move(prepared), ports);
  if (Errors closed = session.start(not_before); !closed.empty()) return fail(std::move(closed));
  return session.run();
}

}  // namespace

ExitCode run_fabric(const FabricRunOptions& options) {
  if (const auto where = metrics_address(options.metrics); !options.metrics.empty() && !where)
    return refuse(where.error());
  if (const auto where = address_of(options.remote); !options.remote.listen.empty() && !where)
    return refuse(where.error());
  auto prepared = prepare(options);
  if (!prepared) return refuse(prepared.error());
  const auto ports = ports_by(
      options.ports, {options.state, prepared->file.name, prepared->file.graph.switch_count(),
                      options.devices, options.modules});
  if (!ports) return refuse(ports.error());
  if (options.modules && options.ports != "gnmi")
    return refuse({{"only --ports gnmi can switch the power of modules"}});
  const std::string folder = options.state.controller(prepared->file.name);
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) return failed_outside({{problem.message(), {folder}}});
  controller::Succession succession(folder, prepared->file.name);
  notice_interrupts();
  notice_hangups();
  std::optional<transport::Clock::time_point> not_before;
  while (prepared) {
    const auto end = serve(options, succession, std::move(*prepared), *ports, not_before);
    if (!end) return failed_outside(end.error());
    if (*end == TermEnd::asked) return ExitCode::done;
    if (*end == TermEnd::deposed) {
      succession.lease().leave();
      if (!options.standby) return failed_outside({{"another controller leads this fabric", {}}});
      not_before = transport::Clock::now() + controller::kPatience;
    }
    prepared = prepare(options);
  }
  return refuse(prepared.error());
}

}  // namespace ebb::cli
