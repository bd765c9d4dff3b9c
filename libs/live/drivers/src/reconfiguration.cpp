// SPDX-License-Identifier: Apache-2.0
#include "ebb/drivers/reconfiguration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace ebb::drivers {

using forwarding::PortNumber;
using topology::ChannelId;
using topology::LinkId;
using transport::Clock;
using transport::Milliseconds;

namespace {

constexpr Milliseconds kBetweenLooks{10};
constexpr auto kBetweenProbes = std::chrono::milliseconds(100);

std::array<ChannelId, 2> ends_of(LinkId link) {
  return {topology::forward(link), topology::reverse(topology::forward(link))};
}

}  // namespace

struct Reconfiguration::Device {
  std::unique_ptr<openflow::Connection> connection;
  std::unique_ptr<OpenFlowSwitch> open_flow;
  std::map<PortNumber, PortStatus> ports;
  std::map<PortNumber, std::uint64_t> sent;  // frames
};

Reconfiguration::Reconfiguration(transport::Loop& loop, const topology::Graph& graph,
                                 RateSetter rates, ReconfigurationTimes times)
    : loop_(loop),
      graph_(graph),
      rates_(std::move(rates)),
      times_(times),
      seal_(controller::random_probe_key()) {}
Reconfiguration::~Reconfiguration() = default;

TimePoint Reconfiguration::now() const {
  return TimePoint(std::chrono::duration_cast<Duration>(Clock::now() - began_));
}

Result<void> Reconfiguration::wait(const std::function<bool()>& condition, Milliseconds limit,
                                   const std::string& for_what) {
  loop_.run_until([&] { return condition() || !error_.empty(); }, limit);
  if (!error_.empty()) return fail(std::exchange(error_, {}));
  if (!condition()) return fail(for_what + " took too long");
  return {};
}

Result<void> Reconfiguration::connect(std::vector<transport::Stream> switches) {
  awaited_ = switches.size();
  for (std::uint32_t s = 0; s < switches.size(); ++s) {
    Device& device = *devices_.emplace_back(std::make_unique<Device>());
    const std::string name = graph_.name(graph_.switch_node(s));
    openflow::ConnectionEvents events;
    events.ready = [this, s, name, &device](const openflow::FeaturesReply& features) {
      if (features.datapath != s + 1) error_ = fmt::format("{} is another switch", name);
      request_events(*device.connection, [this](const auto&) { --awaited_; });
    };
    events.closed = [this, name](const std::string& why) {
      error_ = fmt::format("{} has gone: {}", name, why);
    };
    events.packet_in = [&device](const openflow::PacketIn& packet) {
      if (device.open_flow) device.open_flow->packet_in(packet);
    };
    device.connection = std::make_unique<openflow::Connection>(
        loop_, std::move(switches[s]), openflow::Timing{}, std::move(events));
    SwitchEvents told;
    told.installed = [this](const auto&) { --awaited_; };
    told.counted = [this, &device](std::span<const PortTraffic> traffic) {
      for (const PortTraffic& one : traffic) device.sent[one.port] = one.sent_frames;
      --awaited_;
    };
    told.probe = [this, s](PortNumber at, std::span<const std::byte> frame) {
      probed(s, at, frame);
    };
    told.error = [this, name](const std::string& what) {
      error_ = fmt::format("{} {}", name, what);
    };
    device.open_flow = std::make_unique<OpenFlowSwitch>(*device.connection, std::move(told));
  }
  return wait([this] { return awaited_ == 0; }, times_.answer, "to meet the switches");
}

Result<void> Reconfiguration::look() {
  awaited_ = devices_.size();
  for (const auto& device : devices_) {
    device->open_flow->find_ports([this, &here = *device](const auto& ports) {
      here.ports = ports;
      --awaited_;
    });
  }
  return wait([this] { return awaited_ == 0; }, times_.answer, "to look at ports");
}

Result<void> Reconfiguration::count() {
  awaited_ = devices_.size();
  for (const auto& device : devices_) device->open_flow->read_counters();
  return wait([this] { return awaited_ == 0; }, times_.answer, "to read counters");
}

Result<void> Reconfiguration::install(const std::vector<Program>& programs) {
  awaited_ = devices_.size();
  for (std::size_t s = 0; s < devices_.size(); ++s)
    devices_[s]->open_flow->install(programs[s], true, ForeignRules::remove);
  return wait([this] { return awaited_ == 0; }, times_.answer, "to install rules");
}

