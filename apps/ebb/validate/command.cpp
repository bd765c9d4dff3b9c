// SPDX-License-Identifier: Apache-2.0
#include "command_line/command.hpp"

#include "command_line/network_options.hpp"
#include "validate/replay.hpp"
#include "validate/run.hpp"

#include "ebb/routing/deadlock.hpp"
#include "ebb/routing/scheme.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>

namespace ebb::cli {
namespace {

struct DeadlockOptions {
  NetworkOptions network;
  std::string routing;
  routing::DeadlockSearch search;
};

ExitCode prove(const DeadlockOptions& options) {
  const auto graph = load_network(options.network);
  if (!graph) return refuse(graph.error());
  const auto routing = routing::make_routing(options.routing, *graph);
  if (!routing) return refuse(routing.error());
  const auto report = routing::find_deadlock(*graph, **routing, options.search);
  if (!report) return refuse(report.error());
  if (report->cycle.empty()) {
    fmt::print("acyclic: {} channels x {} virtual channels, {} dependencies\n", report->channels,
               report->virtual_channels, report->dependencies);
    return ExitCode::done;
  }
  fmt::print("cycle of {}: {}\n", report->cycle.size(), routing::cycle_text(*graph, report->cycle));
  return ExitCode::not_met;
}

}  // namespace

void add_validate_command(CLI::App& app, ExitCode& code) {
  CLI::App* validate =
      app.add_subcommand("validate", "Prove that a network and the simulator work as they should");
  validate->require_subcommand(1);
  const auto options = std::make_shared<DeadlockOptions>();
  CLI::App* deadlock = validate->add_subcommand(
      "deadlock", "Whether packets of a routing can wait for each other in a circle");
  add_network_argument(*deadlock, options->network);
  deadlock->add_option("--routing", options->routing, "One of the routings of `ebb list`")
      ->required();
  deadlock
      ->add_option("--virtual-channels", options->search.virtual_channels,
                   "What if switches have only so many? Without it, as many as the routing needs")
      ->check(CLI::Range(1, 255));
  deadlock->callback([options, &code] { code = prove(*options); });
  add_validate_replay(*validate, code);
  add_validate_checks(*validate, code);
}

}  // namespace ebb::cli
