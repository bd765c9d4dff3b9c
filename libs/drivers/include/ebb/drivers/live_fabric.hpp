// SPDX-License-Identifier: Apache-2.0
//
// A fabric of OpenFlow switches under its controller: admits switches as they connect, keeps their
// programs, watches the wiring, feeds counters and port changes to the controller, and gives its
// orders. One thread, one loop.
#pragma once

#include "ebb/drivers/openflow_switch.hpp"
#include "ebb/fabric/controller.hpp"
#include "ebb/transport/loop.hpp"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ebb::drivers {

// What the fabric is meant to be. Outlives the LiveFabric.
struct Description {
  topology::Graph graph;
  rules::AddressPlan plan;
  std::vector<rules::Table> tables;  // by switch
};

struct LiveOptions {
  transport::Milliseconds counters{100};  // between two readings of port counters
  transport::Milliseconds probes{1000};   // between probes, until the wiring is known
  std::uint64_t number = 0;               // tells our probes from another controller's
  bool writes = true;                     // false: a dry run changes nothing on any switch
};

// Something to tell the operator about a switch or a cable.
using Told = std::function<void(const std::string&)>;

class LiveFabric {
 public:
  LiveFabric(transport::Loop& loop, const Description& description, fabric::Controller& controller,
             LiveOptions options, Told told);
  LiveFabric(const LiveFabric&) = delete;
  LiveFabric& operator=(const LiveFabric&) = delete;
  ~LiveFabric();

  // Someone who connected. Becomes a switch when it says a datapath number of the description:
  // 1 + the number of the switch.
  void admit(transport::Stream stream);

  // Time since the LiveFabric was made, as the controller counts it.
  [[nodiscard]] TimePoint now() const;
  [[nodiscard]] bool is_here(std::uint32_t device) const { return members_.contains(device); }
  [[nodiscard]] std::size_t members() const { return members_.size(); }
  [[nodiscard]] const fabric::Wiring& wiring() const { return wiring_; }
  // Every switch is here, every port that is live has heard its neighbour, and it is the right one.
  [[nodiscard]] bool is_whole() const;
  // Gives the orders that the controller has ready; it is asked by every event as well.
  void give_orders();

 private:
  struct Visitor;
  using Visitors = std::vector<std::unique_ptr<Visitor>>;

  void greeted(Visitor& visitor, std::uint64_t datapath);
  void join(Visitor& visitor, std::uint32_t device);
  void went(Visitor& visitor, const std::string& reason);
  void installed(std::uint32_t device, const std::map<fabric::PortNumber, PortFound>& ports);
  void report_ports(std::uint32_t device);
  void look_at(topology::LinkId link);
  void counted(std::uint32_t device, const std::vector<openflow::PortCounters>& counters);
  void probed(std::uint32_t device, fabric::PortNumber at, std::span<const std::byte> frame);
  void give(const fabric::Order& order);
  void read_counters();
  void send_probes();
  void tick();
  void say_what_is_wrong();
  [[nodiscard]] Visitor* member(std::uint32_t device) const;
  [[nodiscard]] Program program_of(std::uint32_t device) const;

  transport::Loop& loop_;
  const Description& description_;
  fabric::Controller& controller_;
  LiveOptions options_;
  Told told_;
  transport::Clock::time_point began_;
  fabric::Wiring wiring_;
  std::vector<std::string> wrong_;
  Visitors visitors_;
  std::map<std::uint32_t, Visitor*> members_;  // that hold their program
  std::set<topology::LinkId> looked_at_;
  std::vector<transport::Loop::Timer> timers_;
};

}  // namespace ebb::drivers
