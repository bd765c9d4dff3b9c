// SPDX-License-Identifier: Apache-2.0
#include "fabric/regulate.hpp"

#include "command_line/table.hpp"
#include "fabric/control.hpp"
#include "fabric/description.hpp"
#include "fabric/rates.hpp"
#include "fabric/status.hpp"

#include "ebb/drivers/link_mover.hpp"
#include "ebb/drivers/vlan_program.hpp"
#include "ebb/fabric_config/traffic_matrix.hpp"
#include "ebb/testbed/fabric.hpp"
#include "ebb/transport/stream.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <optional>

namespace ebb::cli {
namespace {

using Json = nlohmann::ordered_json;
using topology::LinkId;

// What is to be, and on what.
struct Plan {
  fabric_config::FabricFile file;
  forwarding::AddressPlan addresses;
  forwarding::VlanNetwork network;
  controller::LinkRegulation regulation;
  controller::PortWatts port;
};

Result<controller::LinkRegulation> regulation_for(const FabricRegulateOptions& options,
                                                  const topology::Graph& graph,
                                                  const forwarding::AddressPlan& addresses,
                                                  const forwarding::VlanNetwork& network) {
  if (options.traffic.empty()) return controller::all_open(graph, network);
  const auto pairs = fabric_config::read_traffic_matrix(options.traffic, graph);
  if (!pairs) return fail(pairs.error());
  controller::RegulateLinks by{.slow = options.slow};
  if (!options.peak.empty()) {
    const auto peak = parse<DataSize>(options.peak);
    if (!peak) return fail("--peak: " + peak.error()[0].message);
    if (*peak <= DataSize{}) return fail("--peak: must be more than nothing");
    by.peak = *peak;
  }
  return controller::regulate_links(graph, addresses, network, *pairs, by);
}

Result<Plan> plan_for(const FabricRegulateOptions& options) {
  auto file = fabric_config::read_fabric(options.file);
  if (!file) return fail(file.error());
  auto addresses = forwarding::AddressPlan::make(file->graph);
  if (!addresses) return fail(addresses.error());
  auto network = forwarding::vlan_network(file->graph);
  if (!network) return fail(network.error());
  auto regulation = regulation_for(options, file->graph, *addresses, *network);
  if (!regulation) return fail(regulation.error());
  auto port = port_watts(*file);
  if (!port) return fail(port.error());
  return Plan{std::move(*file), std::move(*addresses), std::move(*network), std::move(*regulation),
              std::move(*port)};
}

DataRate rate_of(const Plan& plan, LinkId link) {
  const topology::Graph& graph = plan.file.graph;
  return graph.ladder(graph.link(link))[index(plan.regulation.step[index(link)])];
}

struct Totals {
  std::uint32_t links = 0;
  std::uint32_t closed = 0;
  std::uint32_t slow = 0;
  Power all_open;
  Power now;
};

Totals totals_of(const Plan& plan) {
  Totals totals;
  const topology::Graph& graph = plan.file.graph;
  for (const forwarding::Bundle& bundle : plan.network.bundles.all()) {
    for (const LinkId link : bundle.links) {
      const auto watts = plan.port.at(graph.ladder(graph.link(link)));
      const auto step = plan.regulation.step[index(link)];
      const bool open = plan.regulation.open[index(link)];
      ++totals.links;
      totals.closed += open ? 0 : 1;
      totals.slow += open && index(step) + 1U < watts.size() ? 1 : 0;
      totals.all_open += watts.back() * 2;
      totals.now += (open ? watts[index(step)] : plan.port.asleep) * 2;
    }
  }
  return totals;
}

double watts(Power power) { return static_cast<double>(power.count()) / 1e6; }

std::string bundle_name(const Plan& plan, const forwarding::Bundle& bundle) {
  const topology::Graph& graph = plan.file.graph;
  return graph.name(graph.switch_node(bundle.a)) + "-" + graph.name(graph.switch_node(bundle.b));
}

Json report_json(const Plan& plan, const std::optional<drivers::Moved>& moved) {
  Json bundles = Json::array();
  for (std::uint32_t b = 0; b < plan.regulation.bundles.size(); ++b) {
    const forwarding::Bundle& bundle = plan.network.bundles[b];
    const auto& use = plan.regulation.bundles[b];
    Json closed = Json::array();
    for (const LinkId link : bundle.links)
      if (!plan.regulation.open[index(link)]) closed.push_back(link_name(plan.file.graph, link));
    bundles.push_back({{"between", bundle_name(plan, bundle)},
                       {"amount", to_text(use.amount)},
                       {"links", bundle.links.size()},
                       {"open", use.open},
                       {"rate", to_text(rate_of(plan, bundle.links[0]))},
                       {"beyond_peak", use.beyond},
                       {"closed", std::move(closed)}});
  }
  const Totals totals = totals_of(plan);
  Json report{{"fabric", plan.file.name},
              {"vlans", plan.network.assignment.vlans.size()},
              {"peak", to_text(plan.regulation.peak)},
              {"links", totals.links},
              {"closed", totals.closed},
              {"slow", totals.slow},
              {"modelled", {{"all_open_w", watts(totals.all_open)}, {"now_w", watts(totals.now)}}},
              {"bundles", std::move(bundles)}};
  if (moved) {
    report["moved"] = {{"opened", moved->opened},
                       {"closed", moved->closed},
                       {"faster", moved->faster},
                       {"slower", moved->slower}};
  }
  return report;
}

std::string report_text(const Json& report) {
  constexpr auto kRight = Table::Align::right;
  Table table({{"between"}, {"amount", kRight}, {"open", kRight}, {"rate", kRight}, {""}});
  for (const Json& one : report["bundles"]) {
    table.add({one["between"].get<std::string>(), one["amount"].get<std::string>(),
               fmt::format("{} of {}", one["open"].get<int>(), one["links"].get<std::size_t>()),
               one["rate"].get<std::string>(),
               one["beyond_peak"].get<bool>() ? "more than the peak" : ""});
  }
  std::string text = fmt::format(
      "{}\n{} VLANs; {} of {} links closed, {} slow; at most {} on a link\n"
      "links between switches: {:.1f} W of {:.1f} W modelled, nothing measured\n",
      table.text(), report["vlans"].get<std::size_t>(), report["closed"].get<int>(),
      report["links"].get<int>(), report["slow"].get<int>(), report["peak"].get<std::string>(),
      report["modelled"]["now_w"].get<double>(), report["modelled"]["all_open_w"].get<double>());
  if (!report.contains("moved")) return text;
  const Json& moved = report["moved"];
  return text + fmt::format("now: {} links opened, {} closed, {} faster, {} slower\n",
                            moved["opened"].get<int>(), moved["closed"].get<int>(),
                            moved["faster"].get<int>(), moved["slower"].get<int>());
}

drivers::MoveTo target_of(const Plan& plan) {
  drivers::MoveTo to{.programs = {}, .open = plan.regulation.open, .rates = {}};
  const topology::Graph& graph = plan.file.graph;
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s)
    to.programs.push_back(drivers::vlan_program(graph, plan.addresses, plan.network, s, to.open));
  for (std::uint32_t link = 0; link < graph.link_count(); ++link)
    to.rates.push_back(rate_of(plan, LinkId{link}));
  return to;
}

Result<drivers::Moved> carry_out(const Plan& plan, const testbed::StateFolder& state) {
  if (ask_controller(state.control(plan.file.name), "hello"))
    return fail("a controller runs on this fabric, and its tables are not VLAN trees: stop it");
  transport::Loop loop;
  drivers::LinkMover mover(loop, plan.file.graph, rates_of(plan.file, state));
  std::vector<transport::Stream> streams;
  for (std::uint32_t s = 0; s < plan.file.graph.switch_count(); ++s) {
    auto stream = transport::Stream::connect(
        loop,
        {.kind = transport::Kind::unix_socket, .path = state.box(plan.file.name, s) + "/br0.mgmt"});
    if (!stream) return fail(stream.error());
    streams.push_back(std::move(*stream));
  }
  if (auto met = mover.meet(std::move(streams)); !met) return fail(met.error());
  return mover.move(target_of(plan));
}

}  // namespace

ExitCode regulate_fabric(const FabricRegulateOptions& options) {
  const auto plan = plan_for(options);
  if (!plan) return refuse(plan.error());
  std::optional<drivers::Moved> moved;
  if (!options.dry_run) {
    if (const auto found = testbed::find_fabric(plan->file.name, options.state); !found)
      return refuse(found.error());
    const auto done = carry_out(*plan, options.state);
    if (!done) return failed_outside(done.error());
    moved = *done;
  }
  const Json report = report_json(*plan, moved);
  fmt::print("{}", options.json ? report.dump(2) + "\n" : report_text(report));
  return ExitCode::done;
}

}  // namespace ebb::cli
