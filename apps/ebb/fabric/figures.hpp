// SPDX-License-Identifier: Apache-2.0
//
// What a controller counts of itself while it runs, and the page of metrics that Prometheus reads.
#pragma once

#include "fabric/status.hpp"

#include "ebb/monitor/fabric_metrics.hpp"
#include "ebb/transport/address.hpp"
#include "ebb/transport/loop.hpp"

#include <string>
#include <vector>

namespace ebb::cli {

class FabricFigures {
 public:
  explicit FabricFigures(const topology::Graph& graph) : histories_(graph.link_count()) {}

  void changed(const controller::Entry& entry) { histories_[index(entry.link)].add(entry); }
  void given(const drivers::OrderGiven& order) { orders_.given(monitor::kind_of(order.order)); }
  void answered(const drivers::OrderAnswered& answer) {
    orders_.answered(monitor::kind_of(answer.order), answer.ok, answer.took);
  }
  // The loop ran something that was due at that time.
  void ran(transport::Clock::time_point due);

  [[nodiscard]] const monitor::LinkHistory& history(topology::LinkId link) const {
    return histories_[index(link)];
  }
  [[nodiscard]] std::string metrics(const FabricView& view, std::uint64_t lines_lost) const;

 private:
  [[nodiscard]] std::vector<monitor::LinkFigures> links(const FabricView& view) const;

  std::vector<monitor::LinkHistory> histories_;  // by link
  monitor::OrderBook orders_;
  monitor::Histogram lag_ = monitor::seconds_histogram();
};

// "9464" and ":9464" are ports of this machine alone; "ADDRESS:PORT" is what it says.
[[nodiscard]] Result<transport::Address> metrics_address(const std::string& text);

}  // namespace ebb::cli
