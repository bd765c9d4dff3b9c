// SPDX-License-Identifier: Apache-2.0
//
// A leaf-spine whose switches obey at once and lose their power, for tests of whole switches.
#pragma once

#include "triangle.hpp"

#include "ebb/controller/controller.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ebb::controller {

using std::chrono::milliseconds;
using std::chrono::seconds;
using topology::ChannelId;
using topology::LinkId;

// Six leaves with three hosts each and three spines: s0 to s5, s6 to s8. Switches obey at once.
class ASpine : public testing::Test {
 protected:
  static constexpr std::uint32_t kFirst = 6;
  static constexpr std::uint32_t kSecond = 7;
  static constexpr std::uint32_t kLast = 8;

  ASpine()
      : graph(*topology::build("clos", {{"ports", "6"}, {"levels", "2"}, {"hosts", "18"}},
                               {megabits_per_second(100)})),
        plan(*forwarding::AddressPlan::make(graph)),
        tables(*forwarding::fabric_tables(graph, plan)),
        walker(graph, plan, tables) {
    make();
    pass(seconds(1));
  }
  void make() {
    auto sleepable = forwarding::sleepable_links(graph, plan, tables);
    const ChannelFacts facts{.tier = 0, .level_power = {milliwatts(800)}};
    controller = std::make_unique<Controller>(
        graph, walker, std::move(sleepable),
        std::vector<ChannelFacts>(2 * graph.link_count(), facts),
        Safety{.failure_holdoff = seconds(1), .min_decision_interval = milliseconds(100)}, policy);
    SwitchPower power{.devices = {},
                      .start_limit = seconds(5),
                      .by_policy = by_policy,
                      .min_off_time = seconds(3),
                      .min_use_time = seconds(4)};
    for (std::uint32_t s = 0; has_power && s < graph.switch_count(); ++s) power.devices.insert(s);
    controller->use_power(power);
  }
  void join_all() {
    for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
      if (!off.contains(s)) controller->joined(now, s);
    }
  }
  [[nodiscard]] std::uint32_t switch_at(ChannelId end) const { return index(graph.source(end)); }
  std::vector<LinkId> links_of(std::uint32_t device) {
    std::vector<LinkId> links;
    for (const ChannelId one : graph.outputs(graph.switch_node(device))) {
      if (graph.connects_switches(one)) links.push_back(topology::link_of(one));
    }
    return links;
  }
  LinkState state(LinkId link) const { return controller->link(link).state(); }
  std::set<LinkState> states(std::uint32_t device) {
    std::set<LinkState> found;
    for (const LinkId link : links_of(device)) found.insert(state(link));
    return found;
  }

  void pass(Duration time) {
    if (!joined) join_all();
    joined = true;
    for (const TimePoint end = now + time; now < end; now += milliseconds(10)) {
      std::vector<PortCount> counts;
      for (std::uint32_t which = 0; which < graph.channel_count(); ++which) {
        const ChannelId one{which};
        if (!graph.connects_switches(one)) continue;
        const bool live =
            !is_dead(one) && !down.contains(one) && !down.contains(topology::reverse(one));
        if (live && !lossy.contains(topology::link_of(one))) controller->probe_heard(now, one);
        if (off.contains(switch_at(one))) continue;
        frames[one] += busy.contains(one) ? 1 : 0;
        counts.push_back({one, 100 * frames[one], 0, frames[one]});
      }
      controller->counted(now, counts);
      controller->tick(now);
      carry_out_orders();
      check();
    }
  }
  [[nodiscard]] bool is_dead(ChannelId one) const {
    return off.contains(switch_at(one)) || off.contains(index(graph.target(one)));
  }
  void carry_out_orders() {
    for (auto orders = controller->take_orders(); !orders.empty();
         orders = controller->take_orders()) {
      for (const Order& order : orders) {
        const ChannelId end = end_of(order);
        EXPECT_FALSE(off.contains(switch_at(end))) << "an order to a switch that is off";
        if (const auto* way = std::get_if<SetFailoverPreference>(&order)) {
          put(diverted, end, way->detour);
        }
        controller->answered(now, order, true);
        if (const auto* port = std::get_if<SetPort>(&order)) set_port(port->end, port->up);
      }
    }
    for (const PowerOrder& order : controller->take_power_orders()) {
      powered.push_back(order.on);
      if (order.on && !boots) continue;
      controller->power_answered(now, order, true, "");
      if (order.on) boot(order.device);
      if (!order.on) die(order.device);
    }
  }
  static void put(std::set<ChannelId>& ends, ChannelId end, bool in) {
    if (in) ends.insert(end);
    if (!in) ends.erase(end);
  }
  void set_port(ChannelId end, bool up) {
    put(down, end, !up);
    tell_ports(topology::link_of(end));
  }
  void tell_ports(LinkId link) {
    const ChannelId forth = topology::forward(link);
    const ChannelId back = topology::reverse(forth);
    const bool live = !down.contains(forth) && !down.contains(back) && !is_dead(forth);
    for (const ChannelId one : {forth, back}) {
      if (!off.contains(switch_at(one))) controller->port(now, one, live);
    }
  }
  void die(std::uint32_t device) {
    off.insert(device);
    controller->left(now, device);
  }
  // With its ports up, and its program as the controller says.
  void boot(std::uint32_t device) {
    off.erase(device);
    controller->joined(now, device);
    for (const LinkId link : links_of(device)) {
      const ChannelId forth = topology::forward(link);
      const ChannelId own = switch_at(forth) == device ? forth : topology::reverse(forth);
      down.erase(own);
      put(diverted, own, controller->link(link).detours(own));
      if (down.contains(topology::reverse(own))) controller->found_asleep(now, link, false);
      tell_ports(link);
    }
  }
  // A leaf that uses a spine finds each way on from there usable: the promise of all this.
  void check() {
    for (const std::uint32_t spine : {kFirst, kSecond, kLast}) {
      bool used = false;
      bool whole = true;
      for (const LinkId link : links_of(spine)) {
        const ChannelId forth = topology::forward(link);
        const ChannelId own = switch_at(forth) == spine ? forth : topology::reverse(forth);
        const ChannelId to = topology::reverse(own);
        used = used || !diverted.contains(to);
        whole = whole && !diverted.contains(own) && !down.contains(own) && !down.contains(to) &&
                !off.contains(spine);
      }
      EXPECT_TRUE(!promised || !used || whole) << "spine " << spine << " is used half";
    }
  }

  topology::Graph graph;
  forwarding::AddressPlan plan;
  std::vector<forwarding::Table> tables;
  forwarding::TableWalker walker;
  // What the policy wants of each link of a switch, from the next decision on.
  void want(const policy::Order& order, std::uint32_t device) {
    for (const LinkId link : links_of(device)) {
      const ChannelId forth = topology::forward(link);
      for (const ChannelId one : {forth, topology::reverse(forth)})
        policy.next.push_back({policy::ChannelId{index(one)}, order});
    }
  }

  ScriptedPolicy policy;
  TimePoint now{seconds(10)};
  bool joined = false;
  bool has_power = true;
  bool by_policy = false;
  bool boots = true;     // when it is switched on
  bool promised = true;  // nothing fails
  std::set<std::uint32_t> off;
  std::set<ChannelId> down;      // ports
  std::set<ChannelId> diverted;  // ends
  std::set<ChannelId> busy;      // that send frames
  std::set<LinkId> lossy;
  std::map<ChannelId, std::uint64_t> frames;
  std::vector<bool> powered;  // orders
  std::unique_ptr<Controller> controller;
};

