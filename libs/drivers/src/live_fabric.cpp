// SPDX-License-Identifier: Apache-2.0
#include "ebb/drivers/live_fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace ebb::drivers {

using fabric::Order;
using fabric::PortNumber;
using topology::ChannelId;
using topology::LinkId;
using transport::Clock;

struct LiveFabric::Visitor {
  std::unique_ptr<openflow_channel::Connection> connection;
  std::unique_ptr<OpenFlowSwitch> open_flow;  // once it is known which
  std::uint32_t device = 0;
  std::map<PortNumber, PortFound> ports;
  bool reading = false;  // counters: one question at a time
  bool gone = false;
};

LiveFabric::LiveFabric(transport::Loop& loop, const Description& description,
                       fabric::Controller& controller, LiveOptions options, Told told)
    : loop_(loop),
      description_(description),
      controller_(controller),
      options_(options),
      told_(std::move(told)),
      began_(Clock::now()),
      wiring_(description.graph),
      timers_(3) {
  read_counters();
  send_probes();
  tick();
}

LiveFabric::~LiveFabric() {
  for (const auto& timer : timers_) loop_.cancel(timer);
}

TimePoint LiveFabric::now() const {
  return TimePoint(std::chrono::duration_cast<Duration>(Clock::now() - began_));
}

LiveFabric::Visitor* LiveFabric::member(std::uint32_t device) const {
  const auto found = members_.find(device);
  return found == members_.end() ? nullptr : found->second;
}

void LiveFabric::admit(transport::Stream stream) {
  std::erase_if(visitors_, [](const auto& visitor) { return visitor->gone; });
  Visitor& visitor = *visitors_.emplace_back(std::make_unique<Visitor>());
  openflow_channel::ConnectionEvents events;
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
  visitor.connection = std::make_unique<openflow_channel::Connection>(
      loop_, std::move(stream), openflow_channel::Timing{}, std::move(events));
}

void LiveFabric::greeted(Visitor& visitor, std::uint64_t datapath) {
  if (datapath < 1 || datapath > description_.graph.switch_count()) {
    told_(fmt::format("a switch of number {:#x} is not in the description", datapath));
    visitor.gone = true;
    return;
  }
  const auto device = static_cast<std::uint32_t>(datapath - 1);
  for (const auto& other : visitors_) {
    if (other.get() != &visitor && !other->gone && other->open_flow && other->device == device)
      went(*other, "connected again");
  }
  join(visitor, device);
}

void LiveFabric::join(Visitor& visitor, std::uint32_t device) {
  const std::string name = description_.graph.name(description_.graph.switch_node(device));
  visitor.device = device;
  SwitchEvents events;
  events.installed = [&visitor, device, this](const auto& ports) {
    visitor.ports = ports;
    members_[device] = &visitor;
    installed(device, ports);
  };
  events.port = [&visitor, device, this](PortNumber port, bool live) {
    visitor.ports[port].live = live;
    const auto end = fabric::output_at(description_.graph, device, port);
    // Links that have not been looked at are reported when both ends are here.
    if (end && looked_at_.contains(topology::link_of(*end))) {
      controller_.port(now(), *end, live);
      give_orders();
    }
  };
  events.probe = [device, this](PortNumber at, std::span<const std::byte> frame) {
    probed(device, at, frame);
  };
  events.counted = [&visitor, device, this](const auto& counters) {
    visitor.reading = false;
    counted(device, counters);
  };
  events.trouble = [&visitor, name, this](const std::string& what) {
    visitor.reading = false;
    told_(name + " " + what);
  };
  visitor.open_flow = std::make_unique<OpenFlowSwitch>(*visitor.connection, std::move(events));
  visitor.open_flow->install(program_of(device));
}

Program LiveFabric::program_of(std::uint32_t device) const {
  return program(
      description_.graph, description_.plan, description_.tables[device],
      [&](ChannelId output) { return controller_.link(topology::link_of(output)).detours(); });
}

void LiveFabric::went(Visitor& visitor, const std::string& reason) {
  visitor.gone = true;
  const std::uint32_t device = visitor.device;
  if (member(device) != &visitor) return;
  members_.erase(device);
  wiring_.forget(device);
  told_(description_.graph.name(description_.graph.switch_node(device)) + " has gone: " + reason);
  controller_.left(now(), device);
  give_orders();
}

