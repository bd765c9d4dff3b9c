// SPDX-License-Identifier: Apache-2.0
#include "ebb/drivers/link_mover.hpp"

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

struct LinkMover::Box {
  std::unique_ptr<openflow::Connection> connection;
  std::unique_ptr<OpenFlowSwitch> open_flow;
  std::map<PortNumber, PortFound> ports;
  std::map<PortNumber, std::uint64_t> sent;  // frames
};

LinkMover::LinkMover(transport::Loop& loop, const topology::Graph& graph, RateSetter rates,
                     MoveTimes times)
    : loop_(loop), graph_(graph), rates_(std::move(rates)), times_(times) {}
LinkMover::~LinkMover() = default;

Result<void> LinkMover::wait(const std::function<bool()>& condition, Milliseconds limit,
                             const std::string& for_what) {
  loop_.run_until([&] { return condition() || !trouble_.empty(); }, limit);
  if (!trouble_.empty()) return fail(std::exchange(trouble_, {}));
  if (!condition()) return fail(for_what + " took too long");
  return {};
}

Result<void> LinkMover::meet(std::vector<transport::Stream> switches) {
  awaited_ = switches.size();
  for (std::uint32_t s = 0; s < switches.size(); ++s) {
    Box& box = *boxes_.emplace_back(std::make_unique<Box>());
    const std::string name = graph_.name(graph_.switch_node(s));
    openflow::ConnectionEvents events;
    events.ready = [this, s, name](const openflow::FeaturesReply& features) {
      if (features.datapath != s + 1) trouble_ = fmt::format("{} is another switch", name);
      --awaited_;
    };
    events.closed = [this, name](const std::string& why) {
      trouble_ = fmt::format("{} has gone: {}", name, why);
    };
    box.connection = std::make_unique<openflow::Connection>(loop_, std::move(switches[s]),
                                                            openflow::Timing{}, std::move(events));
    SwitchEvents told;
    told.installed = [this](const auto&) { --awaited_; };
    told.counted = [this, &box](std::span<const PortTraffic> traffic) {
      for (const PortTraffic& one : traffic) box.sent[one.port] = one.sent_frames;
      --awaited_;
    };
    told.trouble = [this, name](const std::string& what) {
      trouble_ = fmt::format("{} {}", name, what);
    };
    box.open_flow = std::make_unique<OpenFlowSwitch>(*box.connection, std::move(told));
  }
  return wait([this] { return awaited_ == 0; }, times_.answer, "to meet the switches");
}

Result<void> LinkMover::look() {
  awaited_ = boxes_.size();
  for (const auto& box : boxes_) {
    box->open_flow->find_ports([this, &here = *box](const auto& ports) {
      here.ports = ports;
      --awaited_;
    });
  }
  return wait([this] { return awaited_ == 0; }, times_.answer, "to look at ports");
}

Result<void> LinkMover::count() {
  awaited_ = boxes_.size();
  for (const auto& box : boxes_) box->open_flow->read_counters();
  return wait([this] { return awaited_ == 0; }, times_.answer, "to read counters");
}

Result<void> LinkMover::install(const std::vector<Program>& programs) {
  awaited_ = boxes_.size();
  for (std::size_t s = 0; s < boxes_.size(); ++s) boxes_[s]->open_flow->install(programs[s], true);
  return wait([this] { return awaited_ == 0; }, times_.answer, "to install rules");
}

PortFound LinkMover::found(ChannelId end) const {
  const auto& ports = boxes_[index(graph_.source(end))]->ports;
  const auto port = ports.find(forwarding::port_of(graph_, end));
  return port == ports.end() ? PortFound{} : port->second;
}

bool LinkMover::any_down(LinkId link) const {
  const auto ends = ends_of(link);
  return std::any_of(ends.begin(), ends.end(), [&](ChannelId end) { return !found(end).live; });
}

bool LinkMover::both_are(LinkId link, bool live) const {
  const auto ends = ends_of(link);
  return std::all_of(ends.begin(), ends.end(), [&](ChannelId end) {
    return found(end).live == live && found(end).down_on_purpose != live;
  });
}

LinkMover::Links LinkMover::links_where(const std::function<bool(LinkId)>& is) const {
  Links links;
  for (std::uint32_t which = 0; which < graph_.link_count(); ++which) {
    const topology::Link& ends = graph_.link(LinkId{which});
    if (!graph_.is_host(ends.a) && !graph_.is_host(ends.b) && is(LinkId{which}))
      links.push_back(LinkId{which});
  }
  return links;
}

Result<void> LinkMover::set_ports(const Links& links, bool up) {
  for (std::span<const LinkId> rest(links); !rest.empty();) {
    const std::size_t few = std::min(times_.at_once, rest.size());
    if (auto set = set_few_ports(rest.first(few), up); !set) return set;
    rest = rest.subspan(few);
    loop_.run_until([] { return false; }, times_.rest);
  }
  return {};
}

// At both ends, and until it is seen there.
Result<void> LinkMover::set_few_ports(std::span<const LinkId> links, bool up) {
  awaited_ = 2 * links.size();
  for (const LinkId link : links) {
    for (const ChannelId end : ends_of(link)) {
      const std::uint32_t device = index(graph_.source(end));
      boxes_[device]->open_flow->set_port(forwarding::port_of(graph_, end), up,
                                          [this](bool ok, const std::string& why) {
                                            if (!ok && trouble_.empty())
                                              trouble_ = "a port was not switched: " + why;
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
Result<void> LinkMover::drain(const Links& links) {
  if (links.empty()) return {};
  const auto sent = [&] {
    std::vector<std::uint64_t> frames;
    for (const LinkId link : links) {
      for (const ChannelId end : ends_of(link))
        frames.push_back(boxes_[index(graph_.source(end))]->sent[forwarding::port_of(graph_, end)]);
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
    if (asked - quiet_since >= times_.quiet) return {};
    if (Clock::now() > limit) return fail("frames did not stop on links that are to be closed");
    loop_.run_until([] { return false; }, kBetweenLooks);
  }
}

Result<std::uint32_t> LinkMover::set_rates(const MoveTo& to, bool faster) {
  if (to.rates.empty() || !rates_.set) return 0U;
  std::uint32_t changed = 0;
  for (const LinkId link : links_where([&](LinkId one) { return to.open[index(one)]; })) {
    const DataRate wanted = to.rates[index(link)];
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

Result<Moved> LinkMover::move(const MoveTo& to) {
  if (auto seen = look(); !seen) return fail(seen.error());
  const Links to_open =
      links_where([&](LinkId one) { return to.open[index(one)] && any_down(one); });
  const Links to_close =
      links_where([&](LinkId one) { return !to.open[index(one)] && !both_are(one, false); });
  Moved moved{.opened = static_cast<std::uint32_t>(to_open.size()),
              .closed = static_cast<std::uint32_t>(to_close.size())};
  if (auto up = set_ports(to_open, true); !up) return fail(up.error());
  const auto faster = set_rates(to, true);
  if (!faster) return fail(faster.error());
  if (auto held = install(to.programs); !held) return fail(held.error());
  if (auto dry = drain(to_close); !dry) return fail(dry.error());
  if (auto down = set_ports(to_close, false); !down) return fail(down.error());
  const auto slower = set_rates(to, false);
  if (!slower) return fail(slower.error());
  moved.faster = *faster;
  moved.slower = *slower;
  return moved;
}

}  // namespace ebb::drivers
