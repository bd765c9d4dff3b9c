// SPDX-License-Identifier: Apache-2.0
//
// One OpenFlow switch of a fabric, from its connection on: the role of this controller, and a
// driver that installs the switch's program, reads its counters and carries out orders.
//
// Roles (OpenFlow 1.3, 6.3.6): of several controllers a switch has at most one MASTER, the last
// that requested the role with a generation that is not older than another's. The switch refuses
// orders of the others, which are SLAVE: they may read, and are told changes of ports.
#pragma once

#include "ebb/controller/cabling_check.hpp"
#include "ebb/controller/link_machine.hpp"
#include "ebb/controller/sampler.hpp"
#include "ebb/drivers/openflow_program.hpp"
#include "ebb/drivers/port_driver.hpp"
#include "ebb/openflow/connection.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ebb::drivers {

enum class RoleReplyKind : std::uint8_t {
  master,      // this controller is MASTER, and is sent the messages that it needs
  no_roles,    // the switch has no roles: it obeys every controller
  stale,       // it has seen a newer generation, which comes with the reply
  denied,      // it answers that this controller is not MASTER
  unanswered,  // the connection was closed, or the switch is too slow
};

using RoleCallback = std::function<void(RoleReplyKind, std::uint64_t generation)>;

void request_master(openflow::Connection& connection, std::uint64_t generation,
                    const RoleCallback& callback);

// Packets that a rule sends to the controller and all changes of ports; as slaves, ports alone. On
// a management socket nothing is heard before this.
void request_events(openflow::Connection& connection, const openflow::Callback<void>& then);

// Requests the SLAVE role. The reply is the newest generation that the switch knows.
void request_slave(openflow::Connection& connection,
                   const std::function<void(std::uint64_t generation)>& heard);

// Whether this controller still is MASTER, and the newest generation that the switch knows; no
// callback when the switch does not say.
void query_role(openflow::Connection& connection,
                const std::function<void(bool is_master, std::uint64_t generation)>& callback);

// Whether the text of a request error says that this controller is SLAVE.
[[nodiscard]] bool refused_as_slave(const std::string& error);

// What to do with a switch that holds rules or groups that are not ebb's.
enum class ForeignRules : std::uint8_t {
  refuse,  // it is not written to
  remove,  // they are removed, and it is taken over
};

struct SwitchEvents : PortEvents {
  // The switch holds its program.
  std::function<void(const std::map<forwarding::PortNumber, PortStatus>&)> installed =
      [](const auto&) {};
  // It does not hold its program, and is given so many messages.
  std::function<void(std::size_t messages)> writes = [](auto) {};
  std::function<void(forwarding::PortNumber at, std::span<const std::byte> frame)> probe =
      [](auto, auto) {};
  // What frames for an output have come to, by the port of the output: whichever way they took.
  std::function<void(const std::map<forwarding::PortNumber, std::uint64_t>& bytes)> groups_counted =
      [](const auto&) {};
};

class OpenFlowSwitch final : public PortDriver {
 public:
  // The connection is ready. Nothing is called after the switch object has gone.
  OpenFlowSwitch(openflow::Connection& connection, SwitchEvents events);

  // Reads what the switch holds, installs what is missing, removes what is not of the program, in
  // one atomic bundle. A switch that already has it is not written to, nor is any in a dry run
  // (`writes` false). A switch with foreign rules is an error unless they are to be removed.
  void install(const Program& program, bool writes, ForeignRules foreign);
  void send_probe(forwarding::PortNumber port, std::span<const std::uint8_t> frame);
  // Answered by `groups_counted`, or by `error`.
  void read_group_counters();
  void port_changed(const openflow::PortStatus& status);
  void packet_in(const openflow::PacketIn& packet) const;

  [[nodiscard]] PortAbilities can() const override { return {}; }
  void find_ports(const Found& found) override;
  void read_counters() override;
  void set_port(forwarding::PortNumber port, bool up, const Done& done) override;
  void set_rate(forwarding::PortNumber port, DataRate rate, const Done& done) override;
  void set_pvid(forwarding::PortNumber port, std::uint16_t vlan, const Done& done) override;

 private:
  void bring_to(const std::vector<openflow::Body>& changes, bool writes);
  // False: no port of a switch, or one too many.
  bool learn(const openflow::Port& port);
  void learn_ports(const std::vector<openflow::Port>& ports);
  [[nodiscard]] std::map<forwarding::PortNumber, PortStatus> found() const;

  openflow::Connection& connection_;
  SwitchEvents events_;
  std::map<forwarding::PortNumber, openflow::Port> ports_;
  std::shared_ptr<bool> here_ = std::make_shared<bool>(true);  // answers may come after we went
};

}  // namespace ebb::drivers
