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
    : loop_(loop), graph_(graph), rates_(std::move(rates)), times_(times) {}
Reconfiguration::~Reconfiguration() = default;

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
    events.ready = [this, s, name](const openflow::FeaturesReply& features) {
      if (features.datapath != s + 1) error_ = fmt::format("{} is another switch", name);
      --awaited_;
    };
    events.closed = [this, name](const std::string& why) {
      error_ = fmt::format("{} has gone: {}", name, why);
    };
    device.connection = std::make_unique<openflow::Connection>(
        loop_, std::move(switches[s]), openflow::Timing{}, std::move(events));
    SwitchEvents told;
    told.installed = [this](const auto&) { --awaited_; };
    told.counted = [this, &device](std::span<const PortTraffic> traffic) {
      for (const PortTraffic& one : traffic) device.sent[one.port] = one.sent_frames;
      --awaited_;
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

Result<void> Reconfiguration::set_ports(const Links& links, bool up) {
  for (std::span<const LinkId> rest(links); !rest.empty();) {
    const std::size_t few = std::min(times_.max_concurrent, rest.size());
    if (auto set = set_few_ports(rest.first(few), up); !set) return set;
    rest = rest.subspan(few);
    loop_.run_until([] { return false; }, times_.pause);
  }
  return {};
}

// At both ends, and until it is seen there.
Result<void> Reconfiguration::set_few_ports(std::span<const LinkId> links, bool up) {
  awaited_ = 2 * links.size();
  for (const LinkId link : links) {
    for (const ChannelId end : ends_of(link)) {
      const std::uint32_t device = index(graph_.source(end));
      devices_[device]->open_flow->set_port(forwarding::port_of(graph_, end), up,
                                            [this](bool ok, const std::string& why) {
                                              if (!ok && error_.empty())
                                                error_ = "a port was not switched: " + why;
                                              --awaited_;
                                            });
    }
  }
  if (auto told = wait([this] { return awaited_ == 0; }, times_.answer, "to switch ports"); !told)
    return told;
  const auto limit = Clock::now() + times_.up;
  while (!std::all_of(links.begin(), links.end(), [&](LinkId one) { return both_are(one, up); })) {
    if (Clock::now() > limit) return fail(up ? "links did not come up" : "ports did not go down");
    loop_.run_until([] { return false; }, kBetweenLooks);
    if (auto seen = look(); !seen) return seen;
  }
  return {};
}

// No end has sent anything for a while. The rules have changed, but frames may still meet the old
// ones for a moment.
Result<void> Reconfiguration::drain(const Links& links) {
  if (links.empty()) return {};
  const auto sent = [&] {
    std::vector<std::uint64_t> frames;
    for (const LinkId link : links) {
      for (const ChannelId end : ends_of(link)) {
        frames.push_back(
            devices_[index(graph_.source(end))]->sent[forwarding::port_of(graph_, end)]);
      }
    }
    return frames;
  };
  const auto limit = Clock::now() + times_.drain;
  std::vector<std::uint64_t> before;
  auto quiet_since = Clock::now();
  for (;;) {
    const auto asked = Clock::now();
    if (auto counted = count(); !counted) return counted;
    auto now = sent();
    if (now != before) quiet_since = Clock::now();
    before = std::move(now);
    if (asked - quiet_since >= times_.drain_idle) return {};
    if (Clock::now() > limit) return fail("frames did not stop on links that are to be closed");
    loop_.run_until([] { return false; }, kBetweenLooks);
  }
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

Result<ReconfigurationCounts> Reconfiguration::apply(const TargetState& target) {
  if (auto seen = look(); !seen) return fail(seen.error());
  const Links to_open =
      links_where([&](LinkId one) { return target.open[index(one)] && any_down(one); });
  const Links to_close =
      links_where([&](LinkId one) { return !target.open[index(one)] && !both_are(one, false); });
  ReconfigurationCounts counts{.opened = static_cast<std::uint32_t>(to_open.size()),
                               .closed = static_cast<std::uint32_t>(to_close.size())};
  if (auto up = set_ports(to_open, true); !up) return fail(up.error());
  const auto faster = set_rates(target, true);
  if (!faster) return fail(faster.error());
  if (auto held = install(target.programs); !held) return fail(held.error());
  if (auto dry = drain(to_close); !dry) return fail(dry.error());
  if (auto down = set_ports(to_close, false); !down) return fail(down.error());
  const auto slower = set_rates(target, false);
  if (!slower) return fail(slower.error());
  counts.faster = *faster;
  counts.slower = *slower;
  return counts;
}

}  // namespace ebb::drivers
