// SPDX-License-Identifier: Apache-2.0
#include "ebb/drivers/live_fabric.hpp"

#include "peer_session.hpp"
#include "probe_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace ebb::drivers {

std::optional<OperatorEvent> EventRateLimit::pass(OperatorEvent event,
                                                  transport::Clock::time_point now) {
  const auto [found, is_new] = accounts_.try_emplace({std::string(event.event), event.device});
  Account& account = found->second;
  if (is_new) account.counted_to = now;
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now - account.counted_to);
  account.left = std::min(kAtOnce, account.left + seconds.count());
  account.counted_to += seconds;
  if (account.left == 0) {
    ++account.suppressed;
    return std::nullopt;
  }
  --account.left;
  if (account.suppressed > 0)
    event.text += fmt::format(" ({} more like it were not told)", account.suppressed);
  account.suppressed = 0;
  return event;
}

using controller::Order;
using forwarding::PortNumber;
using topology::ChannelId;
using topology::LinkId;
using transport::Clock;

namespace {

EventSink limited(EventSink sink) {
  return [sink = std::move(sink),
          limit = std::make_shared<EventRateLimit>()](const OperatorEvent& event) {
    if (const auto passed = limit->pass(event, Clock::now())) sink(*passed);
  };
}

}  // namespace

LiveFabric::LiveFabric(transport::Loop& loop, const Description& description,
                       controller::Controller& controller, LiveOptions options, EventSink sink)
    : loop_(loop),
      description_(description),
      controller_(controller),
      options_(std::move(options)),
      report_(limited(std::move(sink))),
      began_(Clock::now()),
      cabling_(description.graph),
      seal_(options_.probe_key),
      probes_(
          std::make_unique<ProbeSchedule>(description.graph, controller.safety().probe_interval)),
      carried_(description.graph.channel_count()),
      timers_(5) {}

LiveFabric::~LiveFabric() {
  for (const auto& timer : timers_) loop_.cancel(timer);
}

TimePoint LiveFabric::now() const {
  return TimePoint(std::chrono::duration_cast<Duration>(Clock::now() - began_));
}

void LiveFabric::lead(std::uint64_t generation, MastershipLost lost) {
  generation_ = generation;
  mastership_lost_ = std::move(lost);
  began_ = Clock::now();
  for (std::size_t i = 0; i < peers_.size(); ++i) {
    if (peers_[i]->identified && !peers_[i]->gone) settle(*peers_[i]);
  }
  read_counters();
  upkeep();
  tick();
  if (!options_.writes) return;
  send_probes();
  send_barriers();
}

Duration LiveFabric::detection_time() const { return probes_->detection_time(); }

LiveFabric::PeerSession* LiveFabric::member(std::uint32_t device) const {
  const auto found = members_.find(device);
  return found == members_.end() ? nullptr : found->second;
}

void LiveFabric::counted(std::uint32_t device, std::span<const PortTraffic> traffic) {
  if (PeerSession* here = member(device)) {
    here->counted = now();
    for (const PortTraffic& one : traffic) here->traffic[one.port] = one;
    if (std::exchange(here->stale, false)) {
      const std::string name = description_.graph.name(description_.graph.switch_node(device));
      report_({"counters_fresh", name, name + " tells its counters again"});
    }
  }
  std::vector<controller::PortCount> counts;
  for (const PortTraffic& one : traffic) {
    const auto end = forwarding::output_at(description_.graph, device, one.port);
    if (end) counts.push_back({*end, one.sent_bytes, one.received_bytes, one.sent_frames});
  }
  controller_.counted(now(), counts);
  give_orders();
}

// One queue, oldest first: an answer may come while an order is given, and lead to orders that must
// not overtake those that wait. What they overtake in turn is not sent.
void LiveFabric::give_orders() {
  const auto collect = [&] {
    for (Order& order : controller_.take_orders()) orders_.push_back(order);
  };
  collect();
  if (std::exchange(giving_, true)) return;
  for (; !orders_.empty(); collect()) {
    const Order order = orders_.front();
    orders_.pop_front();
    if (controller_.is_current(order)) give(order);
  }
  giving_ = false;
}

void LiveFabric::give(const Order& order) {
  if (!options_.writes) return;
  if (!options_.leads())
    return lose_mastership(RoleReplyKind::unanswered, "the lease is another's");
  const ChannelId end = controller::end_of(order);
  const std::uint32_t device = index(description_.graph.source(end));
  PeerSession* here = member(device);
  const std::uint64_t number = ++orders_given_;
  options_.orders.given({number, order, controller_.link(topology::link_of(end)).why()});
  const auto done = [order, number, device, given = now(), this](bool ok, const std::string& why) {
    options_.orders.answered({number, order, ok, why, now() - given});
    if (!ok && refused_as_slave(why))
      return deny(device, RoleReplyKind::denied, "an order was refused: " + why);
    controller_.answered(now(), order, ok, why);
    give_orders();
  };
  if (here == nullptr) {
    if (installing_.contains(device)) outdated_.insert(device);
    return done(false, kUnreachable);
  }
  const PortNumber port = forwarding::port_of(description_.graph, end);
  if (const auto* ports = std::get_if<controller::SetPort>(&order))
    return here->driver->set_port(port, ports->up, done);
  if (const auto* rate = std::get_if<controller::SetRate>(&order))
    return set_rate(*rate, *here->driver, done);
  if (end == topology::forward(topology::link_of(end))) tell_neighbours(topology::link_of(end));
  here->steering->divert(port, std::get<controller::SetFailoverPreference>(order).detour, done);
}

