// SPDX-License-Identifier: Apache-2.0
//
// What happens on a fabric as lines of JSON: the log (--log) and the audit trail. Every line has
// "time" (UTC), "at_s" (since the controller began) and "event"; docs/fabric/monitoring.md lists
// the others.
#pragma once

#include "fabric/control.hpp"

#include "ebb/controller/controller.hpp"
#include "ebb/drivers/notice.hpp"
#include "ebb/drivers/order_events.hpp"
#include "ebb/monitor/line_file.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <string>

namespace ebb::cli {

class FabricEvents {
 public:
  // Since the controller began. Keeps the reference.
  FabricEvents(const topology::Graph& graph, std::function<TimePoint()> now)
      : graph_(graph), now_(std::move(now)) {}

  // An empty path: not written.
  [[nodiscard]] Errors open(const std::string& log, const std::string& audit);

  void began(const std::string& fabric, const std::string& policy, bool dry_run);
  void ended();
  void link(const controller::Entry& entry);
  void notice(const drivers::Notice& notice);
  void given(const drivers::OrderGiven& order);
  void answered(const drivers::OrderAnswered& answer);
  void asked(const std::string& line, Asker who, const std::string& answer);

  // Gives to the disk what has been written; to be called about once a second.
  void sync();
  [[nodiscard]] std::uint64_t lines_lost() const;

 private:
  using Json = nlohmann::ordered_json;
  [[nodiscard]] Json event(std::string_view name, TimePoint at) const;
  [[nodiscard]] Json order_event(std::string_view name, std::uint64_t number,
                                 const controller::Order& order) const;
  void log(const Json& line);
  void audit(const Json& line);

  const topology::Graph& graph_;
  std::function<TimePoint()> now_;
  std::unique_ptr<monitor::LineFile> log_;
  std::unique_ptr<monitor::LineFile> audit_;
};

}  // namespace ebb::cli
