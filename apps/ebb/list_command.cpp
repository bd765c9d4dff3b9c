// SPDX-License-Identifier: Apache-2.0
#include "command.hpp"
#include "table.hpp"

#include "ebb/routing/scheme.hpp"
#include "ebb/topology/family.hpp"

#include <fmt/format.h>

namespace ebb::cli {
namespace {

void print_families() {
  fmt::print("Topology families (ebb topo make FAMILY key=value ...):\n\n");
  for (const topology::Family& family : topology::families()) {
    fmt::print("{}\n    {}\n", family.name, family.summary);
    for (const topology::Parameter& parameter : family.parameters) {
      fmt::print("    {:<12}{}{}\n", parameter.name, parameter.help,
                 parameter.fallback ? fmt::format(" (default {})", *parameter.fallback) : "");
    }
    fmt::print("\n");
  }
}

void print_routings() {
  fmt::print("Routings (ebb validate deadlock FAMILY key=value ... --routing NAME):\n\n");
  for (const routing::Scheme& scheme : routing::schemes()) {
    fmt::print("{}\n    {}\n    on {}\n\n", scheme.name, scheme.summary,
               scheme.families.empty() ? "any graph"
                                       : fmt::format("{}", fmt::join(scheme.families, ", ")));
  }
}

}  // namespace

void add_list_command(CLI::App& app, ExitCode& code) {
  CLI::App* list = app.add_subcommand(
      "list", "What ebb knows: topology families and their parameters, routings");
  list->callback([&code] {
    print_families();
    print_routings();
    code = ExitCode::done;
  });
}

}  // namespace ebb::cli
