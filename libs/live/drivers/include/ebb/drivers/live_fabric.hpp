// SPDX-License-Identifier: Apache-2.0
//
// A fabric of OpenFlow switches under its controller: admits switches as they connect, keeps their
// programs, checks the cabling, feeds counters and port changes to the controller, and gives its
// orders. One thread, one loop.
//
//   OperatorEvent   something to tell the operator about a switch or a cable
//   EventRateLimit  keeps these within bounds
//   OrderEvents     every order that a switch is given, and its reply
//   LiveFabric      the fabric
#pragma once

#include "ebb/controller/cabling_check.hpp"
#include "ebb/controller/controller.hpp"
#include "ebb/controller/link_machine.hpp"
#include "ebb/drivers/openflow_steering.hpp"
#include "ebb/drivers/openflow_switch.hpp"
#include "ebb/drivers/port_driver.hpp"
#include "ebb/transport/loop.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ebb::drivers {

class ProbeSchedule;

struct OperatorEvent {
  // A sentence may come alone.
  OperatorEvent(std::string what) : text(std::move(what)) {}  // NOLINT(google-explicit-constructor)
  OperatorEvent(std::string_view what_kind, std::string whose, std::string what)
      : event(what_kind), device(std::move(whose)), text(std::move(what)) {}

  std::string_view event = "error";  // a word for programs
  std::string device;                // name of the switch, empty: none
  std::string text;                  // for people
};

// Keeps the log readable and the disk free whatever a peer does: of one kind about one switch so
// many events pass at once, and one a second after that. Those that were suppressed are counted.
class EventRateLimit {
 public:
  // More than the cables of a switch, all of which may be wrong when it comes.
  static constexpr std::int64_t kAtOnce = 100;

  // The event, which says how many like it were suppressed before; none: it is suppressed.
  [[nodiscard]] std::optional<OperatorEvent> pass(OperatorEvent event,
                                                  transport::Clock::time_point now);

 private:
  struct Account {
    std::int64_t left = kAtOnce;
    transport::Clock::time_point counted_to;  // `left` is as of then
    std::uint64_t suppressed = 0;
  };

  // By kind and switch: as many as the description has.
  std::map<std::pair<std::string, std::string>, Account> accounts_;
};

// An order that is never answered had a switch whose connection was lost.
struct OrderGiven {
  std::uint64_t number = 0;  // from 1 on
  controller::Order order;
  std::string reason;  // why its link changes
};

struct OrderAnswered {
  std::uint64_t number = 0;
  controller::Order order;
  bool ok = false;
  std::string why;  // when not
  Duration took{};
};

struct OrderEvents {
  std::function<void(const OrderGiven&)> given = [](const auto&) {};
  std::function<void(const OrderAnswered&)> answered = [](const auto&) {};
};

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
  transport::Milliseconds upkeep{1000};  // between attempts at what a switch did not do
  controller::ProbeKey probe_key{};      // that nobody else knows: probes are made with it
  bool writes = true;                    // false: a dry run changes nothing on any switch
  bool adopt = false;                    // removes foreign rules; else refuses their switch
  OrderEvents orders;                    // told of each
  MakePorts ports = nullptr;             // none: OpenFlow does it. Tables always come by OpenFlow
  // Asked before every order: whether we still lead, as far as is known without a switch.
  std::function<bool()> leads = [] { return true; };
  RateSetter rates = {};  // where the driver of the ports cannot set rates; none: not
};

using EventSink = std::function<void(const OperatorEvent&)>;
// Another controller is MASTER of more than half of the switches of the description, or they have
// seen a newer generation (stale), or the lease is another's; called once, and no order is given
// any more. Fewer switches that say so are quarantined: disconnected, away, and asked again later.
using MastershipLost = std::function<void(RoleReplyKind, const std::string& why)>;

// The listener of one switch, or (nothing) the one that is shared by all.
using ListenerId = std::optional<std::uint32_t>;

