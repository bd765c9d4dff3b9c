// SPDX-License-Identifier: Apache-2.0
#include "ebb/snmp/objects.hpp"
#include "ebb/snmp/ports.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace ebb::snmp {
namespace {

using drivers::PortStatus;
using drivers::PortTraffic;
using forwarding::PortNumber;

// Which port an interface is, by its name.
std::optional<PortNumber> port_named(const Value& name, const std::string& before) {
  const auto* text = std::get_if<std::string>(&name);
  if (text == nullptr || text->size() <= before.size() || !text->starts_with(before))
    return std::nullopt;
  const std::string_view digits = std::string_view(*text).substr(before.size());
  PortNumber number = 0;
  const auto [end, problem] = std::from_chars(digits.begin(), digits.end(), number);
  if (problem != std::errc{} || end != digits.end() || digits.front() == '0') return std::nullopt;
  return number;
}

PortStatus as_found(const Value& admin, const Value& oper) {
  const bool up = admin == Value{objects::kUp};
  return {!up, up && oper == Value{objects::kUp}};
}

}  // namespace

Ports::Ports(transport::Loop& loop, Agent agent, drivers::PortEvents events)
    : loop_(loop),
      events_(std::move(events)),
      interfaces_(agent.interfaces),
      session_(loop, std::move(agent)) {}

drivers::PortAbilities Ports::can() const {
  drivers::PortAbilities abilities;
  for (const auto& [number, port] : ports_) {
    abilities.rates = abilities.rates || !port.mau.empty();
    abilities.pvids = abilities.pvids || !port.bridge_port.empty();
  }
  return abilities;
}

void Ports::find_ports(const Found& found) {
  // Stale counters would make a link that is in use look quiet. Agents of others have no such
  // object, and refuse it.
  session_.set({{objects::kInterfaceCacheSeconds, std::int64_t{0}}},
               [found, this](const Reply&) { read_names(found); });
}

void Ports::read_names(const Found& found) {
  read_table(session_, {objects::kName, objects::kAdminStatus, objects::kOperStatus},
             [found, this](const auto& interfaces) {
               if (!interfaces)
                 return events_.error("did not say which ports it has: " + interfaces.error());
               if (learn_names(*interfaces)) read_bridge_ports(found);
             });
}

bool Ports::learn_names(const Table& interfaces) {
  const std::map<PortNumber, Port> before = std::exchange(ports_, {});
  for (const auto& [index, row] : interfaces) {
    if (const auto number = port_named(row[0], interfaces_))
      ports_[*number] = {index, {}, {}, as_found(row[1], row[2])};
  }
  lost_ = false;
  const std::weak_ptr<bool> here = here_;
  for (const auto& [number, port] : before) {
    const auto now = ports_.find(number);
    const PortStatus found = now == ports_.end() ? PortStatus{} : now->second.found;
    if (!(found == port.found)) events_.changed(number, found);
    if (here.expired()) return false;
  }
  return true;
}

void Ports::read_bridge_ports(const Found& found) {
  read_table(session_, {objects::kBasePortIfIndex, objects::kPvid},
             [found, this](const auto& rows) {
               if (!rows) return events_.error("did not say which ports it has: " + rows.error());
               for (const auto& [number, row] : *rows) {
                 Port* port = at_interface({static_cast<std::uint32_t>(number_of(row[0]))});
                 if (port != nullptr && is_there(row[1])) port->bridge_port = number;
               }
               read_maus(found);
             });
}

void Ports::read_maus(const Found& found) {
  read_table(session_, {objects::kMauDefaultType}, [found, this](const auto& rows) {
    if (!rows) return events_.error("did not say which ports it has: " + rows.error());
    for (const auto& [index, row] : *rows) {
      if (Port* port = at_interface({index.front()})) port->mau = index;
    }
    std::map<PortNumber, PortStatus> ports;
    for (const auto& [number, port] : ports_) ports[number] = port.found;
    found(ports);
  });
}

