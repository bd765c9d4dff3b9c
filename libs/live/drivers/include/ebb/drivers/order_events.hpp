// SPDX-License-Identifier: Apache-2.0
//
// Every order that a switch is given, and its answer. One that is never answered had a switch that
// went.
#pragma once

#include "ebb/controller/order.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace ebb::drivers {

struct OrderGiven {
  std::uint64_t number = 0;  // from 1 on
  controller::Order order;
  std::string reason;  // why its link changes
};

struct OrderAnswered {
  std::uint64_t number = 0;
  controller::Order order;
  bool ok = false;
  std::string why;  // when not
  Duration took{};
};

struct OrderEvents {
  std::function<void(const OrderGiven&)> given = [](const auto&) {};
  std::function<void(const OrderAnswered&)> answered = [](const auto&) {};
};

}  // namespace ebb::drivers
