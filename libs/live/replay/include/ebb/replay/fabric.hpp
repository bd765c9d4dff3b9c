// SPDX-License-Identifier: Apache-2.0
//
// The controller of a live fabric on recorded loads: the same class, with its policy, safety rules
// and link machines. Ports send what was measured, and what links that sleep sent goes by their
// detours. Switches do what they are told at once, and probes always come through.
//
// Loads stay the same for a step of the data, which may be minutes. The controller decides as often
// as on switches until nothing has changed for a while, and then only once more, when the step
// ends: with loads that stay the same it would decide the same again.
#pragma once

#include "ebb/controller/controller.hpp"
#include "ebb/core/result.hpp"
#include "ebb/files/sections.hpp"
#include "ebb/forwarding/equal_cost.hpp"
#include "ebb/forwarding/reachability.hpp"
#include "ebb/policy/policy.hpp"
#include "ebb/replay/detours.hpp"
#include "ebb/replay/meter.hpp"
#include "ebb/simulated/fabric.hpp"
#include "ebb/topology/graph.hpp"

#include <memory>
#include <span>
#include <vector>

namespace ebb::replay {

using simulated::fabric_setting;
using simulated::FabricSetting;

// Of a network that OSPF or BGP route: its links sleep as their siblings allow.
[[nodiscard]] Result<FabricSetting> routed_setting(const topology::Graph& graph,
                                                   const controller::Safety& safety,
                                                   const power::PortWatts& port,
                                                   const forwarding::EqualCostOptions& options);

class Fabric {
 public:
  // Both outlive it. The policy is one that the safety rules can keep (controller::cannot_keep).
  Fabric(const FabricSetting& setting, const files::Named& policy, Meter& meter);

  // Passes a step of the data. `sent` by channel, bit/s; kUnknown: not known, which objects to
  // sleep.
  void pass(std::span<const float> sent, Duration step);

  [[nodiscard]] const controller::Controller& controller() const { return *controller_; }
  // Of all controllers that there were.
  [[nodiscard]] controller::DecisionCounts decision_counts() const;

 private:
  void start();
  void restart();
  void take_loads(std::span<const float> sent);
  [[nodiscard]] TimePoint next() const;
  [[nodiscard]] bool is_settled() const;
  void pass_time(TimePoint until);
  void act();
  void read_counters(bool all);
  void read(topology::ChannelId end, std::vector<controller::PortCount>& counts) const;
  [[nodiscard]] std::vector<topology::ChannelId> probes_wanted() const;
  void hear_probes();
  void give_orders();
  void give(const controller::Order& order);
  void see_changes();
  void refresh_loads();
  [[nodiscard]] std::uint64_t bytes_sent(topology::ChannelId channel) const;

  const FabricSetting& setting_;
  const topology::Graph& graph_;
  files::Named policy_name_;
  forwarding::TableWalker walker_;
  Detours detours_;
  Meter& meter_;
  std::unique_ptr<policy::Policy> policy_;
  std::unique_ptr<controller::Controller> controller_;
  controller::DecisionCounts counts_before_;  // of controllers before this one

  std::vector<bool> known_;       // by channel: its load is
  std::vector<float> sent_;       // by channel, as measured, bit/s; the last that was known
  std::vector<double> carried_;   // by channel, after detours
  std::vector<double> bits_;      // by channel: carried until `loads_since_`
  std::vector<double> detoured_;  // by channel: bits that went by its detour, until then
  bool loads_changed_ = false;
  std::vector<bool> down_;                   // by channel: the end that it leaves
  std::vector<controller::LinkState> seen_;  // by link, as the meter was told
  TimePoint now_{};
  TimePoint loads_since_{};
  TimePoint read_at_{};
  TimePoint last_change_{};
  Duration settling_{};                   // without a change, until nothing more will
  std::uint64_t decisions_at_start_ = 0;  // of the step
};

}  // namespace ebb::replay
