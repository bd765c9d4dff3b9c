// SPDX-License-Identifier: Apache-2.0
#include "ebb/runtime/regulate.hpp"

#include "json_values.hpp"

#include "ebb/drivers/openflow_program.hpp"
#include "ebb/drivers/reconfiguration.hpp"
#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/runtime/control_socket.hpp"
#include "ebb/runtime/description.hpp"
#include "ebb/transport/stream.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <optional>

namespace ebb::runtime {
namespace {

using topology::LinkId;

Result<controller::LinkRegulation> regulation_for(const RegulateOptions& options,
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

DataRate rate_of(const RegulationPlan& plan, LinkId link) {
  const topology::Graph& graph = plan.file.graph;
  return graph.rate_table(graph.link(link))[index(plan.regulation.step[index(link)])];
}

struct Totals {
  std::uint32_t links = 0;
  std::uint32_t closed = 0;
  std::uint32_t slow = 0;
  Power all_open;
  Power now;
};

Totals totals_of(const RegulationPlan& plan) {
  Totals totals;
  const topology::Graph& graph = plan.file.graph;
  for (const forwarding::Lag& lag : plan.network.lags.all()) {
    for (const LinkId link : lag.links) {
      const auto watts = plan.port.at(graph.rate_table(graph.link(link)));
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

std::string lag_name(const RegulationPlan& plan, const forwarding::Lag& lag) {
  const topology::Graph& graph = plan.file.graph;
  return graph.name(graph.switch_node(lag.a)) + "-" + graph.name(graph.switch_node(lag.b));
}

drivers::TargetState target_of(const RegulationPlan& plan) {
  drivers::TargetState to{.programs = {}, .open = plan.regulation.open, .rates = {}};
  const topology::Graph& graph = plan.file.graph;
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s)
    to.programs.push_back(drivers::vlan_program(graph, plan.addresses, plan.network, s, to.open));
  for (std::uint32_t link = 0; link < graph.link_count(); ++link)
    to.rates.push_back(rate_of(plan, LinkId{link}));
  return to;
}

}  // namespace

Result<RegulationPlan> plan_regulation(const RegulateOptions& options,
                                       const LoadParts& load_parts) {
  auto file = fabric_config::read_fabric(options.file);
  if (!file) return fail(file.error());
  auto addresses = forwarding::AddressPlan::make(file->graph);
  if (!addresses) return fail(addresses.error());
  auto network = forwarding::vlan_network(file->graph);
  if (!network) return fail(network.error());
  auto regulation = regulation_for(options, file->graph, *addresses, *network);
  if (!regulation) return fail(regulation.error());
  auto port = port_watts(*file, load_parts);
  if (!port) return fail(port.error());
  return RegulationPlan{std::move(*file), std::move(*addresses), std::move(*network),
                        std::move(*regulation), std::move(*port)};
}

Result<drivers::ReconfigurationCounts> carry_out_regulation(const RegulationPlan& plan,
                                                            const testbed::StateFolder& state) {
  if (ask_controller(state.control(plan.file.name), "hello"))
    return fail("a controller runs on this fabric, and its tables are not VLAN trees: stop it");
  transport::Loop loop;
  drivers::Reconfiguration reconfiguration(loop, plan.file.graph, rates_of(plan.file, state));
  std::vector<transport::Stream> streams;
  for (std::uint32_t s = 0; s < plan.file.graph.switch_count(); ++s) {
    auto stream =
        transport::Stream::connect(loop, {.kind = transport::Kind::unix_socket,
                                          .path = state.device(plan.file.name, s) + "/br0.mgmt"});
    if (!stream) return fail(stream.error());
    streams.push_back(std::move(*stream));
  }
  if (auto met = reconfiguration.connect(std::move(streams)); !met) return fail(met.error());
  return reconfiguration.apply(target_of(plan));
}

Json regulation_json(const RegulationPlan& plan,
                     const std::optional<drivers::ReconfigurationCounts>& moved) {
  Json lags = Json::array();
  for (std::uint32_t b = 0; b < plan.regulation.lags.size(); ++b) {
    const forwarding::Lag& lag = plan.network.lags[b];
    const auto& use = plan.regulation.lags[b];
    Json closed = Json::array();
    for (const LinkId link : lag.links) {
      if (!plan.regulation.open[index(link)])
        closed.push_back(topology::link_name(plan.file.graph, link));
    }
    lags.push_back({{"between", lag_name(plan, lag)},
                    {"amount", to_text(use.amount)},
                    {"links", lag.links.size()},
                    {"open", use.open},
                    {"rate", to_text(rate_of(plan, lag.links[0]))},
                    {"beyond_peak", use.beyond},
                    {"closed", std::move(closed)}});
  }
  const Totals totals = totals_of(plan);
  Json report{
      {"fabric", plan.file.name},
      {"vlans", plan.network.assignment.vlans.size()},
      {"peak", to_text(plan.regulation.peak)},
      {"links", totals.links},
      {"closed", totals.closed},
      {"slow", totals.slow},
      {"modelled", {{"all_open_w", in_watts(totals.all_open)}, {"now_w", in_watts(totals.now)}}},
      {"lags", std::move(lags)}};
  if (moved) {
    report["moved"] = {{"opened", moved->opened},
                       {"closed", moved->closed},
                       {"faster", moved->faster},
                       {"slower", moved->slower}};
  }
  return report;
}

}  // namespace ebb::runtime
