// SPDX-License-Identifier: Apache-2.0
//
// Who connects, who of them is a switch, and whom it obeys.
#include "visitor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ebb::drivers {

using forwarding::PortNumber;
using topology::ChannelId;
using topology::LinkId;

namespace {

// At a door, that have not said who they are: a switch says it within milliseconds.
constexpr std::ptrdiff_t kMostUnknown = 8;

}  // namespace

void LiveFabric::make_room(Door door) {
  std::erase_if(visitors_, [](const auto& visitor) { return visitor->gone; });
  const auto unknown = [&](const auto& visitor) {
    return visitor->door == door && !visitor->greeted;
  };
  // All of them may come at once where any of them may.
  const std::ptrdiff_t most = kMostUnknown + (door ? 0 : description_.graph.switch_count());
  if (std::count_if(visitors_.begin(), visitors_.end(), unknown) < most) return;
  visitors_.erase(std::find_if(visitors_.begin(), visitors_.end(), unknown));
}

void LiveFabric::admit(transport::Stream stream, Door door, std::function<void()> gone) {
  make_room(door);
  Visitor& visitor = *visitors_.emplace_back(std::make_unique<Visitor>());
  visitor.door = door;
  visitor.left = std::move(gone);
  openflow::ConnectionEvents events;
  events.ready = [&](const openflow::FeaturesReply& features) {
    greeted(visitor, features.datapath);
  };
  events.port_status = [&](const openflow::PortStatus& status) {
    if (visitor.open_flow) visitor.open_flow->port_changed(status);
  };
  events.packet_in = [&](const openflow::PacketIn& packet) {
    if (visitor.open_flow) visitor.open_flow->packet_in(packet);
  };
  events.closed = [&](const std::string& reason) { went(visitor, reason); };
  visitor.connection = std::make_unique<openflow::Connection>(
      loop_, std::move(stream), openflow::Timing{}, std::move(events));
}

void LiveFabric::greeted(Visitor& visitor, std::uint64_t datapath) {
  const bool known = datapath >= 1 && datapath <= description_.graph.switch_count();
  if (!known || (visitor.door && datapath != std::uint64_t{*visitor.door} + 1))
    return refuse(visitor, fmt::format("says that its number is {:#x}", datapath));
  const auto device = static_cast<std::uint32_t>(datapath - 1);
  const bool is_taken = std::any_of(visitors_.begin(), visitors_.end(), [&](const auto& other) {
    return !other->gone && other->greeted && other->device == device;
  });
  // A switch that was cut off comes again when we have noticed that it is silent.
  if (is_taken) return refuse(visitor, "says to be a switch that is connected already");
  visitor.device = device;
  visitor.greeted = true;
  settle(visitor);
}

void LiveFabric::refuse(Visitor& visitor, const std::string& why) {
  const topology::Graph& graph = description_.graph;
  const std::string name = visitor.door ? graph.name(graph.switch_node(*visitor.door)) : "";
  visitor.gone = true;
  visitor.connection.reset();
  told_({"stranger", name,
         fmt::format("somebody at the {} {}: refused",
                     name.empty() ? "open door" : "door of " + name, why)});
  visitor.left();
}

// Nobody is disturbed by one who waits; a leader is obeyed before it writes.
void LiveFabric::settle(Visitor& visitor) {
  if (!generation_) {
    return stand_by(*visitor.connection,
                    [this](std::uint64_t generation) { newest_ = std::max(newest_, generation); });
  }
  if (!options_.writes) return join(visitor, visitor.device);
  claim(*visitor.connection, *generation_, [this, &visitor](Claim how, std::uint64_t generation) {
    newest_ = std::max(newest_, generation);
    visitor.obeys = how == Claim::obeyed;
    visitor.silent = how == Claim::unanswered;
    const topology::Graph& graph = description_.graph;
    if (how == Claim::obeyed || how == Claim::no_roles) return join(visitor, visitor.device);
    if (how == Claim::outdated) {
      lose(how,
           fmt::format("{} has seen generation {}, and ours is {}",
                       graph.name(graph.switch_node(visitor.device)), generation, *generation_));
    }
  });
}

// A switch that was slow once has no reason to connect again, and would stay away for ever.
void LiveFabric::claim_again() {
  for (std::size_t i = 0; i < visitors_.size() && options_.writes; ++i) {
    Visitor& visitor = *visitors_[i];
    if (!visitor.gone && std::exchange(visitor.silent, false)) settle(visitor);
  }
}

void LiveFabric::lose(Claim how, const std::string& why) {
  if (!std::exchange(options_.writes, false)) return;
  lost_(how, why);
}

