// SPDX-License-Identifier: Apache-2.0
// Whether cables run as described.

#include "peer_session.hpp"

#include <algorithm>
#include <utility>

namespace ebb::drivers {

using forwarding::PortNumber;
using topology::ChannelId;

namespace {

// Probes in one go: so that the cabling of a large fabric is known within seconds, and that
// watching it later costs little. A fabric of 4,096 ports is looked at as a whole each time.
constexpr std::size_t kMostSilent = 32'768;
constexpr std::size_t kMostKnown = 4'096;

}  // namespace

void LiveFabric::probed(std::uint32_t device, PortNumber at, std::span<const std::byte> frame) {
  if (!forwarding::output_at(description_.graph, device, at)) return;  // the switch makes ports up
  const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(frame.data()),
                                            frame.size());
  if (const auto from = controller::read_probe(bytes, options_.number))
    cabling_.heard({device, at}, *from);
  whole_.reset();
  say_what_is_wrong();
}

bool LiveFabric::is_whole() const {
  if (!whole_) whole_ = look_whether_whole();
  return *whole_;
}

bool LiveFabric::look_whether_whole() const {
  if (members_.size() != description_.graph.switch_count() || !cabling_.wrong().empty())
    return false;
  // A dry run sends no probes: cables are taken to run as described.
  if (!options_.writes) return true;
  const std::set<controller::Place>& silent = cabling_.silent();
  return std::none_of(silent.begin(), silent.end(), [&](const controller::Place& place) {
    const auto& ports = member(place.device)->ports;
    const auto found = ports.find(place.port);
    return found != ports.end() && found->second.oper_up;
  });
}

void LiveFabric::say_what_is_wrong() {
  std::vector<std::string> wrong = cabling_.wrong();
  for (const std::string& line : wrong) {
    if (std::find(wrong_.begin(), wrong_.end(), line) == wrong_.end())
      report_({"wrong_cable", "", "wrong cable: " + line});
  }
  wrong_ = std::move(wrong);
}

// Ports that have heard nothing first; of the others so many at a time, in turn.
void LiveFabric::send_probes() {
  ask_roles();
  retry_master_requests();
  install_again();
  if (options_.writes) {
    std::size_t left = kMostSilent;
    for (const controller::Place& place : cabling_.silent()) {
      if (send_probe(place) && --left == 0) break;
    }
    probe_known();
  }
  timers_[1] = loop_.after(options_.probes, [this] { send_probes(); });
}

void LiveFabric::probe_known() {
  const topology::Graph& graph = description_.graph;
  std::size_t left = kMostKnown;
  const std::size_t most_seen = std::min<std::size_t>(graph.channel_count(), 4 * kMostKnown);
  for (std::size_t seen = 0; seen < most_seen && left > 0; ++seen) {
    const ChannelId end{next_probe_++ % graph.channel_count()};
    if (graph.is_host(graph.source(end))) continue;
    const controller::Place place{index(graph.source(end)), forwarding::port_of(graph, end)};
    if (is_here(place.device) && !cabling_.silent().contains(place) && send_probe(place)) --left;
  }
}

bool LiveFabric::send_probe(const controller::Place& from) {
  const PeerSession* here = member(from.device);
  const auto port = here == nullptr ? PortStatuses::const_iterator{} : here->ports.find(from.port);
  if (here == nullptr || port == here->ports.end() || !port->second.oper_up) return false;
  const auto end = forwarding::output_at(description_.graph, from.device, from.port);
  // A host that has seen one could make others.
  if (!end || description_.graph.is_host(description_.graph.target(*end))) return false;
  here->open_flow->send_probe(from.port, controller::discovery_probe(from, options_.number));
  return true;
}

}  // namespace ebb::drivers
