// SPDX-License-Identifier: Apache-2.0
//
// Brings a fabric of OpenFlow switches from whatever it holds to given programs with some links
// closed, once and without losing a frame: make before break.
//
//   1. links that are to be open wake, and those that are to be faster get faster
//   2. every switch gets its program, in one atomic step each
//   3. links that are to be closed go to sleep; those that are to be slower get slower
//
// Each link is a controller::LinkMachine, as under a controller: what wakes is held live and probed
// both ways before frames come, and what is to sleep has been idle before its ports go down. What
// its switches are asked there, to prefer a detour or no longer, is here what the programs say for
// all links at once: those orders wait for step 2.
//
// What does not happen in time ends it before the next step: nothing is closed that still carries
// frames. Blocks until it is done.
#pragma once

#include "ebb/controller/cabling_check.hpp"
#include "ebb/controller/link_machine.hpp"
#include "ebb/core/result.hpp"
#include "ebb/drivers/openflow_switch.hpp"
#include "ebb/drivers/port_driver.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/transport/loop.hpp"

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ebb::drivers {

struct TargetState {
  std::vector<Program> programs;  // by switch
  std::vector<bool> open;         // by link; only those between switches are touched
  std::vector<DataRate> rates;    // by link; empty: as they are
};

struct ReconfigurationTimes {
  transport::Milliseconds answer{5000};  // of all switches to one request
  controller::LinkTimes links{.drain_limit = std::chrono::seconds(3)};
  // A software switch stands still while its ports change, and what comes in meanwhile has to fit
  // into its buffers: few links at a time, and a pause between.
  std::size_t max_concurrent = 3;
  transport::Milliseconds pause{30};
};

struct ReconfigurationCounts {
  std::uint32_t opened = 0;  // links
  std::uint32_t closed = 0;
  std::uint32_t faster = 0;
  std::uint32_t slower = 0;
};

class Reconfiguration {
 public:
  Reconfiguration(transport::Loop& loop, const topology::Graph& graph, RateSetter rates,
                  ReconfigurationTimes times = {});
  Reconfiguration(const Reconfiguration&) = delete;
  Reconfiguration& operator=(const Reconfiguration&) = delete;
  ~Reconfiguration();

  // A stream to each switch, in order: those that listen for a controller.
  [[nodiscard]] Result<void> connect(std::vector<transport::Stream> switches);
  [[nodiscard]] Result<ReconfigurationCounts> apply(const TargetState& target);

 private:
  struct Device;
  using Links = std::vector<topology::LinkId>;

  [[nodiscard]] Result<void> wait(const std::function<bool()>& condition,
                                  transport::Milliseconds limit, const std::string& for_what);
  [[nodiscard]] Result<void> look();
  [[nodiscard]] Result<void> count();
  [[nodiscard]] Result<void> install(const std::vector<Program>& programs);
  [[nodiscard]] Result<std::uint32_t> set_rates(const TargetState& target, bool faster);
  [[nodiscard]] Links links_where(const std::function<bool(topology::LinkId)>& is) const;
  [[nodiscard]] PortStatus found(topology::ChannelId end) const;
  [[nodiscard]] bool any_down(topology::LinkId link) const;
  [[nodiscard]] bool both_are(topology::LinkId link, bool live) const;

  [[nodiscard]] TimePoint now() const;
  [[nodiscard]] controller::LinkTimes times_for(std::size_t links) const;
  // Of links that are to be opened, or closed, and are on their way.
  void make_machines(const TargetState& target, bool opening);
  // Tells the machines what the switches say, and the switches what these order, until all links
  // that are to be open are ready for the programs, or all that are to be closed sleep.
  [[nodiscard]] Result<void> drive(bool opening);
  [[nodiscard]] Result<void> tell_machines(bool opening);
  [[nodiscard]] Result<void> check_states(bool opening) const;
  void take_orders(topology::LinkId link, controller::LinkMachine& machine);
  void give_port_orders();
  void answer_failovers();
  void send_probes();
  void probed(std::uint32_t device, forwarding::PortNumber at, std::span<const std::byte> frame);

  transport::Loop& loop_;
  const topology::Graph& graph_;
  RateSetter rates_;
  ReconfigurationTimes times_;
  std::vector<std::unique_ptr<Device>> devices_;
  std::size_t awaited_ = 0;  // replies
  std::string error_;        // the first
  transport::Clock::time_point began_ = transport::Clock::now();
  controller::ProbeSeal seal_;
  std::uint64_t probes_ = 0;  // sent
  // Links that change: first those that are to be opened, then those that are to be closed.
  std::map<topology::LinkId, controller::LinkMachine> machines_;
  std::map<topology::LinkId, std::vector<controller::SetPort>> port_orders_;  // not given yet
  std::vector<controller::Order> failovers_;  // answered when the programs are there
  transport::Clock::time_point ports_changed_{};
};

}  // namespace ebb::drivers
