// SPDX-License-Identifier: Apache-2.0
// Peers that connect: which of them are switches, what they report, and what follows when they go.

#include "peer_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ebb::drivers {

using forwarding::PortNumber;
using topology::ChannelId;
using topology::LinkId;

namespace {

// Peers at one listener that are not identified yet: a switch says its number within milliseconds.
constexpr std::ptrdiff_t kMostUnknown = 8;
// Why peers were turned away, kept so that each reason is told once.
constexpr std::size_t kMostReasons = 64;

}  // namespace

void LiveFabric::make_room(ListenerId listener) {
  std::erase_if(peers_, [](const auto& peer) { return peer->gone; });
  const auto unknown = [&](const auto& peer) {
    return peer->listener == listener && !peer->identified;
  };
  // All of them may come at once where any of them may.
  const std::ptrdiff_t most = kMostUnknown + (listener ? 0 : description_.graph.switch_count());
  if (std::count_if(peers_.begin(), peers_.end(), unknown) < most) return;
  peers_.erase(std::find_if(peers_.begin(), peers_.end(), unknown));
}

void LiveFabric::admit(transport::Stream stream, ListenerId listener, std::function<void()> gone) {
  make_room(listener);
  PeerSession& peer = *peers_.emplace_back(std::make_unique<PeerSession>());
  peer.listener = listener;
  peer.left = std::move(gone);
  openflow::ConnectionEvents events;
  events.ready = [&](const openflow::FeaturesReply& features) {
    identified(peer, features.datapath);
  };
  events.port_status = [&](const openflow::PortStatus& status) {
    if (peer.open_flow) peer.open_flow->port_changed(status);
  };
  events.packet_in = [&](const openflow::PacketIn& packet) {
    if (peer.open_flow) peer.open_flow->packet_in(packet);
  };
  events.closed = [&](const std::string& reason) { went(peer, reason); };
  peer.connection = std::make_unique<openflow::Connection>(loop_, std::move(stream),
                                                           openflow::Timing{}, std::move(events));
}

void LiveFabric::identified(PeerSession& peer, std::uint64_t datapath) {
  const bool known = datapath >= 1 && datapath <= description_.graph.switch_count();
  if (!known || (peer.listener && datapath != std::uint64_t{*peer.listener} + 1))
    return refuse(peer, fmt::format("says that its number is {:#x}", datapath));
  const auto device = static_cast<std::uint32_t>(datapath - 1);
  const std::string name = description_.graph.name(description_.graph.switch_node(device));
  // A certificate of the authority is not enough: it must be that of this switch.
  if (const auto names = peer.connection->peer_names();
      names && std::find(names->begin(), names->end(), name) == names->end()) {
    return refuse(peer,
                  fmt::format("says to be {}, but its certificate names {}", name,
                              names->empty() ? "nobody" : fmt::to_string(fmt::join(*names, ", "))));
  }
  const bool is_taken = std::any_of(peers_.begin(), peers_.end(), [&](const auto& other) {
    return !other->gone && other->identified && other->device == device;
  });
  // A switch that was cut off comes again when we have noticed that it is silent.
  if (is_taken) return refuse(peer, "says to be a switch that is connected already");
  peer.device = device;
  peer.identified = true;
  settle(peer);
}

void LiveFabric::refuse(PeerSession& peer, const std::string& why) {
  const topology::Graph& graph = description_.graph;
  const std::string name = peer.listener ? graph.name(graph.switch_node(*peer.listener)) : "";
  peer.gone = true;
  peer.connection.reset();
  report_({"unknown_peer", name,
           fmt::format("unknown peer at the {} {}: refused",
                       name.empty() ? "shared listener" : "listener of " + name, why)});
  peer.left();
}

void LiveFabric::join(PeerSession& peer, std::uint32_t device) {
  const std::string name = description_.graph.name(description_.graph.switch_node(device));
  SwitchEvents events;
  events.installed = [&peer, device, this](const auto& ports) {
    const bool is_new = member(device) != &peer;
    if (is_new && std::exchange(peer.written, false) && controller_.is_starting(device))
      return read_back(device);
    peer.ports = ports;
    members_[device] = &peer;
    whole_.reset();
    if (is_new) peer.counted = now();
    if (is_new) installed(device, ports);
    has_installed(device);
  };
  events.writes = [name, &peer, this](std::size_t messages) {
    peer.written = true;
    report_(fmt::format("{} gets its rules: {} messages", name, messages));
  };
  // Whatever switches the ports: OpenFlow says it at once, others when they are asked.
  events.changed = [&peer, device, this](PortNumber port, const PortStatus& found) {
    peer.ports[port] = found;
    whole_.reset();
    const auto end = forwarding::output_at(description_.graph, device, port);
    // Links that have not been looked at are reported when both ends are here.
    if (end && looked_at_.contains(topology::link_of(*end))) {
      controller_.port(now(), *end, found.oper_up);
      if (found.oper_up) probe_waking(topology::link_of(*end));
      give_orders();
    }
  };
  events.probe = [device, this](PortNumber at, std::span<const std::byte> frame) {
    probed(device, at, frame);
  };
  events.counted = [&peer, device, this](std::span<const PortTraffic> traffic) {
    peer.reading = false;
    peer.error.clear();
    counted(device, traffic);
  };
  events.groups_counted = [&peer, device, this](const auto& bytes) {
    peer.reading_groups = false;
    groups_counted(device, bytes);
  };
  events.error = [&peer, device, name, this](const std::string& what) {
    peer.reading = peer.reading_groups = false;
    if (refused_as_slave(what)) deny(device, RoleReplyKind::denied, name + " " + what);
    if (peer.told && !installing_.contains(device)) return report_error(peer, name, what);
    could_not_install(peer, {"error", name, name + " " + what});
  };
  const PortEvents of_ports{
      .counted = events.counted, .error = events.error, .leads = options_.leads};
  peer.open_flow = std::make_unique<OpenFlowSwitch>(*peer.connection, std::move(events));
  peer.groups = std::make_unique<OpenFlowSteering>(*peer.connection, description_.graph,
                                                   description_.tables[device], failover_state());
  peer.steering = peer.groups.get();
  peer.other = options_.ports ? options_.ports(device, of_ports) : nullptr;
  peer.driver = peer.open_flow.get();
  if (peer.other) {
    peer.driver = peer.other.get();
    peer.other->find_ports([](const auto&) {});  // before it is told anything
  }
  waiting_.push_back(device);
  install_next();
}

