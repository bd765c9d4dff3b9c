// SPDX-License-Identifier: Apache-2.0
//
// Orders to switches, counted: given, answered, and how long the answers took.
#pragma once

#include "ebb/controller/order.hpp"
#include "ebb/monitor/histogram.hpp"
#include "ebb/units/time.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace ebb::monitor {

enum class OrderKind : std::uint8_t { detour, straight, port_down, port_up, rate };
inline constexpr std::array kOrderKinds{OrderKind::detour, OrderKind::straight,
                                        OrderKind::port_down, OrderKind::port_up, OrderKind::rate};
[[nodiscard]] OrderKind kind_of(const controller::Order& order);
[[nodiscard]] std::string_view to_text(OrderKind kind);

class OrderBook {
 public:
  struct Page {
    std::uint64_t given = 0;
    std::uint64_t done = 0;
    std::uint64_t failed = 0;
    Histogram answers = seconds_histogram();  // seconds from the order to its answer
  };

  void given(OrderKind kind) { ++page(kind).given; }
  void answered(OrderKind kind, bool ok, Duration took);
  [[nodiscard]] const Page& of(OrderKind kind) const {
    return pages_.at(static_cast<std::size_t>(kind));
  }

 private:
  [[nodiscard]] Page& page(OrderKind kind) { return pages_.at(static_cast<std::size_t>(kind)); }

  std::array<Page, kOrderKinds.size()> pages_;
};

}  // namespace ebb::monitor
