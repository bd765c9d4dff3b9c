// SPDX-License-Identifier: Apache-2.0
//
// What switches hold: given to few at a time, changed when a link is diverted.
#include "visitor.hpp"

#include <algorithm>
#include <utility>

namespace ebb::drivers {

using topology::ChannelId;
using topology::LinkId;

namespace {

constexpr std::size_t kMostInstalling = 16;  // switches

}  // namespace

// Not all at once: each has to answer in time.
void LiveFabric::install_next() {
  while (installing_.size() < kMostInstalling && !waiting_.empty()) {
    const std::uint32_t device = waiting_.front();
    waiting_.pop_front();
    const auto one = std::find_if(visitors_.begin(), visitors_.end(), [&](const auto& visitor) {
      return visitor->open_flow && visitor->device == device && !visitor->gone && !visitor->told;
    });
    if (one == visitors_.end()) continue;
    installing_.insert(device);
    (*one)->told = true;
    (*one)->open_flow->install(program_of(device), options_.writes);
  }
}

void LiveFabric::has_installed(std::uint32_t device) {
  if (installing_.erase(device) > 0) install_next();
}

// One that was too busy to answer is asked again, with the next probes; it is told once.
void LiveFabric::could_not_install(Visitor& visitor, const Notice& why) {
  if (std::exchange(visitor.refused, why.text) != why.text) told_(why);
  visitor.told = false;
  again_.push_back(visitor.device);
  has_installed(visitor.device);
}

void LiveFabric::install_again() {
  waiting_.insert(waiting_.end(), again_.begin(), again_.end());
  again_.clear();
  install_next();
}

Program LiveFabric::program_of(std::uint32_t device) const {
  return program(description_.graph, description_.plan, description_.tables[device],
                 [&](ChannelId output) { return way_of(output); });
}

Way LiveFabric::way_of(ChannelId output) const {
  const topology::Graph& graph = description_.graph;
  const auto diverted = [&](ChannelId one) {
    return controller_.link(topology::link_of(one)).detours();
  };
  if (diverted(output)) return Way::detoured;
  const auto detour = description_.tables[index(graph.source(output))].detour(output);
  if (!detour) return Way::straight;
  const auto next = graph.outputs(graph.target(*detour));
  const bool ends_here = std::any_of(next.begin(), next.end(), [&](ChannelId last) {
    return graph.target(last) == graph.target(output) && diverted(last);
  });
  return ends_here ? Way::only_straight : Way::straight;
}

// Switches whose detours end with this link: they see neither that it is diverted nor that it is
// not, and an agent would send frames there.
void LiveFabric::tell_neighbours(LinkId link) {
  const topology::Graph& graph = description_.graph;
  const ChannelId forth = topology::forward(link);
  for (const ChannelId last : {forth, topology::reverse(forth)}) {
    for (const ChannelId back : graph.outputs(graph.target(last))) {
      if (graph.is_host(graph.target(back))) continue;
      const std::uint32_t device = index(graph.target(back));
      const forwarding::Table& table = description_.tables[device];
      const ChannelId output = topology::reverse(back);
      const auto detour = table.detour(output);
      const Visitor* here = member(device);
      if (here == nullptr || !detour || graph.target(*detour) != graph.source(last)) continue;
      here->open_flow->set_group(group_of(graph, table, output, way_of(output)),
                                 [](bool, const std::string&) {});
    }
  }
}

}  // namespace ebb::drivers
