// SPDX-License-Identifier: Apache-2.0
//
// A fabric of OpenFlow switches under its controller: admits switches as they connect, keeps their
// programs, watches the wiring, feeds counters and port changes to the controller, and gives its
// orders. One thread, one loop.
#pragma once

#include "ebb/controller/controller.hpp"
#include "ebb/drivers/leadership.hpp"
#include "ebb/drivers/notice.hpp"
#include "ebb/drivers/openflow_switch.hpp"
#include "ebb/drivers/order_events.hpp"
#include "ebb/drivers/rate_setter.hpp"
#include "ebb/transport/loop.hpp"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ebb::drivers {

// What the fabric is meant to be. Outlives the LiveFabric.
struct Description {
  topology::Graph graph;
  forwarding::AddressPlan plan;
  std::vector<forwarding::Table> tables;  // by switch
};

// Makes what switches the ports of a switch and reads their counters.
using MakePorts = std::function<std::unique_ptr<PortDriver>(std::uint32_t device, PortEvents)>;
// The same for a loop: each term of a controller has its own.
using PortsOn = std::function<MakePorts(transport::Loop&)>;

struct LiveOptions {
  transport::Milliseconds counters{100};  // between two readings of port counters
  transport::Milliseconds probes{1000};   // between probes
  std::uint64_t number = 0;               // tells our probes from another controller's
  bool writes = true;                     // false: a dry run changes nothing on any switch
  OrderEvents orders;                     // told of each
  MakePorts ports = nullptr;              // none: OpenFlow does it. Tables always come by OpenFlow
  // Asked before every order: whether we still lead, as far as is known without a switch.
  std::function<bool()> leads = [] { return true; };
  RateSetter rates = {};  // where the driver of the ports cannot set rates; none: not
};

using Told = std::function<void(const Notice&)>;
// Switches obey another controller, or one of them has seen a newer generation; said once, and no
// order is given any more.
using Lost = std::function<void(Claim, const std::string& why)>;

// Of one switch, or (nothing) where any of them may come.
using Door = std::optional<std::uint32_t>;

class LiveFabric {
 public:
  LiveFabric(transport::Loop& loop, const Description& description,
             controller::Controller& controller, LiveOptions options, Told told);
  LiveFabric(const LiveFabric&) = delete;
  LiveFabric& operator=(const LiveFabric&) = delete;
  ~LiveFabric();

  // Nothing is asked of switches before: they connect, and stay with whom they obey. Time begins
  // here. A dry run claims nothing.
  void lead(std::uint64_t generation, Lost lost);
  // The newest generation that a switch has seen.
  [[nodiscard]] std::uint64_t newest_generation() const { return newest_; }

  // Someone who connected; `gone` when the connection is lost. Becomes a switch when it says a
  // datapath number of the description, 1 + the number of the switch; at the door of a switch it
  // must be that one. Who came first stays as long as he answers. At each door only so many may be
  // who have not said it; the oldest of them goes.
  void admit(
      transport::Stream stream, Door door, std::function<void()> gone = [] {});

  // Time since it leads, as the controller counts it.
  [[nodiscard]] TimePoint now() const;
  [[nodiscard]] bool is_here(std::uint32_t device) const { return members_.contains(device); }
  [[nodiscard]] std::size_t members() const { return members_.size(); }
  [[nodiscard]] const controller::Wiring& wiring() const { return wiring_; }
  // Every switch is here, every port that is live has heard its neighbour, and it is the right one.
  [[nodiscard]] bool is_whole() const;
  // Gives the orders that the controller has ready; it is asked by every event as well.
  void give_orders();

 private:
  struct Visitor;
  using Visitors = std::vector<std::unique_ptr<Visitor>>;

  void make_room(Door door);
  void greeted(Visitor& visitor, std::uint64_t datapath);
  void settle(Visitor& visitor);
  void claim_again();
  void refuse(Visitor& visitor, const std::string& why);
  void join(Visitor& visitor, std::uint32_t device);
  void lose(Claim how, const std::string& why);
  void ask_roles();
  void tell_trouble(Visitor& visitor, const std::string& name, const std::string& what);
  void install_next();
  void install_again();
  void has_installed(std::uint32_t device);  // or has gone
  void could_not_install(Visitor& visitor, const Notice& why);
  void went(Visitor& visitor, const std::string& reason);
  void installed(std::uint32_t device, const std::map<forwarding::PortNumber, PortFound>& ports);
  void report_ports(std::uint32_t device);
  void look_at(topology::LinkId link);
  void look_at_rate(topology::LinkId link);
  void set_rate(const controller::SetRate& order, PortDriver& driver, const PortDriver::Done& done);
  void counted(std::uint32_t device, std::span<const PortTraffic> traffic);
  void probed(std::uint32_t device, forwarding::PortNumber at, std::span<const std::byte> frame);
  void give(const controller::Order& order);
  void read_counters();
  void send_probes();
  void probe_known();
  bool send_probe(const controller::Place& from);  // false: nobody is there to send it
  void tick();
  void say_what_is_wrong();
  [[nodiscard]] bool look_whether_whole() const;
  [[nodiscard]] Visitor* member(std::uint32_t device) const;
  [[nodiscard]] Program program_of(std::uint32_t device) const;
  [[nodiscard]] Way way_of(topology::ChannelId output) const;
  void tell_neighbours(topology::LinkId link);

  transport::Loop& loop_;
  const Description& description_;
  controller::Controller& controller_;
  LiveOptions options_;
  Told told_;
  transport::Clock::time_point began_;
  std::optional<std::uint64_t> generation_;  // none: we wait
  std::uint64_t newest_ = 0;
  Lost lost_;
  controller::Wiring wiring_;
  std::vector<std::string> wrong_;
  std::set<std::string> turned_away_;
  Visitors visitors_;
  std::map<std::uint32_t, Visitor*> members_;  // that hold their program
  std::deque<std::uint32_t> waiting_;          // to be told their program
  std::vector<std::uint32_t> again_;           // did not answer in time, or refused
  std::set<std::uint32_t> installing_;         // were told, and have not answered yet
  std::set<topology::LinkId> looked_at_;
  std::uint32_t next_probe_ = 0;       // channel, in turn
  mutable std::optional<bool> whole_;  // nothing: something has changed since it was looked at
  std::vector<transport::Loop::Timer> timers_;
  std::uint64_t orders_given_ = 0;
};

}  // namespace ebb::drivers