PortStatus Reconfiguration::found(ChannelId end) const {
  const auto& ports = devices_[index(graph_.source(end))]->ports;
  const auto port = ports.find(forwarding::port_of(graph_, end));
  return port == ports.end() ? PortStatus{} : port->second;
}

bool Reconfiguration::any_down(LinkId link) const {
  const auto ends = ends_of(link);
  return std::any_of(ends.begin(), ends.end(), [&](ChannelId end) { return !found(end).oper_up; });
}

bool Reconfiguration::both_are(LinkId link, bool live) const {
  const auto ends = ends_of(link);
  return std::all_of(ends.begin(), ends.end(), [&](ChannelId end) {
    return found(end).oper_up == live && found(end).admin_down != live;
  });
}

Reconfiguration::Links Reconfiguration::links_where(const std::function<bool(LinkId)>& is) const {
  Links links;
  for (std::uint32_t which = 0; which < graph_.link_count(); ++which) {
    if (graph_.connects_switches(LinkId{which}) && is(LinkId{which}))
      links.push_back(LinkId{which});
  }
  return links;
}

Result<std::uint32_t> Reconfiguration::set_rates(const TargetState& target, bool faster) {
  if (target.rates.empty() || !rates_.set) return 0U;
  std::uint32_t changed = 0;
  for (const LinkId link : links_where([&](LinkId one) { return target.open[index(one)]; })) {
    const DataRate wanted = target.rates[index(link)];
    bool here = false;
    for (const ChannelId end : ends_of(link)) {
      const std::uint32_t device = index(graph_.source(end));
      const PortNumber port = forwarding::port_of(graph_, end);
      const auto now = rates_.read(device, port);
      if (!now) return fail(now.error());
      if (faster ? *now >= wanted : *now <= wanted) continue;
      if (auto set = rates_.set(device, port, wanted); !set) return fail(set.error());
      here = true;
    }
    changed += here ? 1 : 0;
  }
  return changed;
}

// Orders of ports wait for their turn, and so does the time that a link has.
controller::LinkTimes Reconfiguration::times_for(std::size_t links) const {
  const auto turns = static_cast<int>(links / times_.max_concurrent) + 1;
  const Duration waiting = 2 * turns * Duration(times_.pause);
  controller::LinkTimes times = times_.links;
  times.drain_limit += waiting;
  times.wake_limit += waiting;
  return times;
}

void Reconfiguration::make_machines(const TargetState& target, bool opening) {
  const Links links = links_where([&](LinkId one) {
    return target.open[index(one)] == opening && (opening ? any_down(one) : !both_are(one, false));
  });
  machines_.clear();
  port_orders_.clear();  // repeated ones of links that are done
  for (const LinkId link : links) {
    const auto [forth, back] = ends_of(link);
    auto& machine = machines_.try_emplace(link, forth, back, times_for(links.size())).first->second;
    if (any_down(link)) machine.found_asleep(now());
    if (opening) {
      machine.wake(now(), "is to be open");
    } else if (any_down(link)) {
      machine.stay_down(now());
    } else {
      machine.sleep(now(), "is to be closed");
    }
    take_orders(link, machine);
  }
}

// What the machines order of ports is given few links at a time; the rest waits for the programs,
// or says what is so already: nobody uses a link that is down.
void Reconfiguration::take_orders(LinkId link, controller::LinkMachine& machine) {
  for (const controller::Order& order : machine.take_orders()) {
    const auto* failover = std::get_if<controller::SetFailoverPreference>(&order);
    if (const auto* port = std::get_if<controller::SetPort>(&order)) {
      port_orders_[link].push_back(*port);
    } else if (failover->detour && any_down(link)) {
      machine.answered(now(), order, true);
    } else {
      failovers_.push_back(order);
    }
  }
}

void Reconfiguration::give_port_orders() {
  if (Clock::now() - ports_changed_ < times_.pause) return;
  std::size_t few = 0;
  while (!port_orders_.empty() && few++ < times_.max_concurrent) {
    const auto first = port_orders_.begin();
    for (const controller::SetPort& order : first->second) {
      if (!machines_.at(first->first).is_current(order)) continue;
      const std::uint32_t device = index(graph_.source(order.end));
      const auto done = [this, order](bool ok, const std::string& why) {
        const auto machine = machines_.find(topology::link_of(order.end));
        if (machine == machines_.end()) return;
        machine->second.answered(now(), order, ok, why);
        if (!ok && error_.empty()) error_ = "a port was not switched: " + why;
      };
      devices_[device]->open_flow->set_port(forwarding::port_of(graph_, order.end), order.up, done);
    }
    port_orders_.erase(first);
    ports_changed_ = Clock::now();
  }
}

