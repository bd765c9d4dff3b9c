// SPDX-License-Identifier: Apache-2.0
#include "ebb/simulated/ports.hpp"

#include <fmt/format.h>

#include <vector>

namespace ebb::simulated {

using forwarding::PortNumber;
using topology::ChannelId;

Ports::Ports(transport::Loop& loop, Cables& cables, const topology::Graph& graph,
             std::uint32_t device, drivers::PortEvents events)
    : loop_(loop), cables_(cables), events_(std::move(events)) {
  for (const ChannelId output : graph.outputs(graph.switch_node(device)))
    ends_[forwarding::port_of(graph, output)] = output;
}

// The question arrives, and time has passed.
void Ports::later(std::function<void()> what) {
  loop_.post([what = std::move(what), here = std::weak_ptr(here_), this] {
    if (here.expired()) return;
    cables_.pass_time();
    what();
  });
}

void Ports::tell_changes() {
  const std::weak_ptr<bool> here = here_;
  for (const auto& [port, end] : ends_) {
    const drivers::PortFound found = cables_.found(end);
    if (found == told_[port]) continue;
    told_[port] = found;
    events_.changed(port, found);
    if (here.expired()) return;
  }
}

void Ports::find_ports(const Found& found) {
  later([found, this] {
    if (!answers) return events_.trouble("did not say which ports it has");
    for (const auto& [port, end] : ends_) told_[port] = cables_.found(end);
    found(told_);
  });
}

void Ports::read_counters() {
  later([here = std::weak_ptr(here_), this] {
    if (!answers) return events_.trouble("did not say its counters");
    tell_changes();
    if (here.expired()) return;
    std::vector<drivers::PortTraffic> traffic;
    for (const auto& [port, end] : ends_) {
      traffic.push_back(cables_.traffic(end));
      traffic.back().port = port;
    }
    events_.counted(traffic);
  });
}

void Ports::order(PortNumber port, const Done& done, std::function<std::string(ChannelId)> change) {
  later([port, done, change = std::move(change), this] {
    if (!answers) return done(false, "no answer");
    const auto end = ends_.find(port);
    if (end == ends_.end()) return done(false, fmt::format("there is no port {}", port));
    const std::string why = change(end->second);
    done(why.empty(), why);
  });
}

void Ports::set_port(PortNumber port, bool up, const Done& done) {
  order(port, done, [up, this](ChannelId end) { return cables_.set_end(end, up); });
}

void Ports::set_rate(PortNumber port, DataRate rate, const Done& done) {
  order(port, done, [rate, this](ChannelId end) { return cables_.set_rate(end, rate); });
}

void Ports::set_pvid(PortNumber /*port*/, std::uint16_t /*vlan*/, const Done& done) {
  later([done] { done(false, "packets of the simulator have no VLANs"); });
}

}  // namespace ebb::simulated
