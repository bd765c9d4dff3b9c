// SPDX-License-Identifier: Apache-2.0
//
// The Open vSwitch of this box, over its three sockets: the database (names of ports, and the
// monitor of each port that can be told to report a fault), the bridge's management socket
// (groups), and the daemon's control socket (the pauses themselves).
//
// A port is paused by `cfm/set-fault PORT true`: it is no longer live, so fast-failover groups pass
// it over, while the link stays up and rules that name the port directly still use it. Connectivity
// fault management (IEEE 802.1ag) without a peer reports no fault before it has missed one for 35
// minutes, and never while the agent says `false`. BFD would do the same, but a port is not
// live from the moment that BFD is enabled until its session is up.
#pragma once

#include "peer.hpp"
#include "switch_sockets.hpp"

#include "ebb/agent/ways.hpp"
#include "ebb/openflow/connection.hpp"
#include "ebb/ovsdb/control.hpp"
#include "ebb/ovsdb/database.hpp"

#include <map>
#include <optional>

namespace ebb::agent {

struct SwitchEvents {
  // Ports that can be paused have become known; none of them is paused.
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

  // What can be paused.
  [[nodiscard]] bool is_prepared(PortNumber port) const { return prepared_.contains(port); }
  [[nodiscard]] std::optional<PortNumber> number_of(const std::string& name) const;
  [[nodiscard]] std::string name_of(PortNumber port) const;

  void set_paused(PortNumber port, bool paused, const std::function<void(bool done)>& then);
  // The ports are as they were before the agent came, also those that another agent had paused.
  void leave(const std::function<void()>& then);

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
