// SPDX-License-Identifier: Apache-2.0
//
// The metrics of a fabric: a pure function of what is known of it, so that a test can say what a
// scrape would show.
#pragma once

#include "ebb/controller/tally.hpp"
#include "ebb/monitor/exposition.hpp"
#include "ebb/monitor/link_history.hpp"
#include "ebb/monitor/order_book.hpp"
#include "ebb/units/energy.hpp"

#include <string>
#include <vector>

namespace ebb::monitor {

struct LinkFigures {
  std::string name;  // "s0-s1"
  std::string a;     // its switches
  std::string b;
  controller::LinkState state{};
  bool may_sleep = false;
  double used_forth = 0;  // share of the rate, from a to b
  double used_back = 0;
  const LinkHistory& history;
};

struct FabricFigures {
  std::string fabric;
  std::string policy;
  TimePoint at{};                  // since the controller began
  std::vector<LinkFigures> links;  // between switches
  std::uint64_t switches_here = 0;
  std::uint64_t switches_away = 0;
  std::uint64_t wrong_cables = 0;
  Power modelled_all_awake;
  Power modelled;
  Energy modelled_saved;
  std::uint64_t ports_down = 0;
  const controller::Tally& tally;
  const OrderBook& orders;
  const Histogram& loop_lag;     // seconds
  std::uint64_t lines_lost = 0;  // of log and audit trail, that could not be written
};

[[nodiscard]] std::string metrics_text(const FabricFigures& figures);

}  // namespace ebb::monitor
