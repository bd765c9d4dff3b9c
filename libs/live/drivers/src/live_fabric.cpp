// SPDX-License-Identifier: Apache-2.0
#include "ebb/drivers/live_fabric.hpp"

#include "visitor.hpp"

#include "ebb/drivers/notice_limit.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace ebb::drivers {

using controller::Order;
using forwarding::PortNumber;
using topology::ChannelId;
using transport::Clock;

namespace {

Told limited(Told told) {
  return [told = std::move(told), limit = std::make_shared<NoticeLimit>()](const Notice& notice) {
    if (const auto passed = limit->pass(notice, Clock::now())) told(*passed);
  };
}

}  // namespace

LiveFabric::LiveFabric(transport::Loop& loop, const Description& description,
                       controller::Controller& controller, LiveOptions options, Told told)
    : loop_(loop),
      description_(description),
      controller_(controller),
      options_(std::move(options)),
      told_(limited(std::move(told))),
      began_(Clock::now()),
      wiring_(description.graph),
      timers_(3) {}

LiveFabric::~LiveFabric() {
  for (const auto& timer : timers_) loop_.cancel(timer);
}

TimePoint LiveFabric::now() const {
  return TimePoint(std::chrono::duration_cast<Duration>(Clock::now() - began_));
}

void LiveFabric::lead(std::uint64_t generation, Lost lost) {
  generation_ = generation;
  lost_ = std::move(lost);
  began_ = Clock::now();
  for (std::size_t i = 0; i < visitors_.size(); ++i) {
    if (visitors_[i]->greeted && !visitors_[i]->gone) settle(*visitors_[i]);
  }
  read_counters();
  send_probes();
  tick();
}

LiveFabric::Visitor* LiveFabric::member(std::uint32_t device) const {
  const auto found = members_.find(device);
  return found == members_.end() ? nullptr : found->second;
}

void LiveFabric::counted(std::uint32_t device, std::span<const PortTraffic> traffic) {
  std::vector<controller::PortCount> counts;
  for (const PortTraffic& one : traffic) {
    const auto end = forwarding::output_at(description_.graph, device, one.port);
    if (end) counts.push_back({*end, one.sent_bytes, one.received_bytes, one.sent_frames});
  }
  controller_.counted(now(), counts);
  give_orders();
}

void LiveFabric::give_orders() {
  for (auto orders = controller_.take_orders(); !orders.empty();
       orders = controller_.take_orders()) {
    for (const Order& order : orders) give(order);
  }
}

void LiveFabric::give(const Order& order) {
  if (!options_.writes) return;
  if (!options_.leads()) return lose(Claim::unanswered, "the lease is another's");
  const ChannelId end = controller::end_of(order);
  const std::uint32_t device = index(description_.graph.source(end));
  Visitor* here = member(device);
  const std::uint64_t number = ++orders_given_;
  options_.orders.given({number, order, controller_.link(topology::link_of(end)).why()});
  const auto done = [order, number, given = now(), this](bool ok, const std::string& why) {
    options_.orders.answered({number, order, ok, why, now() - given});
    if (!ok && obeys_another(why)) return lose(Claim::unanswered, "an order was refused: " + why);
    controller_.answered(now(), order, ok, why);
    give_orders();
  };
  if (here == nullptr) return done(false, "the switch cannot be reached");
  const PortNumber port = forwarding::port_of(description_.graph, end);
  if (const auto* ports = std::get_if<controller::SetPort>(&order))
    return here->driver->set_port(port, ports->up, done);
  if (const auto* rate = std::get_if<controller::SetRate>(&order))
    return set_rate(*rate, *here->driver, done);
  const forwarding::Table& table = description_.tables[device];
  const bool detour = std::get<controller::Prefer>(order).detour;
  if (end == topology::forward(topology::link_of(end))) tell_neighbours(topology::link_of(end));
  // Nothing to prefer where there is no detour.
  if (!table.detour(end)) return done(true, "");
  here->open_flow->set_group(
      group_of(description_.graph, table, end, detour ? Way::detoured : way_of(end)), done);
}

void LiveFabric::read_counters() {
  for (const auto& [device, here] : members_) {
    if (here->reading) continue;
    here->reading = true;
    here->driver->read_counters();
  }
  timers_[0] = loop_.after(options_.counters, [this] { read_counters(); });
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
