// SPDX-License-Identifier: Apache-2.0
//
// One OpenFlow switch of a fabric, from its connection on: brings it to hold its program without
// disturbing what it already does right, reads its counters, and carries out orders.
#pragma once

#include "ebb/controller/order.hpp"
#include "ebb/controller/sampler.hpp"
#include "ebb/controller/wiring.hpp"
#include "ebb/drivers/openflow_program.hpp"
#include "ebb/drivers/port_driver.hpp"
#include "ebb/openflow/connection.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ebb::drivers {

struct SwitchEvents : PortEvents {
  // The switch holds its program.
  std::function<void(const std::map<forwarding::PortNumber, PortFound>&)> installed =
      [](const auto&) {};
  // It does not hold its program, and is given so many messages.
  std::function<void(std::size_t messages)> writes = [](auto) {};
  std::function<void(forwarding::PortNumber at, std::span<const std::byte> frame)> probe =
      [](auto, auto) {};
};

class OpenFlowSwitch final : public PortDriver {
 public:
  // The connection is ready. Nothing is called after the switch object has gone.
  OpenFlowSwitch(openflow::Connection& connection, SwitchEvents events);

  // Reads what the switch holds, installs what is missing, removes what is not of the program, in
  // one atomic bundle. A switch that already has it is not written to, nor is any in a dry run
  // (`writes` false).
  void install(const Program& program, bool writes);
  void send_probe(forwarding::PortNumber port, std::span<const std::uint8_t> frame);
  void set_group(const openflow::GroupMod& group, const Done& done);
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
  [[nodiscard]] std::map<forwarding::PortNumber, PortFound> found() const;

  openflow::Connection& connection_;
  SwitchEvents events_;
  std::map<forwarding::PortNumber, openflow::Port> ports_;
  std::shared_ptr<bool> here_ = std::make_shared<bool>(true);  // answers may come after we went
};

}  // namespace ebb::drivers
