// SPDX-License-Identifier: Apache-2.0
//
// The Open vSwitch of this machine, over its three sockets: the database (names of ports, and the
// monitor of each port that can be told to report a fault), the bridge's management socket
// (groups), and the daemon's control socket (the suppressions themselves).
//
// A port is suppressed by `cfm/set-fault PORT true`: it is no longer live, so fast-failover groups
// pass it over, while the link stays up and rules that name the port directly still use it.
// Connectivity fault management (IEEE 802.1ag) without a peer reports no fault before it has missed
// one for 35 minutes, and never while the agent says `false`. BFD would do the same, but a port is
// not live from the moment that BFD is enabled until its session is up.
#pragma once

#include "ebb/agent/diverter.hpp"
#include "ebb/openflow/connection.hpp"
#include "ebb/ovsdb/database.hpp"
#include "ebb/ovsdb/session.hpp"
#include "ebb/transport/stream.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ebb::agent {

// Where an Open vSwitch listens on its own machine.
struct SwitchSockets {
  std::string folder;
  std::string bridge;

  [[nodiscard]] std::string database() const { return folder + "/db.sock"; }
  [[nodiscard]] std::string management() const { return folder + "/" + bridge + ".mgmt"; }
  // ovs-vswitchd.ctl, if it was told so; else its process number is in the name, and in a file
  // beside it. Another after each start.
  [[nodiscard]] std::string control() const;
};

// A conversation over a unix socket that is begun again whenever it ends.
template <class T>
class Peer {
 public:
  using Closed = std::function<void(const std::string& reason)>;
  using Make = std::function<std::unique_ptr<T>(transport::Stream, Closed)>;

  // `path` is asked before each attempt; `begun` is called each time that it is here. The loop
  // outlives it.
  Peer(transport::Loop& loop, std::function<std::string()> path, Make make,
       std::function<void()> begun)
      : make_(std::move(make)),
        begun_(std::move(begun)),
        connector_(
            loop,
            [path = std::move(path)] {
              return transport::Address{.kind = transport::Kind::unix_socket, .path = path()};
            },
            {}, {.longest = transport::Milliseconds(1000)},
            [this](transport::Stream stream) { connected(std::move(stream)); }) {}

  void start() { connector_.start(); }
  [[nodiscard]] bool is_here() const { return here_; }
  [[nodiscard]] const std::string& last_problem() const { return connector_.last_problem(); }
  // While it is here.
  T* operator->() { return peer_.get(); }

 private:
  void connected(transport::Stream stream) {
    here_ = true;
    // The last one stayed until now: it was in the middle of saying that it ends.
    peer_ = make_(std::move(stream), [this](const std::string& /*reason*/) {
      here_ = false;
      connector_.start();
    });
    begun_();
  }

  Make make_;
  std::function<void()> begun_;
  bool here_ = false;
  std::unique_ptr<T> peer_;
  transport::Connector connector_;
};

struct SwitchEvents {
  // Ports that can be suppressed have become known; none of them is suppressed.
  std::function<void()> ready = [] {};
  std::function<void(const std::vector<Group>& groups)> groups = [](const auto&) {};
};

class OpenVSwitch {
 public:
  OpenVSwitch(transport::Loop& loop, const SwitchSockets& sockets, SwitchEvents events);
  OpenVSwitch(const OpenVSwitch&) = delete;
  OpenVSwitch& operator=(const OpenVSwitch&) = delete;

  void start();
  // All three sockets answer, and the names of the ports are known.
  [[nodiscard]] bool is_here() const;
  [[nodiscard]] std::string problem() const;

  // What can be suppressed.
  [[nodiscard]] bool is_prepared(PortNumber port) const { return prepared_.contains(port); }
  [[nodiscard]] std::optional<PortNumber> number_of(const std::string& name) const;
  [[nodiscard]] std::string name_of(PortNumber port) const;

  void set_suppressed(PortNumber port, bool suppressed, const std::function<void(bool done)>& then);
  // The ports are as they were before the agent came, also those that another agent had suppressed.
  void restore_ports(const std::function<void()>& then);

 private:
  void read_names();
  void read_groups();
  void prepare_ports(const std::vector<Group>& groups);
  void make_live(Ports ports);  // a copy: prepared_ changes meanwhile
  [[nodiscard]] int monitor_number(PortNumber port) const;

  transport::Loop& loop_;
  SwitchEvents events_;
  std::map<PortNumber, std::string> names_;
  std::optional<std::uint64_t> datapath_;
  Ports prepared_;
  Ports being_prepared_;
  std::optional<transport::Loop::Timer> next_groups_;
  Peer<ovsdb::Database> database_;
  Peer<ovsdb::Control> control_;
  Peer<openflow::Connection> bridge_;
};

}  // namespace ebb::agent
