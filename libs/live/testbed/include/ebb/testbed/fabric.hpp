// SPDX-License-Identifier: Apache-2.0
//
// Networks of real switches on this machine: Open vSwitch in one network namespace per switch,
// hosts in theirs, virtual cables between them, and queues that give each port the rate of its
// link. Needs root.
//
//   const auto layout = lay_out("tour", graph, addresses);
//   bring_up(*layout, {});
//   ... connect to /run/ebb/tour/s0/br0.mgmt, or listen at /run/ebb/tour/s0/br0.controller
//   take_down("tour", {});
//
// A switch forwards nothing until it has flows. Its datapath id is its number + 1.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/testbed/layout.hpp"
#include "ebb/testbed/manifest.hpp"
#include "ebb/units/data.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ebb::testbed {

// Why this machine or this user cannot have fabrics, with what to install; nothing: they can.
[[nodiscard]] Errors validate_machine();
// The same for agents of switches.
[[nodiscard]] Errors validate_snmp_support();
// The same for gNMI targets of switches.
[[nodiscard]] Errors validate_gnmi_support();

struct BringUpOptions {
  StateFolder state = {};
  // Each host knows the address of each other one, so that nobody has to answer ARP.
  bool static_neighbours = false;
  // The program of the agents (ebb-agent); empty: none.
  std::string agent = {};
  bool snmp = false;  // switches have SNMP agents, at snmp_address() of their devices
  bool gnmi = false;  // switches have gNMI targets, at gnmi_address() of their devices
};

// All of it or nothing: what was made is taken down again when something fails. Refuses a name
// that is in use.
[[nodiscard]] Result<void> bring_up(const Layout& layout, const BringUpOptions& options);

// Whether there is one, whole or not; an error with the nearest name.
[[nodiscard]] Result<void> find_fabric(const std::string& name, const StateFolder& state);

// Also what an `up` left that was killed at any moment. Ends the daemons of this fabric and deletes
// its namespaces and files, nothing else.
[[nodiscard]] Result<void> take_down(const std::string& name, const StateFolder& state);

struct Standing {
  std::string name;
  std::size_t switches = 0;
  std::size_t hosts = 0;
  std::size_t links = 0;
  bool whole = false;  // it was brought up to the end, and every daemon runs
};

// By name.
[[nodiscard]] std::vector<Standing> standing_fabrics(const StateFolder& state);

// Port 0 is p1 of a switch, or eth0 of a host. Only what is sent there takes the rate: a link has
// two ends.
[[nodiscard]] Result<void> set_rate(const Manifest& fabric, std::size_t member, std::size_t port,
                                    DataRate rate);

// Of a port in the namespace that this process is in.
[[nodiscard]] Result<void> set_rate_here(const std::string& port, DataRate rate);

// Whether a switch, by its number, is on, and its power as an outlet switches it: off, its daemons
// are killed and its ports have no carrier; on, they start with the settings that they had, and
// without rules. Waits until it is done.
[[nodiscard]] bool has_power(const std::string& fabric, const StateFolder& state,
                             std::size_t number);
[[nodiscard]] Result<void> set_power(const std::string& fabric, const StateFolder& state,
                                     std::size_t number, bool on);

// This process moves into the namespace of a member for good; in that of a switch the programs of
// Open vSwitch find its sockets.
[[nodiscard]] Result<void> move_into(const Manifest& fabric, const StateFolder& state,
                                     std::size_t member);

// Rates of the ports of a fabric that is up, read and changed in place while frames flow: nothing
// that waits is lost. By netlink, a socket in the namespace of each switch, because a controller
// cannot wait for a program to start for each change.
class PortRates {
 public:
  explicit PortRates(Manifest fabric);
  PortRates(PortRates&&) noexcept;
  PortRates& operator=(PortRates&&) noexcept;
  ~PortRates();

  // Ports are counted from 0, as in testbed::set_rate; only what is sent there takes the rate.
  [[nodiscard]] Result<void> set(std::size_t member, std::size_t port, DataRate rate);
  [[nodiscard]] Result<DataRate> read(std::size_t member, std::size_t port);

 private:
  class Socket;
  [[nodiscard]] Result<Socket*> socket_of(std::size_t member);

  Manifest fabric_;
  std::map<std::size_t, std::unique_ptr<Socket>> sockets_;  // by member, when first asked
};

}  // namespace ebb::testbed
