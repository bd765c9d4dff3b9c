// SPDX-License-Identifier: Apache-2.0
//
// `ebb topo`: networks are generated, described, checked and exported.
#include "command_line/command.hpp"

#include "command_line/help.hpp"
#include "command_line/inputs.hpp"
#include "command_line/text.hpp"

#include "ebb/files/topology_file.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/topology/metrics.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

namespace ebb::cli {
namespace {

// What `ebb topo info` tells of a network: measured on the graph, with the closed form of its
// family where one exists.
struct TopologyInfo {
  std::string origin;
  std::uint32_t hosts = 0;
  std::uint32_t switches = 0;
  std::uint32_t boxes = 0;
  std::uint32_t links = 0;
  topology::LinkCounts by_medium;
  topology::Degrees ports;
  topology::Distances distances;
  bool connected = false;
  std::optional<topology::Properties> closed_form;
  std::optional<topology::BisectionEstimate> estimate;  // only without a closed form
  std::size_t bytes = 0;
};

std::string origin_text(const topology::Origin& origin) {
  std::string text = origin.family;
  for (const auto& [key, value] : origin.parameters) text += fmt::format(" {}={}", key, value);
  return text;
}

std::string bisection_text(const TopologyInfo& info) {
  if (info.closed_form && info.closed_form->bisection_links > 0) {
    return fmt::format("{} links ({})", with_separators(info.closed_form->bisection_links),
                       info.closed_form->bisection_rule);
  }
  if (info.estimate) {
    return fmt::format("at most {} links (estimate: the best split METIS found, {} : {} hosts)",
                       with_separators(info.estimate->links), info.estimate->hosts_on_one_side,
                       info.estimate->hosts_on_the_other);
  }
  return "not known (ebb was built without METIS)";
}

std::string distance_rule(const topology::Distances& distances) {
  return distances.exact ? "exact" : fmt::format("sampled from {} switches", distances.sources);
}

TopologyInfo describe(const topology::Graph& graph) {
  TopologyInfo info;
  info.origin = origin_text(graph.origin());
  info.hosts = graph.hosts_of_plane();
  info.switches = graph.switch_count();
  info.boxes = graph.switch_count() / graph.chips_per_box();
  info.links = graph.link_count();
  info.by_medium = links_by_medium(graph);
  info.ports = degrees(graph);
  info.distances = distances(graph);
  info.connected = connected(graph);
  if (auto known = topology::properties(graph.origin().family, graph.origin().parameters))
    info.closed_form = *known;
  if (!info.closed_form || info.closed_form->bisection_links == 0)
    info.estimate = estimate_bisection(graph);
  info.bytes = graph.memory_bytes();
  return info;
}

std::string info_text(const TopologyInfo& info) {
  std::string text;
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("{:<18}{}\n", name, value);
  };
  line("network", info.origin);
  line("hosts", with_separators(info.hosts));
  line("switches", with_separators(info.switches) +
                       (info.boxes != info.switches
                            ? fmt::format(" chips in {} boxes", with_separators(info.boxes))
                            : ""));
  line("links",
       fmt::format("{} ({} electrical, {} optical, {} backplane)", with_separators(info.links),
                   with_separators(static_cast<std::int64_t>(info.by_medium.electrical)),
                   with_separators(static_cast<std::int64_t>(info.by_medium.optical)),
                   with_separators(static_cast<std::int64_t>(info.by_medium.backplane))));
  line("ports in use", info.ports.least == info.ports.most
                           ? fmt::format("{} on every switch", info.ports.most)
                           : fmt::format("{} to {} per switch", info.ports.least, info.ports.most));
  line("diameter", fmt::format("{} links between switches ({})", info.distances.diameter,
                               distance_rule(info.distances)));
  line("average distance",
       fmt::format("{:.4f} switches between different hosts ({})", info.distances.mean_to_others(),
                   distance_rule(info.distances)));
  line("bisection", bisection_text(info));
  if (info.closed_form && info.closed_form->oversubscription > 0) {
    line("oversubscription",
         fmt::format("{:.4g} under uniform traffic", info.closed_form->oversubscription));
  }
  if (info.closed_form && info.closed_form->circuit_switches > 0) {
    const topology::Properties& known = *info.closed_form;
    line("circuit switches",
         fmt::format("{} of {} ports each; {} of the links are circuits",
                     with_separators(known.circuit_switches),
                     with_separators(known.circuit_switch_ports), with_separators(known.circuits)));
  }
  line("connected", info.connected ? "yes" : "NO");
  line("memory", fmt::format("{:.1f} MB", static_cast<double>(info.bytes) * 1e-6));
  return text;
}

std::string info_json(const TopologyInfo& info) {
  nlohmann::ordered_json json = {{"schema_version", 1},
                                 {"network", info.origin},
                                 {"hosts", info.hosts},
                                 {"switches", info.switches},
                                 {"boxes", info.boxes},
                                 {"links", info.links},
                                 {"links_electrical", info.by_medium.electrical},
                                 {"links_optical", info.by_medium.optical},
                                 {"links_backplane", info.by_medium.backplane},
                                 {"ports_used_least", info.ports.least},
                                 {"ports_used_most", info.ports.most},
                                 {"diameter_links", info.distances.diameter},
                                 {"distance_mean_switches", info.distances.mean_to_others()},
                                 {"distances_exact", info.distances.exact},
                                 {"connected", info.connected}};
  if (info.closed_form && info.closed_form->bisection_links > 0) {
    json["bisection_links"] = info.closed_form->bisection_links;
    json["bisection_rule"] = info.closed_form->bisection_rule;
  } else if (info.estimate) {
    json["bisection_links_at_most"] = info.estimate->links;
  }
  if (info.closed_form) json["oversubscription"] = info.closed_form->oversubscription;
  if (info.closed_form && info.closed_form->circuit_switches > 0) {
    json["circuit_switches"] = info.closed_form->circuit_switches;
    json["circuit_switch_ports"] = info.closed_form->circuit_switch_ports;
    json["circuits"] = info.closed_form->circuits;
  }
  return json.dump(2) + "\n";
}

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
  fmt::print("{} hosts, {} switches, {} links: no errors\n", graph->hosts_of_plane(),
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
      ->add_option("-o,--output", make->output, "File to write; standard output without it")
      ->type_name("FILE");

  const auto info = fresh();
  add_verb(*topo, "info", "Hosts, switches, links, ports, distances, bisection", info, code,
           print_info)
      ->add_flag("--json", info->json, "Machine-readable output");

  add_verb(*topo, "check", "Read a network and report every mistake", fresh(), code, check_graph);

  const auto exported = fresh();
  CLI::App* verb = add_verb(*topo, "export", "Write for other tools", exported, code, export_graph);
  verb->add_option("--format", exported->format, "graph, dot or graphml")
      ->check(one_of({"graph", "dot", "graphml"}));
  verb->add_option("-o,--output", exported->output, "File to write; standard output without it")
      ->type_name("FILE");
}

}  // namespace ebb::cli
