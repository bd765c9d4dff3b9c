// SPDX-License-Identifier: Apache-2.0
//
// One link, and switches that do what they are told.
#pragma once

#include "ebb/controller/link_machine.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <variant>
#include <vector>

namespace ebb::controller {

using std::chrono::milliseconds;
using std::chrono::seconds;

inline constexpr End kA{6};
inline constexpr End kB{7};

class ALink : public testing::Test {
 protected:
  TimePoint now{seconds(100)};
  LinkMachine link{kA, kB, LinkTimes{}};

  void pass(Duration time) { now += time; }
  // Answers all orders as a switch would, ports following what they are told.
  std::vector<Order> carry_out_orders() {
    std::vector<Order> given;
    for (std::vector<Order> orders = link.take_orders(); !orders.empty();
         orders = link.take_orders()) {
      for (const Order& order : orders) {
        given.push_back(order);
        link.answered(now, order, true);
        if (const auto* port = std::get_if<SetPort>(&order)) link.port(now, port->end, port->up);
      }
    }
    return given;
  }
  void count(std::uint64_t a, std::uint64_t b) {
    link.sent(now, kA, a);
    link.sent(now, kB, b);
  }
  void hear() {
    link.probe_heard(now, kA);
    link.probe_heard(now, kB);
  }
  void fall_asleep() {
    link.sleep(now, "test");
    carry_out_orders();
    count(10, 20);
    pass(milliseconds(60));
    count(10, 20);
    carry_out_orders();
  }
};

}  // namespace ebb::controller
