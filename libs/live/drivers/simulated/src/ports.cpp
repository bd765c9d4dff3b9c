// SPDX-License-Identifier: Apache-2.0
#include "ebb/simulated/ports.hpp"

#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace ebb::simulated {

namespace {

constexpr int kMostWaits = 1000;  // for a channel that drains

}  // namespace

using topology::ChannelId;

SimulatedLinks::SimulatedLinks(netsim::Network& network, const topology::Graph& graph,
                               RequestTiming timing)
    : network_(network),
      graph_(graph),
      timing_(timing),
      down_(2 * std::size_t{graph.link_count()}) {}

void SimulatedLinks::pass_time() { network_.run_until(network_.now() + timing_.per_request); }

std::string SimulatedLinks::apply(ChannelId channel, const policy::Order& order) {
  const policy::Action action{policy::ChannelId{index(channel)}, order};
  policy::Outcome outcome = network_.apply(action);
  // It must have arrived where it is going before it can turn round.
  for (int i = 0; outcome.reason == policy::Reason::changing && i < kMostWaits; ++i) {
    network_.run_until(
        std::max(network_.state(channel).until, network_.now() + timing_.per_request));
    outcome = network_.apply(action);
  }
  if (outcome.reason == policy::Reason::done) return "";
  return std::string(policy::to_text(outcome.reason));
}

std::string SimulatedLinks::set_end(ChannelId end, bool up) {
  down_[index(end)] = !up;
  const bool whole = !down_[index(end)] && !down_[index(topology::reverse(end))];
  const policy::Order order =
      whole ? policy::Order{policy::Wake{}} : policy::Order{policy::Sleep{}};
  for (const ChannelId channel : {end, topology::reverse(end)}) {
    if (std::string why = apply(channel, order); !why.empty()) return why;
  }
  return "";
}

std::span<const DataRate> SimulatedLinks::rate_table(ChannelId channel) const {
  return graph_.rate_table(graph_.link(topology::link_of(channel)));
}

std::string SimulatedLinks::set_rate(ChannelId end, DataRate rate) {
  const auto rates = rate_table(end);
  const auto step = std::find(rates.begin(), rates.end(), rate);
  if (step == rates.end()) return to_text(rate) + " is not in the rate table of the link";
  return apply(end, policy::SetRateLevel{
                        policy::RateLevel{static_cast<std::uint8_t>(step - rates.begin())}});
}

bool SimulatedLinks::carries(ChannelId channel) const {
  const policy::State state = network_.state(channel);
  return state.mode == policy::Mode::active && !state.changing;
}

drivers::PortStatus SimulatedLinks::found(ChannelId end) const {
  return {down_[index(end)], !down_[index(end)] && !down_[index(topology::reverse(end))] &&
                                 carries(end) && carries(topology::reverse(end))};
}

DataRate SimulatedLinks::rate(ChannelId end) const {
  return rate_table(end)[index(network_.state(end).rate_level)];
}

drivers::PortTraffic SimulatedLinks::traffic(ChannelId end) const {
  constexpr std::int64_t kBitsPerByte = 8;
  const DataSize sent = network_.use(end).sent;
  const DataSize received = network_.use(topology::reverse(end)).sent;
  const std::int64_t packets = (sent.count() + timing_.packet.count() - 1) / timing_.packet.count();
  return {0, static_cast<std::uint64_t>(sent.count() / kBitsPerByte),
          static_cast<std::uint64_t>(received.count() / kBitsPerByte),
          static_cast<std::uint64_t>(packets)};
}

using forwarding::PortNumber;
using topology::ChannelId;

Ports::Ports(transport::Loop& loop, SimulatedLinks& cables, const topology::Graph& graph,
             std::uint32_t device, drivers::PortEvents events)
    : loop_(loop), links_(cables), events_(std::move(events)) {
  for (const ChannelId output : graph.outputs(graph.switch_node(device)))
    ends_[forwarding::port_of(graph, output)] = output;
}

// The question arrives, and time has passed.
void Ports::later(std::function<void()> what) {
  loop_.post([what = std::move(what), here = std::weak_ptr(here_), this] {
    if (here.expired()) return;
    links_.pass_time();
    what();
  });
}

void Ports::tell_changes() {
  const std::weak_ptr<bool> here = here_;
  for (const auto& [port, end] : ends_) {
    const drivers::PortStatus found = links_.found(end);
    if (found == told_[port]) continue;
    told_[port] = found;
    events_.changed(port, found);
    if (here.expired()) return;
  }
}

void Ports::find_ports(const Found& found) {
  later([found, this] {
    if (!answers) return events_.error("did not say which ports it has");
    for (const auto& [port, end] : ends_) told_[port] = links_.found(end);
    found(told_);
  });
}

void Ports::read_counters() {
  later([here = std::weak_ptr(here_), this] {
    if (!answers) return events_.error("did not say its counters");
    tell_changes();
    if (here.expired()) return;
    std::vector<drivers::PortTraffic> traffic;
    for (const auto& [port, end] : ends_) {
      traffic.push_back(links_.traffic(end));
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
  order(port, done, [up, this](ChannelId end) { return links_.set_end(end, up); });
}

void Ports::set_rate(PortNumber port, DataRate rate, const Done& done) {
  order(port, done, [rate, this](ChannelId end) { return links_.set_rate(end, rate); });
}

void Ports::set_pvid(PortNumber /*port*/, std::uint16_t /*vlan*/, const Done& done) {
  later([done] { done(false, "packets of the simulator have no VLANs"); });
}

}  // namespace ebb::simulated