// Another controller takes over in each state that a switch can be in.
class ASpineUnderAnotherController : public ASpine {
 protected:
  void change_controller() {
    std::map<std::uint32_t, PersistedLink> links;
    std::map<std::uint32_t, PersistedSwitch> switches;
    for (std::uint32_t link = 0; link < graph.link_count(); ++link)
      links[link] = controller->persisted(now, LinkId{link});
    for (const auto& [device, out] : controller->switches_out())
      switches[device] = {out.state, out.why, out.by};
    make();
    for (const auto& [link, saved] : links) controller->restore(now, LinkId{link}, saved);
    for (const auto& [device, saved] : switches) controller->restore(now, device, saved);
    join_all();
    for (std::uint32_t which = 0; which < graph.link_count(); ++which) {
      const LinkId link{which};
      const ChannelId forth = topology::forward(link);
      const ChannelId back = topology::reverse(forth);
      if (!graph.connects_switches(link) || is_dead(forth)) continue;
      for (const ChannelId one : {forth, back})
        put(diverted, one, controller->link(link).detours(one));
      if (down.contains(forth) || down.contains(back)) {
        controller->found_asleep(now, link, down.contains(forth) && down.contains(back));
      } else {
        controller->found_awake(now, link);
      }
      tell_ports(link);
    }
  }
};

}  // namespace ebb::controller
