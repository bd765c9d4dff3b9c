// SPDX-License-Identifier: Apache-2.0
//
// What a controller writes down while it runs, in three forms: events as lines of JSON, a history
// as CSV, and metrics that Prometheus reads. None of them changes what the controller does.
#pragma once

#include "ebb/controller/controller.hpp"
#include "ebb/controller/watts.hpp"
#include "ebb/core/result.hpp"
#include "ebb/drivers/live_fabric.hpp"
#include "ebb/monitor/fabric_metrics.hpp"
#include "ebb/monitor/line_file.hpp"
#include "ebb/runtime/control_socket.hpp"
#include "ebb/runtime/status.hpp"
#include "ebb/transport/address.hpp"
#include "ebb/transport/loop.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ebb::runtime {

// What happens on a fabric as lines of JSON: the log (--log) and the audit trail. Every line has
// "time" (UTC), "at_s" (since the controller began) and "event", and in a dry run "dry_run";
// docs/fabric/monitoring.md lists the others.
class FabricEvents {
 public:
  // Since the controller began. Keeps the reference.
  FabricEvents(const topology::Graph& graph, std::function<TimePoint()> now, bool dry_run)
      : graph_(graph), now_(std::move(now)), dry_run_(dry_run) {}

  // Where lines go from now on; an empty path: nowhere. A file that cannot be opened can be tried
  // again, and lines that come meanwhile are lost and counted. Does nothing to a file that is open.
  [[nodiscard]] Errors open_log(const std::string& path);
  [[nodiscard]] Errors open_audit(const std::string& path);

  void began(const std::string& fabric, const std::string& policy);
  // With so many links that sleep or are on the way.
  void ended(std::uint32_t links_asleep);
  void link(const controller::Entry& entry);
  void operator_event(const drivers::OperatorEvent& told);
  void given(const drivers::OrderGiven& order);
  void answered(const drivers::OrderAnswered& answer);
  void power(const controller::PowerOrder& order);
  // With who has drained it and why, for the audit trail alone.
  void switch_state(const controller::SwitchEntry& entry);
  void asked(const std::string& line, Asker who, const std::string& answer);

  // Gives to the disk what has been written; to be called about once a second.
  void sync();
  [[nodiscard]] std::uint64_t lines_lost() const;
  // The hash of the last line of the audit trail; empty: it is not open.
  [[nodiscard]] std::string audit_head() const;

 private:
  using Json = nlohmann::ordered_json;
  struct Trail {
    bool wanted = false;
    std::unique_ptr<monitor::LineFile> file;
    std::uint64_t lost = 0;  // while it was not open

    [[nodiscard]] Errors open(const std::string& path, monitor::LineFileOptions options);
    void add(const Json& line);
  };
  [[nodiscard]] Json event(std::string_view name, TimePoint at) const;
  [[nodiscard]] Json order_event(std::string_view name, std::uint64_t number,
                                 const controller::Order& order) const;
  void log(const Json& line) { log_.add(line); }
  void audit(const Json& line) { audit_.add(line); }

  const topology::Graph& graph_;
  std::function<TimePoint()> now_;
  bool dry_run_;
  Trail log_;
  Trail audit_;
};

// What a policy saw and said in one term. A transcript is replayed from its beginning, so what is
// said before the file is open is kept for it.
class TranscriptFile {
 public:
  [[nodiscard]] Errors open(const std::string& path);
  void add(std::string_view line);

 private:
  std::ofstream file_;
  std::string before_;
  bool failed_ = false;
};

// What a controller says of its fabric over time: a CSV file, a line each second, for ebb plot.
struct HistoryPoint {
  TimePoint at{};
  std::uint32_t links_asleep = 0;
  double highest_use = 0;  // of a channel between switches, share of its rate
};

class FabricHistory {
 public:
  // The columns of a dry run are named as what would be. `append`: goes on with what another leader
  // wrote, else the file begins anew.
  [[nodiscard]] static Result<FabricHistory> create(const std::string& path, bool dry_run,
                                                    bool append);

  // Whole lines reach the file at once, so that it can be read while the controller runs.
  void add(const HistoryPoint& point, const controller::Watts& watts);

 private:
  explicit FabricHistory(std::ofstream file) : file_(std::move(file)) {}

  std::ofstream file_;
};

// What a controller counts of itself while it runs, and the page of metrics that Prometheus reads.
class FabricMetrics {
 public:
  explicit FabricMetrics(const topology::Graph& graph) : histories_(graph.link_count()) {}

  // A link begins in a state that an earlier controller wrote down.
  void restored(topology::LinkId link, controller::LinkState state) {
    histories_[index(link)].begin(state);
  }
  void changed(const controller::Entry& entry) {
    histories_[index(entry.link)].add(entry);
    ports_down_.changed(entry);
  }
  void given(const drivers::OrderGiven& order) { orders_.given(monitor::kind_of(order.order)); }
  void answered(const drivers::OrderAnswered& answer) {
    orders_.answered(monitor::kind_of(answer.order), answer.ok, answer.took);
    ports_down_.answered(answer.order, answer.ok);
  }
  // Ports that were seen to be down, of switches that are here.
  [[nodiscard]] std::size_t ports_down(const topology::Graph& graph,
                                       const drivers::LiveFabric& live) const;
  // The loop ran something that was due at that time.
  void ran(transport::Clock::time_point due);

  [[nodiscard]] const monitor::LinkHistory& history(topology::LinkId link) const {
    return histories_[index(link)];
  }
  [[nodiscard]] const monitor::Histogram& loop_lag() const { return lag_; }
  [[nodiscard]] std::string text(const FabricView& view,
                                 const monitor::ControllerMetrics& itself) const;

 private:
  [[nodiscard]] std::vector<monitor::LinkMetrics> links(const FabricView& view) const;

  std::vector<monitor::LinkHistory> histories_;  // by link
  monitor::PortsDown ports_down_;
  monitor::OrderBook orders_;
  monitor::Histogram lag_ = monitor::seconds_histogram();
};

// "9464" and ":9464" are ports of this machine alone; "ADDRESS:PORT" is what it says.
[[nodiscard]] Result<transport::Address> metrics_address(const std::string& text);

}  // namespace ebb::runtime