// OpenFlow 1.3 does not say when a switch begins to obey another.
void LiveFabric::ask_roles() {
  for (const auto& [device, here] : members_) {
    if (!here->obeys || !options_.writes) continue;
    const std::string name = description_.graph.name(description_.graph.switch_node(device));
    ask_who_leads(*here->connection, [this, name](bool we) {
      if (!we) lose(Claim::unanswered, name + " obeys another controller");
    });
  }
}

void LiveFabric::join(Visitor& visitor, std::uint32_t device) {
  const std::string name = description_.graph.name(description_.graph.switch_node(device));
  SwitchEvents events;
  events.installed = [&visitor, device, this](const auto& ports) {
    visitor.ports = ports;
    members_[device] = &visitor;
    whole_.reset();
    installed(device, ports);
    has_installed(device);
  };
  events.writes = [name, this](std::size_t messages) {
    told_(fmt::format("{} gets its rules: {} messages", name, messages));
  };
  // Whatever switches the ports: OpenFlow says it at once, others when they are asked.
  events.changed = [&visitor, device, this](PortNumber port, const PortFound& found) {
    visitor.ports[port].live = found.live;
    whole_.reset();
    const auto end = forwarding::output_at(description_.graph, device, port);
    // Links that have not been looked at are reported when both ends are here.
    if (end && looked_at_.contains(topology::link_of(*end))) {
      controller_.port(now(), *end, found.live);
      give_orders();
    }
  };
  events.probe = [device, this](PortNumber at, std::span<const std::byte> frame) {
    probed(device, at, frame);
  };
  events.counted = [&visitor, device, this](std::span<const PortTraffic> traffic) {
    visitor.reading = false;
    visitor.trouble.clear();
    counted(device, traffic);
  };
  events.trouble = [&visitor, device, name, this](const std::string& what) {
    visitor.reading = false;
    if (visitor.told && !installing_.contains(device)) return tell_trouble(visitor, name, what);
    could_not_install(visitor, {"trouble", name, name + " " + what});
  };
  const PortEvents of_ports{.counted = events.counted, .trouble = events.trouble};
  visitor.open_flow = std::make_unique<OpenFlowSwitch>(*visitor.connection, std::move(events));
  visitor.other = options_.ports ? options_.ports(device, of_ports) : nullptr;
  visitor.driver = visitor.open_flow.get();
  if (visitor.other) {
    visitor.driver = visitor.other.get();
    visitor.other->find_ports([](const auto&) {});  // before it is told anything
  }
  waiting_.push_back(device);
  install_next();
}

void LiveFabric::tell_trouble(Visitor& visitor, const std::string& name, const std::string& what) {
  if (std::exchange(visitor.trouble, what) != what) told_({"trouble", name, name + " " + what});
}

void LiveFabric::went(Visitor& visitor, const std::string& reason) {
  visitor.gone = true;
  visitor.left();
  // It comes again and again: each reason is told once.
  if (!visitor.greeted && turned_away_.insert(reason).second)
    told_("somebody connected who is no switch of the fabric: " + reason);
  const std::uint32_t device = visitor.device;
  if (visitor.told) has_installed(device);
  if (member(device) != &visitor) return;
  members_.erase(device);
  whole_.reset();
  wiring_.forget(device);
  const std::string name = description_.graph.name(description_.graph.switch_node(device));
  told_({"switch_gone", name, name + " has gone: " + reason});
  controller_.left(now(), device);
  give_orders();
}

void LiveFabric::installed(std::uint32_t device, const std::map<PortNumber, PortFound>& ports) {
  const topology::Graph& graph = description_.graph;
  const std::string name = graph.name(graph.switch_node(device));
  for (const ChannelId output : graph.outputs(graph.switch_node(device))) {
    const PortNumber port = forwarding::port_of(graph, output);
    if (!ports.contains(port))
      told_({"trouble", name, fmt::format("{} has no port {}", name, port)});
  }
  told_({"switch_here", name, name + " is here"});
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
    const Visitor* here = member(index(description_.graph.source(end)));
    const auto port = here->ports.find(forwarding::port_of(description_.graph, end));
    return port == here->ports.end() ? PortFound{} : port->second;
  };
  const PortFound a = found(forth);
  const PortFound b = found(topology::reverse(forth));
  const bool first = looked_at_.insert(link).second;
  if (first && (a.down_on_purpose || b.down_on_purpose))
    return controller_.found_asleep(now(), link, a.down_on_purpose && b.down_on_purpose);
  if (first) controller_.found_awake(now(), link);
  controller_.port(now(), forth, a.live);
  controller_.port(now(), topology::reverse(forth), b.live);
}

}  // namespace ebb::drivers
