// SPDX-License-Identifier: Apache-2.0
#include "fabric/figures.hpp"

#include <algorithm>
#include <chrono>

namespace ebb::cli {

void FabricFigures::ran(transport::Clock::time_point due) {
  const std::chrono::duration<double> late = transport::Clock::now() - due;
  lag_.add(std::max(0.0, late.count()));
}

std::vector<monitor::LinkFigures> FabricFigures::links(const FabricView& view) const {
  const topology::Graph& graph = view.description.graph;
  std::vector<monitor::LinkFigures> figures;
  for (std::uint32_t number = 0; number < graph.link_count(); ++number) {
    const topology::LinkId link{number};
    if (!between_switches(graph, link)) continue;
    const topology::ChannelId forth = topology::forward(link);
    figures.push_back({.name = link_name(graph, link),
                       .a = graph.name(graph.link(link).a),
                       .b = graph.name(graph.link(link).b),
                       .state = view.controller.link(link).state(),
                       .may_sleep = view.sleepers.may_sleep[number],
                       .used_forth = view.controller.utilisation(forth),
                       .used_back = view.controller.utilisation(topology::reverse(forth)),
                       .history = history(link)});
  }
  return figures;
}

std::string FabricFigures::metrics(const FabricView& view, std::uint64_t lines_lost) const {
  return monitor::metrics_text(
      {.fabric = view.name,
       .policy = view.policy,
       .at = view.live.now(),
       .links = links(view),
       .switches_here = view.live.members(),
       .switches_away = view.description.graph.switch_count() - view.live.members(),
       .wrong_cables = view.live.wiring().wrong().size(),
       .modelled_all_awake = view.watts.all_awake(),
       .modelled = view.watts.present(),
       .modelled_saved = view.watts.saved_energy(),
       .ports_down = view.watts.ports_down(),
       .tally = view.controller.tally(),
       .orders = orders_,
       .loop_lag = lag_,
       .lines_lost = lines_lost});
}

Result<transport::Address> metrics_address(const std::string& text) {
  const bool port_alone = text.find(':') == std::string::npos;
  const std::string host = port_alone || text.starts_with(':') ? "127.0.0.1" : "";
  auto address = transport::parse_address("tcp:" + host + (port_alone ? ":" : "") + text);
  if (!address) {
    return fail("--metrics " + text +
                ": expected a port, or ADDRESS:PORT with an IPv4 or IPv6 address");
  }
  return address;
}

}  // namespace ebb::cli
