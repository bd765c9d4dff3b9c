// SPDX-License-Identifier: Apache-2.0
#include "command_line/command.hpp"

#include "command_line/network_options.hpp"
#include "topo/info.hpp"

#include "ebb/files/graph_file.hpp"
#include "ebb/topology/export.hpp"
#include "ebb/topology/metrics.hpp"

#include <fmt/format.h>

#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <string>

namespace ebb::cli {
namespace {

using topology::Graph;

struct Options {
  NetworkOptions network;
  std::string format = "graph";
  std::string output;
  bool json = false;
};

void write(const Graph& graph, const std::string& format, std::ostream& out) {
  if (format == "dot") return topology::to_dot(out, graph);
  if (format == "graphml") return topology::to_graphml(out, graph);
  files::write_graph(graph, out);
}

ExitCode export_graph(const Options& options) {
  const auto graph = load_network(options.network);
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
  const auto graph = load_network(options.network);
  if (!graph) return refuse(graph.error());
  const TopologyInfo info = describe(*graph);
  fmt::print("{}", options.json ? info_json(info) : info_text(info));
  return ExitCode::done;
}

ExitCode check_graph(const Options& options) {
  const auto graph = load_network(options.network);
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
  add_network_argument(*verb, options->network);
  add_network_options(*verb, options->network);
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
