// SPDX-License-Identifier: Apache-2.0
#include "ebb/drivers/fake_ports.hpp"

#include <fmt/format.h>

#include <vector>

namespace ebb::drivers {

FakeSwitch::FakeSwitch(forwarding::PortNumber count) {
  for (forwarding::PortNumber port = 1; port <= count; ++port) ports[port].traffic.port = port;
}

void FakeSwitch::cable(forwarding::PortNumber port, bool whole) {
  ports.at(port).cable = whole;
  changed(port);
}

void FakeSwitch::send(forwarding::PortNumber port, std::uint64_t frames, std::uint64_t bytes) {
  PortTraffic& traffic = ports.at(port).traffic;
  traffic.sent_frames += frames;
  traffic.sent_bytes += bytes;
}

FakePorts::FakePorts(transport::Loop& loop, FakeSwitch& machine, PortEvents events)
    : loop_(loop), machine_(machine), events_(std::move(events)) {
  machine_.changed = [this](forwarding::PortNumber port) {
    later([this, port] { events_.changed(port, machine_.ports.at(port).found()); });
  };
}

FakePorts::~FakePorts() {
  machine_.changed = [](auto) {};
}

void FakePorts::later(std::function<void()> what) {
  loop_.post([what = std::move(what), here = std::weak_ptr(here_)] {
    if (!here.expired()) what();
  });
}

void FakePorts::find_ports(const Found& found) {
  later([found, this] {
    if (!machine_.answers) return events_.error("did not say which ports it has");
    std::map<forwarding::PortNumber, PortStatus> ports;
    for (const auto& [number, port] : machine_.ports) ports[number] = port.found();
    found(ports);
  });
}

void FakePorts::read_counters() {
  later([this] {
    if (!machine_.answers) return events_.error("did not say its counters");
    std::vector<PortTraffic> traffic;
    for (const auto& [number, port] : machine_.ports) traffic.push_back(port.traffic);
    events_.counted(traffic);
  });
}

void FakePorts::order(forwarding::PortNumber port, const Done& done,
                      std::function<void(FakePort&)> change) {
  later([port, done, change = std::move(change), this] {
    if (!machine_.answers) return done(false, "no answer");
    const auto known = machine_.ports.find(port);
    if (known == machine_.ports.end()) return done(false, fmt::format("there is no port {}", port));
    const PortStatus before = known->second.found();
    change(known->second);
    if (!(known->second.found() == before)) machine_.changed(port);
    done(true, "");
  });
}

void FakePorts::set_port(forwarding::PortNumber port, bool up, const Done& done) {
  order(port, done, [up](FakePort& one) { one.up = up; });
}

void FakePorts::set_rate(forwarding::PortNumber port, DataRate rate, const Done& done) {
  order(port, done, [rate](FakePort& one) { one.rate = rate; });
}

void FakePorts::set_pvid(forwarding::PortNumber port, std::uint16_t vlan, const Done& done) {
  if (!is_vlan(vlan)) return done(false, no_vlan(vlan));
  order(port, done, [vlan](FakePort& one) { one.pvid = vlan; });
}

}  // namespace ebb::drivers