void Reconfiguration::answer_failovers() {
  for (const controller::Order& order : std::exchange(failovers_, {})) {
    const auto machine = machines_.find(topology::link_of(controller::end_of(order)));
    if (machine != machines_.end()) machine->second.answered(now(), order, true);
  }
}

void Reconfiguration::send_probes() {
  for (const auto& [link, machine] : machines_) {
    for (const ChannelId end : ends_of(link)) {
      if (!machine.wants_probe(end)) continue;
      const controller::Place from{index(graph_.source(end)), forwarding::port_of(graph_, end)};
      devices_[from.device]->open_flow->send_probe(from.port, seal_.seal({from, ++probes_}));
    }
  }
}

void Reconfiguration::probed(std::uint32_t device, PortNumber at,
                             std::span<const std::byte> frame) {
  const auto probe =
      seal_.open({reinterpret_cast<const std::uint8_t*>(frame.data()), frame.size()});
  const auto here = forwarding::output_at(graph_, device, at);
  if (!probe || !here) return;
  const auto from = forwarding::output_at(graph_, probe->from.device, probe->from.port);
  const auto machine = machines_.find(topology::link_of(*here));
  if (from != topology::reverse(*here) || machine == machines_.end()) return;
  machine->second.probe_heard(now(), *from);
}

Result<void> Reconfiguration::tell_machines(bool opening) {
  if (auto seen = look(); !seen) return seen;
  if (!opening) {
    if (auto counted = count(); !counted) return counted;
  }
  for (auto& [link, machine] : machines_) {
    for (const ChannelId end : ends_of(link)) {
      const std::uint32_t device = index(graph_.source(end));
      machine.port(now(), end, found(end).oper_up);
      if (!opening)
        machine.sent(now(), end, devices_[device]->sent[forwarding::port_of(graph_, end)]);
    }
    machine.tick(now());
    take_orders(link, machine);
  }
  return {};
}

Result<void> Reconfiguration::check_states(bool opening) const {
  for (const auto& [link, machine] : machines_) {
    const auto state = machine.state();
    const bool rolled_back = !opening && !machine.detours();
    if (state == controller::LinkState::failed || rolled_back)
      return fail(fmt::format("{}: {}", topology::link_name(graph_, link), machine.why()));
  }
  return {};
}

// A link is ready for the programs when it has asked both its switches for frames.
Result<void> Reconfiguration::drive(bool opening) {
  auto probed_at = Clock::time_point{};
  const auto is_done = [&](const auto& one) {
    return opening ? !one.second.detours()
                   : one.second.state() == controller::LinkState::asleep &&
                         both_are(one.first, false) && one.second.is_confirmed();
  };
  while (!std::all_of(machines_.begin(), machines_.end(), is_done)) {
    if (auto told = tell_machines(opening); !told) return told;
    if (auto good = check_states(opening); !good) return good;
    if (Clock::now() - probed_at >= kBetweenProbes) {
      probed_at = Clock::now();
      send_probes();
    }
    give_port_orders();
    loop_.run_until([this] { return !error_.empty(); }, kBetweenLooks);
    if (!error_.empty()) return fail(std::exchange(error_, {}));
  }
  return {};
}

Result<ReconfigurationCounts> Reconfiguration::apply(const TargetState& target) {
  ReconfigurationCounts counts;
  if (auto seen = look(); !seen) return fail(seen.error());
  make_machines(target, true);
  counts.opened = static_cast<std::uint32_t>(machines_.size());
  if (auto up = drive(true); !up) return fail(up.error());
  const auto faster = set_rates(target, true);
  if (!faster) return fail(faster.error());
  if (auto held = install(target.programs); !held) return fail(held.error());
  answer_failovers();
  if (auto seen = look(); !seen) return fail(seen.error());
  make_machines(target, false);
  counts.closed = static_cast<std::uint32_t>(machines_.size());
  answer_failovers();  // the programs say so already
  if (auto down = drive(false); !down) return fail(down.error());
  const auto slower = set_rates(target, false);
  if (!slower) return fail(slower.error());
  counts.faster = *faster;
  counts.slower = *slower;
  return counts;
}

}  // namespace ebb::drivers