class LiveFabric {
 public:
  LiveFabric(transport::Loop& loop, const Description& description,
             controller::Controller& controller, LiveOptions options, EventSink sink);
  LiveFabric(const LiveFabric&) = delete;
  LiveFabric& operator=(const LiveFabric&) = delete;
  ~LiveFabric();

  // Before this the controller is SLAVE of every switch and asks nothing of them. Time begins here.
  // A dry run does not request the MASTER role.
  void lead(std::uint64_t generation, MastershipLost lost);
  // The newest generation that a switch has seen.
  [[nodiscard]] std::uint64_t newest_generation() const { return newest_; }

  // A peer that connected; `gone` is called when the connection is lost. The peer is identified
  // when it says a datapath number of the description, 1 + the number of the switch; at the
  // listener of a switch it must be that one. Of two peers with one number the first stays as long
  // as it answers. At each listener only so many peers may be that are not identified; the oldest
  // of them is closed.
  void admit(
      transport::Stream stream, ListenerId listener, std::function<void()> gone = [] {});

  // Time since it leads, as the controller counts it.
  [[nodiscard]] TimePoint now() const;
  [[nodiscard]] bool is_here(std::uint32_t device) const { return members_.contains(device); }
  [[nodiscard]] std::size_t members() const { return members_.size(); }
  [[nodiscard]] const controller::CablingCheck& cabling() const { return cabling_; }
  // From the loss of a direction of a link until it is diverted, at most.
  [[nodiscard]] Duration detection_time() const;
  // Every switch is here, every port that is live has heard its neighbour, and it is the right one.
  [[nodiscard]] bool is_whole() const;
  // Gives the orders that the controller has ready; it is asked by every event as well.
  void give_orders();
  // Whether the switch at that end of a link forwards by it now, as the switch says.
  void look_at_forwarding(topology::ChannelId end, const SteeringDriver::Looked& looked) const;
  // By what the switch at that end moves traffic off its ports; empty while it is away.
  [[nodiscard]] std::string_view steering_means(topology::ChannelId end) const;

 private:
  struct PeerSession;
  using PeerSessions = std::vector<std::unique_ptr<PeerSession>>;
  struct Denial {
    RoleReplyKind how = RoleReplyKind::denied;
    std::string why;
    bool is_new = false;                 // it has not been decided what follows
    int times = 0;                       // in a row
    transport::Clock::time_point until;  // of the quarantine
    [[nodiscard]] bool counts() const { return is_new || transport::Clock::now() < until; }
  };