void LiveFabric::installed(std::uint32_t device, const std::map<PortNumber, PortFound>& ports) {
  const topology::Graph& graph = description_.graph;
  const std::string name = graph.name(graph.switch_node(device));
  for (const ChannelId output : graph.outputs(graph.switch_node(device))) {
    const PortNumber port = fabric::port_of(graph, output);
    if (!ports.contains(port)) told_(fmt::format("{} has no port {}", name, port));
  }
  told_(name + " is here");
  controller_.joined(now(), device);
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
  const ChannelId forth = topology::forward(link);
  const auto found = [&](ChannelId end) {
    const Visitor* here = member(index(description_.graph.source(end)));
    const auto port = here->ports.find(fabric::port_of(description_.graph, end));
    return port == here->ports.end() ? PortFound{} : port->second;
  };
  const PortFound a = found(forth);
  const PortFound b = found(topology::reverse(forth));
  const bool first = looked_at_.insert(link).second;
  if (first && (a.down_on_purpose || b.down_on_purpose))
    return controller_.found_asleep(now(), link, a.down_on_purpose && b.down_on_purpose);
  controller_.port(now(), forth, a.live);
  controller_.port(now(), topology::reverse(forth), b.live);
}

void LiveFabric::counted(std::uint32_t device,
                         const std::vector<openflow::PortCounters>& counters) {
  std::vector<fabric::PortCount> counts;
  for (const openflow::PortCounters& one : counters) {
    const auto end = fabric::output_at(description_.graph, device, one.port);
    if (end) counts.push_back({*end, one.tx_bytes, one.rx_bytes, one.tx_packets});
  }
  controller_.counted(now(), counts);
  give_orders();
}

void LiveFabric::probed(std::uint32_t device, PortNumber at, std::span<const std::byte> frame) {
  const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(frame.data()),
                                            frame.size());
  if (const auto from = fabric::read_probe(bytes, options_.number))
    wiring_.heard({device, at}, *from);
  say_what_is_wrong();
}

bool LiveFabric::is_whole() const {
  if (members_.size() != description_.graph.switch_count() || !wiring_.wrong().empty())
    return false;
  const std::vector<fabric::Place> silent = wiring_.silent();
  return std::none_of(silent.begin(), silent.end(), [&](const fabric::Place& place) {
    const auto& ports = member(place.device)->ports;
    const auto found = ports.find(place.port);
    return found != ports.end() && found->second.live;
  });
}

void LiveFabric::say_what_is_wrong() {
  std::vector<std::string> wrong = wiring_.wrong();
  for (const std::string& line : wrong) {
    if (std::find(wrong_.begin(), wrong_.end(), line) == wrong_.end())
      told_("wrong cable: " + line);
  }
  wrong_ = std::move(wrong);
}

void LiveFabric::give_orders() {
  for (auto orders = controller_.take_orders(); !orders.empty();
       orders = controller_.take_orders()) {
    for (const Order& order : orders) give(order);
  }
}

void LiveFabric::give(const Order& order) {
  if (!options_.writes) return;
  const ChannelId end = fabric::end_of(order);
  const std::uint32_t device = index(description_.graph.source(end));
  Visitor* here = member(device);
  const auto done = [order, this](bool ok, const std::string& why) {
    controller_.answered(now(), order, ok, why);
    give_orders();
  };
  if (here == nullptr) return done(false, "the switch cannot be reached");
  const PortNumber port = fabric::port_of(description_.graph, end);
  if (const auto* ports = std::get_if<fabric::SetPort>(&order))
    return here->open_flow->set_port(port, ports->up, done);
  const rules::Table& table = description_.tables[device];
  // Nothing to prefer where there is no detour.
  if (!table.detour(end)) return done(true, "");
  here->open_flow->set_group(
      group_of(description_.graph, table, end, std::get<fabric::Prefer>(order).detour), done);
}

void LiveFabric::read_counters() {
  for (const auto& [device, here] : members_) {
    if (here->reading) continue;
    here->reading = true;
    here->open_flow->read_counters();
  }
  timers_[0] = loop_.after(options_.counters, [this] { read_counters(); });
}

void LiveFabric::send_probes() {
  const topology::Graph& graph = description_.graph;
  for (const auto& [device, here] : members_) {
    for (const auto& [port, found] : here->ports) {
      const auto end = fabric::output_at(graph, device, port);
      if (!end || !found.live || !options_.writes) continue;
      here->open_flow->send_probe(port, fabric::probe({device, port}, options_.number));
    }
  }
  timers_[1] = loop_.after(options_.probes, [this] { send_probes(); });
}

void LiveFabric::tick() {
  controller_.wiring_is(is_whole());
  controller_.tick(now());
  give_orders();
  const auto wait =
      std::chrono::duration_cast<transport::Milliseconds>(controller_.next_tick() - now());
  timers_[2] =
      loop_.after(std::clamp(wait, transport::Milliseconds(1), transport::Milliseconds(100)),
                  [this] { tick(); });
}

}  // namespace ebb::drivers
