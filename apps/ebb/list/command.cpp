// SPDX-License-Identifier: Apache-2.0
#include "command_line/command.hpp"

#include "command_line/text.hpp"

#include "ebb/applications/application.hpp"
#include "ebb/core/names.hpp"
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

#include <algorithm>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace ebb::cli {
namespace {

std::string alias_text(const topology::Alias& alias) {
  std::string text = alias.name;
  for (const auto& [key, value] : alias.fixed) text += fmt::format(" ({}={})", key, value);
  return text;
}

void print_aliases(const topology::Family& family) {
  if (family.aliases.empty()) return;
  std::vector<std::string> texts;
  for (const topology::Alias& alias : family.aliases) texts.push_back(alias_text(alias));
  fmt::print("    also called {}\n", fmt::join(texts, ", "));
}

void print_parameter(const Parameter& parameter) {
  fmt::print("    {:<11} {}{}\n", parameter.name, parameter.help,
             parameter.fallback ? fmt::format(" (default {})", *parameter.fallback) : "");
}

// Everything that is listed has a name, a summary and a table of parameters.
template <class Entry>
void print_entries(const std::string& title, std::span<const Entry> entries) {
  fmt::print("{}\n\n", title);
  for (const Entry& entry : entries) {
    fmt::print("{}\n    {}\n", coloured(entry.name, Colour::name, stdout), entry.summary);
    if constexpr (std::is_same_v<Entry, topology::Family>) print_aliases(entry);
    for (const Parameter& parameter : entry.parameters) print_parameter(parameter);
    fmt::print("\n");
  }
}

void print_families() {
  print_entries("Topology families (ebb topo make FAMILY key=value ...):", topology::families());
  fmt::print("Every family has\n");
  print_parameter(topology::planes_parameter());
  fmt::print("\n");
}

void print_routings() {
  fmt::print("Routings (ebb validate deadlock FAMILY key=value ... --routing NAME):\n\n");
  for (const routing::Scheme& scheme : routing::schemes()) {
    fmt::print("{}\n    {}\n    on {}\n\n", coloured(scheme.name, Colour::name, stdout),
               scheme.summary,
               scheme.families.empty() ? "any graph"
                                       : fmt::format("{}", fmt::join(scheme.families, ", ")));
  }
}

void print_sizes() {
  fmt::print("Distributions of message sizes (injection flows):\n\n");
  for (const traffic::SizeDistribution& sizes : traffic::size_distributions()) {
    fmt::print("{}\n    {}\n    mean {} bytes\n\n", coloured(sizes.name(), Colour::name, stdout),
               sizes.source(), with_separators((sizes.mean().count() + 4) / 8));
  }
}

// Policies with their defaults, by world.
void print_worlds() {
  fmt::print(
      "Where they run (what a world cannot carry out is refused when the file is read):\n\n");
  const auto print_row = [](const std::string& first, const auto& cell) {
    std::string row = fmt::format("{:<15}", first);
    for (const policy::PolicyWorld& world : policy::worlds())
      row += fmt::format(" {:<10}", cell(world));
    fmt::print("{}\n", row.substr(0, row.find_last_not_of(' ') + 1));
  };
  print_row("", [](const policy::PolicyWorld& world) { return world.name; });
  for (const policy::Entry& entry : policy::policies()) {
    const auto made = policy::make_policy(entry.name, {});
    print_row(entry.name, [&](const policy::PolicyWorld& world) {
      if (policy::can_run(*made->policy, world)) return "yes";
      const auto paired = policy::make_policy(entry.name, {{"channels", "paired"}});
      return paired && policy::can_run(*paired->policy, world) ? "paired" : "-";
    });
  }
  fmt::print("\npaired: with the parameter 'channels: paired'\n\n");
  for (const policy::PolicyWorld& world : policy::worlds())
    fmt::print("{:<15} {}\n", world.name, world.summary);
  fmt::print("\n");
}

void print_policies() {
  print_entries("Link-power policies:", policy::policies());
  print_worlds();
}

// One of the lists that `ebb list` prints one after the other.
struct Listing {
  std::string name;  // `ebb list NAME`
  void (*print)() = nullptr;
};

const std::vector<Listing>& listings() {
  static const std::vector<Listing> kListings = {
      {"families", print_families},
      {"routings", print_routings},
      {"patterns", [] { print_entries("Traffic patterns:", traffic::pattern_kinds()); }},
      {"injections",
       [] {
         print_entries("Injections (ebb traffic show NAME key=value ...):",
                       traffic::injection_kinds());
       }},
      {"sizes", print_sizes},
      {"workloads",
       [] {
         print_entries("Workloads (ebb traffic show NAME key=value ...):",
                       traffic::workload_kinds());
       }},
      {"applications",
       [] {
         print_entries("Applications (ebb trace make NAME --set key=value ...):",
                       applications::applications());
       }},
      {"policies", print_policies}};
  return kListings;
}

// The names people try beside those of the listings.
std::string listing_name(const std::string& typed) {
  if (typed == "topologies" || typed == "networks") return "families";
  if (typed == "routing") return "routings";
  if (typed == "distributions") return "sizes";
  return typed;
}

ExitCode print_lists(const std::vector<std::string>& names) {
  std::vector<const Listing*> chosen;
  Errors errors;
  for (const std::string& name : names) {
    const auto found = find_named("list", listings(), listing_name(name), &Listing::name);
    if (found) chosen.push_back(*found);
    if (!found) errors.insert(errors.end(), found.error().begin(), found.error().end());
  }
  if (!errors.empty()) return refuse(errors);
  for (const Listing& listing : listings()) {
    const bool wanted =
        names.empty() || std::find(chosen.begin(), chosen.end(), &listing) != chosen.end();
    if (wanted) listing.print();
  }
  return ExitCode::done;
}

}  // namespace

void add_list_command(CLI::App& app, ExitCode& code) {
  const auto names = std::make_shared<std::vector<std::string>>();
  CLI::App* list = app.add_subcommand(
      "list", "What ebb knows: topologies, routings, traffic, policies, and their parameters");
  std::vector<std::string> words;
  for (const Listing& listing : listings()) words.push_back(listing.name);
  list->add_option("what", *names, fmt::format("{}; all without", fmt::join(words, ", ")))
      ->type_name(fmt::format("{{{}}}", fmt::join(words, ",")));
  list->callback([names, &code] { code = print_lists(*names); });
}

}  // namespace ebb::cli