  void make_room(ListenerId listener);
  void identified(PeerSession& peer, std::uint64_t datapath);
  void settle(PeerSession& peer);
  void retry_master_requests();
  void refuse(PeerSession& peer, const std::string& why);
  void join(PeerSession& peer, std::uint32_t device);
  void lose_mastership(RoleReplyKind how, const std::string& why);
  // The switch says that this controller is not its MASTER. Said by most switches this ends the
  // term; said by fewer it quarantines them.
  void deny(std::uint32_t device, RoleReplyKind how, const std::string& why);
  void quarantine_deniers();
  void disconnect(std::uint32_t device, const std::string& why);
  [[nodiscard]] std::size_t deniers() const;
  void learn_generation(std::uint64_t generation);
  void ask_roles();
  void report_error(PeerSession& peer, const std::string& name, const std::string& what);
  void install_next();
  void install_again();
  void has_installed(std::uint32_t device);  // or has gone
  void read_back(std::uint32_t device);
  void could_not_install(PeerSession& peer, const OperatorEvent& why);
  void went(PeerSession& peer, const std::string& reason);
  void installed(std::uint32_t device, const std::map<forwarding::PortNumber, PortStatus>& ports);
  void report_ports(std::uint32_t device);
  void look_at(topology::LinkId link);
  void look_at_rate(topology::LinkId link);
  void set_rate(const controller::SetRate& order, PortDriver& driver, const PortDriver::Done& done);
  void counted(std::uint32_t device, std::span<const PortTraffic> traffic);
  void give(const controller::Order& order);
  void give_groups(std::uint32_t device, topology::ChannelId output);
  void give_groups_again();
  void read_counters();
  void read_group_counters(std::uint32_t device, PeerSession& peer);
  void groups_counted(std::uint32_t device,
                      const std::map<forwarding::PortNumber, std::uint64_t>& bytes);
  void say_stale_counters(std::uint32_t device, PeerSession& peer);
  void look_at_ports_again();
  void say_what_is_not_supported();
  void upkeep();
  void tick();
  // Probes (src/live_fabric_probes.cpp).
  void probed(std::uint32_t device, forwarding::PortNumber at, std::span<const std::byte> frame);
  void send_probes();
  void probe_waking(topology::LinkId link);
  void probe_all_waking();
  void take_turn(topology::ChannelId channel);
  [[nodiscard]] bool look_whether_congested(topology::ChannelId channel);
  [[nodiscard]] bool has_missed(topology::ChannelId channel) const;
  void send_probe(topology::ChannelId channel);
  [[nodiscard]] bool is_probed(topology::ChannelId channel) const;
  void send_barriers();
  void wrong_cable(const controller::Place& at, topology::ChannelId from);
  void say_what_is_wrong();
  [[nodiscard]] bool look_whether_whole() const;
  [[nodiscard]] PeerSession* member(std::uint32_t device) const;
  [[nodiscard]] Program program_of(std::uint32_t device) const;
  [[nodiscard]] FailoverState failover_state() const;
  // Its link sleeps, is about to, wakes or has failed.
  [[nodiscard]] bool is_diverted(topology::ChannelId output) const;
  [[nodiscard]] bool is_backup_blocked(topology::ChannelId output) const;
  void tell_neighbours(topology::LinkId link);

  transport::Loop& loop_;
  const Description& description_;
  controller::Controller& controller_;
  LiveOptions options_;
  EventSink report_;
  transport::Clock::time_point began_;
  std::optional<std::uint64_t> generation_;  // none: we wait
  std::uint64_t newest_ = 0;
  MastershipLost mastership_lost_;
  controller::CablingCheck cabling_;
  std::vector<std::string> wrong_;
  std::set<std::string> turned_away_;
  std::map<std::uint32_t, Denial> denials_;  // by switch
  PeerSessions peers_;
  std::map<std::uint32_t, PeerSession*> members_;  // that hold their program
  std::deque<std::uint32_t> waiting_;              // to be told their program
  std::vector<std::uint32_t> again_;               // did not answer in time, or refused
  std::set<std::uint32_t> installing_;             // were told, and have not answered yet
  std::set<std::uint32_t> outdated_;               // what they are told has changed meanwhile
  std::set<topology::LinkId> looked_at_;
  controller::ProbeSeal seal_;
  std::unique_ptr<ProbeSchedule> probes_;
  struct Carried {
    TimePoint at{};
    std::uint64_t sent = 0;      // bytes, at its source
    std::uint64_t received = 0;  // and at its target
  };
  std::vector<Carried> carried_;          // by channel, at its last turn
  std::int64_t waking_probes_ = 0;        // that may be sent until the next tick
  std::deque<controller::Order> orders_;  // to be given, oldest first
  bool giving_ = false;                   // the outermost call gives them
  // Groups of switches that see neither end of a link, and did not take what they were given.
  std::set<std::pair<std::uint32_t, topology::ChannelId>> unconfirmed_groups_;
  std::uint32_t next_look_ = 0;        // switch whose ports are looked at, in turn
  mutable std::optional<bool> whole_;  // nothing: something has changed since it was looked at
  std::vector<transport::Loop::Timer> timers_;
  std::uint64_t orders_given_ = 0;
  std::uint64_t unsupported_said_ = 0;  // actions of the policy
};

}  // namespace ebb::drivers