void LiveFabric::report_error(PeerSession& peer, const std::string& name, const std::string& what) {
  if (std::exchange(peer.error, what) != what) report_({"error", name, name + " " + what});
}

void LiveFabric::went(PeerSession& peer, const std::string& reason) {
  peer.gone = true;
  peer.left();
  // It comes again and again: each reason is told once, and so many reasons.
  if (!peer.identified && turned_away_.size() < kMostReasons && turned_away_.insert(reason).second)
    report_("an unknown peer is no switch of the fabric: " + reason);
  const std::uint32_t device = peer.device;
  if (peer.told) has_installed(device);
  if (member(device) != &peer) return;
  members_.erase(device);
  whole_.reset();
  cabling_.forget(device);
  const std::string name = description_.graph.name(description_.graph.switch_node(device));
  report_(controller_.is_absent_by_order(device)
              ? OperatorEvent{"switch_off", name, name + " is off"}
              : OperatorEvent{"switch_gone", name, name + " has gone: " + reason});
  // A switch that reboots comes back with its ports enabled.
  for (const ChannelId output : description_.graph.outputs(description_.graph.switch_node(device)))
    looked_at_.erase(topology::link_of(output));
  controller_.left(now(), device);
  give_orders();
}

void LiveFabric::installed(std::uint32_t device, const std::map<PortNumber, PortStatus>& ports) {
  const topology::Graph& graph = description_.graph;
  const std::string name = graph.name(graph.switch_node(device));
  for (const ChannelId output : graph.outputs(graph.switch_node(device))) {
    const PortNumber port = forwarding::port_of(graph, output);
    if (!ports.contains(port))
      report_({"error", name, fmt::format("{} has no port {}", name, port)});
  }
  report_({"switch_here", name, name + " is here"});
  controller_.joined(now(), device);
  controller_.rates_at(device, options_.rates.set || member(device)->driver->can().rates);
  report_ports(device);
  give_orders();
}

// When both ends of a link are here its state is known.
void LiveFabric::report_ports(std::uint32_t device) {
  const topology::Graph& graph = description_.graph;
  for (const ChannelId output : graph.outputs(graph.switch_node(device))) {
    if (graph.is_host(graph.target(output)) || !is_here(index(graph.target(output)))) continue;
    look_at(topology::link_of(output));
  }
}

void LiveFabric::look_at(LinkId link) {
  if (options_.rates.read) look_at_rate(link);
  const ChannelId forth = topology::forward(link);
  const auto found = [&](ChannelId end) {
    const PeerSession* here = member(index(description_.graph.source(end)));
    const auto port = here->ports.find(forwarding::port_of(description_.graph, end));
    return port == here->ports.end() ? PortStatus{} : port->second;
  };
  const PortStatus a = found(forth);
  const PortStatus b = found(topology::reverse(forth));
  const bool first = looked_at_.insert(link).second;
  if (first && (a.admin_down || b.admin_down))
    return controller_.found_asleep(now(), link, a.admin_down && b.admin_down);
  if (first) controller_.found_awake(now(), link);
  controller_.port(now(), forth, a.oper_up);
  controller_.port(now(), topology::reverse(forth), b.oper_up);
  if (!options_.writes) return;
  for (const ChannelId end : {forth, topology::reverse(forth)}) {
    if (is_probed(end)) send_probe(end);
  }
}

// A switch says when a port changes, once. One whose word was lost would stay as it was for ever.
void LiveFabric::look_at_ports_again() {
  constexpr std::size_t kAtOnce = 16;
  const std::uint32_t switches = description_.graph.switch_count();
  for (std::size_t i = 0; i < std::min<std::size_t>(kAtOnce, switches); ++i) {
    const std::uint32_t device = next_look_++ % switches;
    PeerSession* here = member(device);
    if (here == nullptr) continue;
    here->driver->find_ports([this, device](const std::map<PortNumber, PortStatus>& ports) {
      PeerSession* one = member(device);
      if (one == nullptr) return;
      one->ports = ports;
      whole_.reset();
      for (const auto& [port, found] : ports) {
        const auto end = forwarding::output_at(description_.graph, device, port);
        if (end && looked_at_.contains(topology::link_of(*end)))
          controller_.port(now(), *end, found.oper_up);
      }
      give_orders();
    });
  }
}

}  // namespace ebb::drivers
