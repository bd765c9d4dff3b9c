// SPDX-License-Identifier: Apache-2.0
//
// What switches hold: given to few at a time, changed when a link is diverted.
#include "peer_session.hpp"

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
    const auto one = std::find_if(peers_.begin(), peers_.end(), [&](const auto& peer) {
      return peer->open_flow && peer->device == device && !peer->gone && !peer->told;
    });
    if (one == peers_.end()) continue;
    installing_.insert(device);
    (*one)->told = true;
    (*one)->open_flow->install(program_of(device), options_.writes,
                               options_.adopt ? ForeignRules::remove : ForeignRules::refuse);
  }
}

// What a switch is told may have changed while it was told.
void LiveFabric::has_installed(std::uint32_t device) {
  if (installing_.erase(device) == 0) return;
  if (PeerSession* here = member(device); outdated_.erase(device) > 0 && here != nullptr) {
    here->told = false;
    again_.push_back(device);
  }
  install_next();
}

// A switch that was off carries nothing before its rules, as it says them, are those that it was
// given: it is asked again at once.
void LiveFabric::read_back(std::uint32_t device) {
  installing_.erase(device);
  waiting_.push_back(device);
  for (const auto& peer : peers_) {
    if (peer->open_flow && peer->device == device && !peer->gone) peer->told = false;
  }
  install_next();
}

// One that was too busy to answer is asked again, with the next probes; it is told once.
void LiveFabric::could_not_install(PeerSession& peer, const OperatorEvent& why) {
  if (std::exchange(peer.refused, why.text) != why.text) report_(why);
  peer.told = false;
  again_.push_back(peer.device);
  has_installed(peer.device);
}

void LiveFabric::install_again() {
  waiting_.insert(waiting_.end(), again_.begin(), again_.end());
  again_.clear();
  install_next();
}

Program LiveFabric::program_of(std::uint32_t device) const {
  return program(description_.graph, description_.plan, description_.tables[device],
                 failover_state());
}

FailoverState LiveFabric::failover_state() const {
  return {.diverted = [this](ChannelId one) { return is_diverted(one); },
          .backup_blocked = [this](ChannelId output) { return is_backup_blocked(output); }};
}

bool LiveFabric::is_diverted(ChannelId output) const {
  return controller_.link(topology::link_of(output)).detours(output);
}

bool LiveFabric::is_backup_blocked(ChannelId output) const {
  const topology::Graph& graph = description_.graph;
  const forwarding::FastReroute* reroute =
      description_.tables[index(graph.source(output))].fast_reroute(output);
  if (reroute == nullptr || !reroute->backup) return false;
  const auto next = graph.outputs(graph.target(*reroute->backup));
  return std::any_of(next.begin(), next.end(), [&](ChannelId last) {
    return graph.target(last) == graph.target(output) && is_diverted(last);
  });
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
      const forwarding::FastReroute* reroute = table.fast_reroute(output);
      if (installing_.contains(device)) outdated_.insert(device);
      if (reroute == nullptr || !reroute->backup ||
          graph.target(*reroute->backup) != graph.source(last))
        continue;
      give_groups(device, output);
    }
  }
}

// As they are to be now; what is not taken is given again.
void LiveFabric::give_groups(std::uint32_t device, ChannelId output) {
  const PeerSession* here = member(device);
  if (here == nullptr) return;  // it gets its whole program when it comes
  here->groups->renew(output, [this, device, output](bool ok, const std::string&) {
    if (!ok) unconfirmed_groups_.emplace(device, output);
  });
}

void LiveFabric::give_groups_again() {
  const auto again = std::exchange(unconfirmed_groups_, {});
  if (!options_.writes) return;
  for (const auto& [device, output] : again) give_groups(device, output);
}

void LiveFabric::look_at_forwarding(ChannelId end, const SteeringDriver::Looked& looked) const {
  const PeerSession* here = member(index(description_.graph.source(end)));
  if (here == nullptr) return looked(std::nullopt, kUnreachable);
  here->steering->look(forwarding::port_of(description_.graph, end), looked);
}

std::string_view LiveFabric::steering_means(ChannelId end) const {
  const PeerSession* here = member(index(description_.graph.source(end)));
  return here == nullptr ? "" : here->steering->means();
}

}  // namespace ebb::drivers
