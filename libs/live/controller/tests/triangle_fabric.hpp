// SPDX-License-Identifier: Apache-2.0
//
// A controller with the switches of a triangle that carry out orders at once.
#pragma once

#include "triangle.hpp"

#include "ebb/controller/controller.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

namespace ebb::controller {

using std::chrono::milliseconds;
using std::chrono::seconds;
using topology::ChannelId;
using topology::LinkId;

// A triangle of 100 Mb/s. The link between s1 and s2 may sleep; its frames then go by s0. Of four
// switches the link between s1 and s3 may sleep as well, and shares a detour with it. Switches
// carry out orders at once, counters grow by what a test sends.
class AFabric : public Triangle {
 protected:
  explicit AFabric(RunMode mode = RunMode::live, const std::string& switches = "3")
      : Triangle({megabits_per_second(100)}, switches),
        mode_(mode),
        counts(2 * graph.link_count()) {
    make();
  }
  // A new one, to which the switches and cables are as they are.
  void make() {
    forwarding::SleepableLinks sleepable{
        std::vector<bool>(graph.link_count()),
        std::vector<std::vector<ChannelId>>(2 * graph.link_count())};
    spare = link_between(1, 2);
    for (std::uint32_t other = 2; other < graph.switch_count(); ++other) {
      sleepable.may_sleep[index(link_between(1, other))] = true;
      sleepable.backup_channels[index(channel(1, other))] = {channel(1, 0), channel(0, other)};
      sleepable.backup_channels[index(channel(other, 1))] = {channel(other, 0), channel(0, 1)};
    }
    for (auto& channels : sleepable.backup_channels) std::sort(channels.begin(), channels.end());
    const ChannelFacts facts{.tier = 0, .level_power = {milliwatts(800)}};
    controller = std::make_unique<Controller>(
        graph, walker, std::move(sleepable),
        std::vector<ChannelFacts>(2 * graph.link_count(), facts),
        Safety{.min_decision_interval = milliseconds(100)}, policy, mode_);
    for (std::uint32_t s = 0; s < graph.switch_count(); ++s) controller->joined(now, s);
    probe();
  }
  // Every channel between switches carries a probe, but those that lose them.
  void probe() {
    for (std::uint32_t which = 0; which < graph.channel_count(); ++which) {
      const ChannelId one{which};
      if (!graph.connects_switches(one) || state(topology::link_of(one)) == LinkState::asleep)
        continue;
      if (lossy.contains(one)) {
        controller->probe_missed(now, one);
      } else {
        controller->probe_heard(now, one);
      }
    }
  }
  LinkId link_between(std::uint32_t a, std::uint32_t b) const {
    return topology::link_of(channel(a, b));
  }

  // Ten milliseconds at a time, switches obeying.
  void pass(Duration time) {
    for (const TimePoint end = now + time; now < end;) {
      now += milliseconds(10);
      if (now.time_since_epoch() % milliseconds(700) == Duration{} ||
          controller->count(LinkState::waking) > 0)
        probe();
      for (std::uint32_t which = 0; which < counts.size(); ++which) {
        if (graph.is_host(graph.source(ChannelId{which}))) continue;
        counts[which].end = ChannelId{which};
        counts[which].sent_bytes += flow[which];
        counts[which].sent_frames += flow[which] > 0 ? 1 : 0;
      }
      std::vector<PortCount> read;
      for (const PortCount& count : counts) {
        if (!graph.is_host(graph.source(count.end)) && !frozen) read.push_back(count);
      }
      controller->counted(now, read);
      controller->tick(now);
      carry_out_orders();
    }
  }
  void carry_out_orders() {
    for (auto orders = controller->take_orders(); !orders.empty();
         orders = controller->take_orders()) {
      for (const Order& order : orders) {
        given.push_back(order);
        controller->answered(now, order, true);
        const auto* port = std::get_if<SetPort>(&order);
        if (port != nullptr && obedient) controller->port(now, port->end, port->up);
      }
    }
  }
  void ask(const policy::Order& order, std::initializer_list<ChannelId> channels) {
    for (const ChannelId one : channels) {
      policy.next.push_back({policy::ChannelId{index(one)}, order});
    }
    pass(milliseconds(100));
  }
  LinkState state(LinkId link) const { return controller->link(link).state(); }

  RunMode mode_;
  ScriptedPolicy policy;
  LinkId spare{};
  TimePoint now{seconds(10)};
  std::vector<PortCount> counts;
  std::map<std::uint32_t, std::uint64_t> flow;  // bytes in 10 ms, by channel
  std::vector<Order> given;
  bool obedient = true;
  bool frozen = false;        // counters are not read
  std::set<ChannelId> lossy;  // that lose probes
  std::unique_ptr<Controller> controller;
};

}  // namespace ebb::controller
