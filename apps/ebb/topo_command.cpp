// SPDX-License-Identifier: Apache-2.0
#include "command.hpp"
#include "topo_info.hpp"

#include "ebb/config/graph_file.hpp"
#include "ebb/config/topology_file.hpp"
#include "ebb/topology/export.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/topology/metrics.hpp"
#include "ebb/topology/placement.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace ebb::cli {
namespace {

using topology::Graph;

struct Options {
  std::vector<std::string> what;  // FILE, or FAMILY key=value ...
  std::vector<std::string> rates = {"40Gb/s"};
  std::string format = "graph";
  std::string output;
  topology::FloorPlan floor;
  std::string electrical_limit;
  bool json = false;
};

bool names_a_file(const std::vector<std::string>& what) {
  return what.size() == 1 &&
         (what[0].find('.') != std::string::npos || what[0].find('/') != std::string::npos);
}

Result<topology::RateLadder> ladder_of(const std::vector<std::string>& texts) {
  topology::RateLadder ladder;
  Errors errors;
  for (const std::string& text : texts) {
    const auto rate = parse<DataRate>(text);
    if (!rate) errors.push_back({"--rates: " + rate.error().front().message, {}});
    if (rate && (rate->count() <= 0 || (!ladder.empty() && *rate <= ladder.back()))) {
      errors.push_back({"--rates: rates are positive and ascend", {}});
    }
    if (rate) ladder.push_back(*rate);
  }
  if (!errors.empty()) return fail(std::move(errors));
  return ladder;
}

Result<ParameterTexts> parameters_of(const std::vector<std::string>& what) {
  ParameterTexts parameters;
  Errors errors;
  for (std::size_t i = 1; i < what.size(); ++i) {
    const auto equals = what[i].find('=');
    if (equals == std::string::npos)
      errors.push_back({fmt::format("'{}' is not key=value", what[i]), {}});
    if (equals != std::string::npos)
      parameters.emplace_back(what[i].substr(0, equals), what[i].substr(equals + 1));
  }
  if (!errors.empty()) return fail(std::move(errors));
  return parameters;
}

Result<Graph> generated(const Options& options) {
  auto ladder = ladder_of(options.rates);
  if (!ladder) return fail(ladder.error());
  const auto parameters = parameters_of(options.what);
  if (!parameters) return fail(parameters.error());
  topology::FloorPlan floor = options.floor;
  if (!options.electrical_limit.empty()) {
    const auto limit = parse<Length>(options.electrical_limit);
    if (!limit) return fail("--electrical-limit: " + limit.error().front().message);
    floor.electrical_limit = *limit;
  }
  auto graph = topology::build(options.what[0], *parameters, std::move(*ladder));
  if (!graph) return graph;
  if (auto placed = topology::place_cables(*graph, floor); !placed) return fail(placed.error());
  return graph;
}

// Cables of a generated network are laid on the floor plan; a file says where its own run.
Result<Graph> load(const Options& options) {
  return names_a_file(options.what) ? config::read_topology(options.what[0]) : generated(options);
}

void write(const Graph& graph, const std::string& format, std::ostream& out) {
  if (format == "dot") return topology::to_dot(out, graph);
  if (format == "graphml") return topology::to_graphml(out, graph);
  config::write_graph(graph, out);
}

ExitCode export_graph(const Options& options) {
  const auto graph = load(options);
  if (!graph) return refuse(graph.error());
  if (options.output.empty()) {
    write(*graph, options.format, std::cout);
    return std::cout.flush() ? ExitCode::done : ExitCode::outside;
  }
  std::ofstream file(options.output, std::ios::binary);
  if (file) write(*graph, options.format, file);
  if (!file.flush()) {
    fmt::print(stderr, "{}: error: cannot be written\n", options.output);
    return ExitCode::outside;
  }
  return ExitCode::done;
}

ExitCode print_info(const Options& options) {
  const auto graph = load(options);
  if (!graph) return refuse(graph.error());
  const TopologyInfo info = describe(*graph);
  fmt::print("{}", options.json ? info_json(info) : info_text(info));
  return ExitCode::done;
}

ExitCode check_graph(const Options& options) {
  const auto graph = load(options);
  if (!graph) return refuse(graph.error());
  if (const Errors errors = topology::check(*graph); !errors.empty()) return refuse(errors);
  fmt::print("{} hosts, {} switches, {} links: no errors\n", graph->host_count(),
             graph->switch_count(), graph->link_count());
  return ExitCode::done;
}

CLI::App* add_verb(CLI::App& topo, const std::string& name, const std::string& help,
                   const std::shared_ptr<Options>& options, ExitCode& code,
                   const std::function<ExitCode(const Options&)>& run) {
  CLI::App* verb = topo.add_subcommand(name, help);
  verb->add_option("network", options->what, "A graph or topology file, or FAMILY key=value ...")
      ->required();
  verb->add_option("--rates", options->rates, "Rates of every link, ascending, as 10Gb/s 40Gb/s")
      ->delimiter(',');
  verb->add_option("--switches-per-rack", options->floor.switches_per_rack,
                   "Floor plan: switches in a rack")
      ->check(CLI::Range(1, 100000));
  verb->add_option("--racks-per-row", options->floor.racks_per_row, "Floor plan: racks in a row")
      ->check(CLI::Range(1, 100000));
  verb->add_option("--electrical-limit", options->electrical_limit,
                   "Longest electrical cable, as 5m");
  verb->callback([options, &code, run] { code = run(*options); });
  return verb;
}

}  // namespace

void add_topo_command(CLI::App& app, ExitCode& code) {
  CLI::App* topo = app.add_subcommand("topo", "Networks: generate, describe, check, export");
  topo->require_subcommand(1);
  const auto fresh = [] { return std::make_shared<Options>(); };

  const auto make = fresh();
  add_verb(*topo, "make", "Generate a network as a graph file", make, code, export_graph)
      ->add_option("-o,--output", make->output, "File to write; standard output without it");

  const auto info = fresh();
  add_verb(*topo, "info", "Hosts, switches, links, ports, distances, bisection", info, code,
           print_info)
      ->add_flag("--json", info->json, "Machine-readable output");

  add_verb(*topo, "check", "Read a network and report every mistake", fresh(), code, check_graph);

  const auto exported = fresh();
  CLI::App* verb = add_verb(*topo, "export", "Write for other tools", exported, code, export_graph);
  verb->add_option("--format", exported->format, "graph, dot or graphml")
      ->check(CLI::IsMember({"graph", "dot", "graphml"}));
  verb->add_option("-o,--output", exported->output, "File to write; standard output without it");
}

}  // namespace ebb::cli
