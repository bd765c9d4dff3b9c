// SPDX-License-Identifier: Apache-2.0
#include "command_line/command.hpp"

#include "command_line/text.hpp"

#include "ebb/policy/policy.hpp"
#include "ebb/routing/scheme.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/traffic/injection.hpp"
#include "ebb/traffic/pattern.hpp"
#include "ebb/traffic/size_distribution.hpp"
#include "ebb/traffic/workload_kind.hpp"
#include "ebb/units/parameters.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>
#include <string>

namespace ebb::cli {
namespace {

// Everything that is listed has a name, a summary and a table of parameters.
template <class Entry>
void print_entries(const std::string& title, std::span<const Entry> entries) {
  fmt::print("{}\n\n", title);
  for (const Entry& entry : entries) {
    fmt::print("{}\n    {}\n", entry.name, entry.summary);
    for (const Parameter& parameter : entry.parameters) {
      fmt::print("    {:<11} {}{}\n", parameter.name, parameter.help,
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

void print_sizes() {
  fmt::print("Distributions of message sizes (injection flows):\n\n");
  for (const traffic::SizeDistribution& sizes : traffic::size_distributions()) {
    fmt::print("{}\n    {}\n    mean {} bytes\n\n", sizes.name(), sizes.source(),
               with_separators((sizes.mean().count() + 4) / 8));
  }
}

}  // namespace

void add_list_command(CLI::App& app, ExitCode& code) {
  CLI::App* list = app.add_subcommand(
      "list", "What ebb knows: topologies, routings, traffic, policies, and their parameters");
  list->callback([&code] {
    print_entries("Topology families (ebb topo make FAMILY key=value ...):", topology::families());
    print_routings();
    print_entries("Traffic patterns:", traffic::pattern_kinds());
    print_entries("Injections (ebb traffic show NAME key=value ...):", traffic::injection_kinds());
    print_sizes();
    print_entries("Workloads (ebb traffic show NAME key=value ...):", traffic::workload_kinds());
    print_entries("Link-power policies:", policy::policies());
    code = ExitCode::done;
  });
}

}  // namespace ebb::cli