void LiveFabric::read_counters() {
  for (const auto& [device, here] : members_) {
    say_stale_counters(device, *here);
    if (here->reading) continue;
    here->reading = true;
    here->driver->read_counters();
    read_group_counters(device, *here);
  }
  const auto interval =
      std::chrono::duration_cast<transport::Milliseconds>(controller_.safety().counter_interval);
  timers_[0] = loop_.after(interval, [this] { read_counters(); });
}

// Only of switches at which a link sleeps until somebody wants it: what is sent by its detour shows
// it. Few links sleep so in most fabrics, and most switches have hundreds of groups.
void LiveFabric::read_group_counters(std::uint32_t device, PeerSession& peer) {
  if (!controller_.has_triggers() || peer.reading_groups) return;
  const auto outputs = description_.graph.outputs(description_.graph.switch_node(device));
  if (std::none_of(outputs.begin(), outputs.end(),
                   [&](ChannelId output) { return controller_.wants_detours(output); }))
    return;
  peer.reading_groups = true;
  peer.open_flow->read_group_counters();
}

void LiveFabric::groups_counted(std::uint32_t device,
                                const std::map<PortNumber, std::uint64_t>& bytes) {
  for (const auto& [port, sent] : bytes) {
    const auto end = forwarding::output_at(description_.graph, device, port);
    if (end) controller_.detoured(now(), *end, sent);
  }
  give_orders();
}

// Once, and once more when it is over.
void LiveFabric::say_stale_counters(std::uint32_t device, PeerSession& peer) {
  const Duration age = now() - peer.counted;
  if (peer.stale || age <= controller_.safety().max_counter_age) return;
  peer.stale = true;
  const std::string name = description_.graph.name(description_.graph.switch_node(device));
  report_({"counters_stale", name,
           fmt::format("{} has not told its counters for {:.1f} s: what its links carry is not "
                       "known, and none of them goes to sleep",
                       name, std::chrono::duration<double>(age).count())});
}

// What was lost on the way, refused, or not heard is set right: nothing depends on an event.
void LiveFabric::upkeep() {
  ask_roles();
  retry_master_requests();
  install_again();
  give_groups_again();
  look_at_ports_again();
  say_what_is_not_supported();
  timers_[3] = loop_.after(options_.upkeep, [this] { upkeep(); });
}

// What a policy asks and no switch here can do is a mistake of the file that no check has found.
void LiveFabric::say_what_is_not_supported() {
  const auto& actions = controller_.decision_counts().actions;
  const auto found = actions.find(policy::Reason::not_supported);
  const std::uint64_t count = found == actions.end() ? 0 : found->second;
  if (count == 0 || unsupported_said_ > 0) return;
  unsupported_said_ = count;
  report_(
      {"not_supported", "",
       fmt::format("ALARM: the policy asked {} times for what the switches of this fabric cannot "
                   "do; it saves less than in a simulation",
                   count)});
}

void LiveFabric::tick() {
  probe_all_waking();
  controller_.tick(now());
  give_orders();
  const auto wait =
      std::chrono::duration_cast<transport::Milliseconds>(controller_.next_tick() - now());
  timers_[2] =
      loop_.after(std::clamp(wait, transport::Milliseconds(1), transport::Milliseconds(100)),
                  [this] { tick(); });
}

// The part of a live fabric that sets and finds the rates of links.

void LiveFabric::set_rate(const controller::SetRate& order, PortDriver& driver,
                          const PortDriver::Done& done) {
  const topology::Graph& graph = description_.graph;
  const auto rate_table = graph.rate_table(graph.link(topology::link_of(order.end)));
  const DataRate rate = rate_table[policy::index(order.rate_level)];
  const forwarding::PortNumber port = forwarding::port_of(graph, order.end);
  if (driver.can().rates || !options_.rates.set) return driver.set_rate(port, rate, done);
  const auto set = options_.rates.set(index(graph.source(order.end)), port, rate);
  done(set.has_value(), set ? "" : set.error()[0].message);
}

// A rate that is not on the rate table counts as the fastest that is slower.
void LiveFabric::look_at_rate(LinkId link) {
  const topology::Graph& graph = description_.graph;
  const auto rate_table = graph.rate_table(graph.link(link));
  const auto step_at = [&](ChannelId end) {
    const auto rate =
        options_.rates.read(index(graph.source(end)), forwarding::port_of(graph, end));
    if (!rate) return policy::RateLevel{static_cast<std::uint8_t>(rate_table.size() - 1)};
    const auto above = std::upper_bound(rate_table.begin(), rate_table.end(), *rate);
    return policy::RateLevel{
        static_cast<std::uint8_t>(std::max<std::ptrdiff_t>(above - rate_table.begin() - 1, 0))};
  };
  const ChannelId forth = topology::forward(link);
  controller_.found_steps(now(), link, step_at(forth), step_at(topology::reverse(forth)));
}

}  // namespace ebb::drivers