Ports::Port* Ports::at_interface(const Oid& index) {
  for (auto& [number, port] : ports_) {
    if (port.interface == index) return &port;
  }
  return nullptr;
}

void Ports::read_counters() {
  if (ports_.empty() || lost_) {
    return find_ports([this](const auto&) { events_.counted({}); });
  }
  read_table(session_,
             {objects::kAdminStatus, objects::kOperStatus, objects::kOutOctets, objects::kInOctets,
              objects::kOutUnicast, objects::kOutMulticast, objects::kOutBroadcast},
             [this](const auto& interfaces) {
               lost_ = !interfaces;
               if (lost_) return events_.error("did not say its counters: " + interfaces.error());
               count(*interfaces);
             });
}

void Ports::count(const Table& interfaces) {
  std::vector<PortTraffic> traffic;
  std::vector<std::pair<PortNumber, PortStatus>> changes;
  for (auto& [number, port] : ports_) {
    const auto found = interfaces.find(port.interface);
    if (found == interfaces.end()) continue;
    const std::vector<Value>& row = found->second;
    const PortStatus now = as_found(row[0], row[1]);
    if (!(now == port.found)) changes.emplace_back(number, now);
    port.found = now;
    traffic.push_back({number, number_of(row[2]), number_of(row[3]),
                       number_of(row[4]) + number_of(row[5]) + number_of(row[6])});
  }
  const std::weak_ptr<bool> here = here_;
  for (const auto& [number, now] : changes) {
    events_.changed(number, now);
    if (here.expired()) return;
  }
  events_.counted(traffic);
}

const Ports::Port* Ports::known(PortNumber port, const Done& done) {
  const auto found = ports_.find(port);
  if (found != ports_.end()) return &found->second;
  done(false,
       ports_.empty() ? "its ports are not known yet" : fmt::format("there is no port {}", port));
  return nullptr;
}

void Ports::set_port(PortNumber port, bool up, const Done& done) {
  const Port* one = known(port, done);
  if (one == nullptr) return;
  order({below(objects::kAdminStatus, one->interface), up ? objects::kUp : objects::kDown}, done);
}

void Ports::set_rate(PortNumber port, DataRate rate, const Done& done) {
  const Port* one = known(port, done);
  if (one == nullptr) return;
  if (one->mau.empty()) return done(false, "the agent has no object for the rate of the port");
  const auto type = objects::mau_type(rate);
  if (!type)
    return done(false, ebb::to_text(rate) + " is no rate of MAU-MIB: 10, 100, 1000 Mb/s, 10 Gb/s");
  order({below(objects::kMauDefaultType, one->mau), *type}, done);
}

void Ports::set_pvid(PortNumber port, std::uint16_t vlan, const Done& done) {
  const Port* one = known(port, done);
  if (one == nullptr) return;
  if (!drivers::is_vlan(vlan)) return done(false, drivers::no_vlan(vlan));
  if (one->bridge_port.empty()) return done(false, "the agent has no object for VLANs of the port");
  order({below(objects::kPvid, one->bridge_port), std::uint64_t{vlan}}, done);
}

void Ports::order(Binding binding, const Done& done) {
  if (orders_.size() >= drivers::kMostOrders) return done(false, drivers::kTooManyOrders);
  orders_.push_back({std::move(binding), done});
  if (orders_.size() == 1) send_order();
}

// The lease may have been lost while the order waited.
void Ports::send_order() {
  if (!events_.leads()) {
    loop_.post([this, here = std::weak_ptr<bool>(here_)] {
      if (!here.expired()) answered(tl::unexpected(std::string(drivers::kLeadsNoLonger)));
    });
    return;
  }
  session_.set({orders_.front().binding}, [this](const Reply& answer) { answered(answer); });
}

void Ports::answered(const Reply& answer) {
  const Done done = std::move(orders_.front().done);
  orders_.pop_front();
  if (!orders_.empty()) send_order();
  done(answer.has_value(), answer ? "" : answer.error());
}

}  // namespace ebb::snmp
