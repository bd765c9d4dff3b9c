// SPDX-License-Identifier: Apache-2.0
#include "ebb/monitor/order_book.hpp"

#include <chrono>
#include <variant>

namespace ebb::monitor {

OrderKind kind_of(const controller::Order& order) {
  if (const auto* way = std::get_if<controller::Prefer>(&order))
    return way->detour ? OrderKind::detour : OrderKind::straight;
  if (const auto* port = std::get_if<controller::SetPort>(&order))
    return port->up ? OrderKind::port_up : OrderKind::port_down;
  return OrderKind::rate;
}

std::string_view to_text(OrderKind kind) {
  switch (kind) {
    case OrderKind::detour:
      return "detour";
    case OrderKind::straight:
      return "straight";
    case OrderKind::port_down:
      return "port_down";
    case OrderKind::port_up:
      return "port_up";
    case OrderKind::rate:
      return "rate";
  }
  return "?";
}

void OrderBook::answered(OrderKind kind, bool ok, Duration took) {
  Page& its = page(kind);
  ++(ok ? its.done : its.failed);
  its.answers.add(std::chrono::duration<double>(took).count());
}

}  // namespace ebb::monitor
