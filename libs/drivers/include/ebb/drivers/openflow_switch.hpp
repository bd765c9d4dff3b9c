// SPDX-License-Identifier: Apache-2.0
//
// One OpenFlow switch of a fabric, from its connection on: brings it to hold its program without
// disturbing what it already does right, reads its counters, and carries out orders.
#pragma once

#include "ebb/drivers/openflow_program.hpp"
#include "ebb/drivers/port_driver.hpp"
#include "ebb/fabric/order.hpp"
#include "ebb/fabric/sampler.hpp"
#include "ebb/fabric/wiring.hpp"
#include "ebb/openflow_channel/connection.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ebb::drivers {

struct SwitchEvents : PortEvents {
  // The switch holds its program.
  std::function<void(const std::map<fabric::PortNumber, PortFound>&)> installed = [](const auto&) {
  };
  // It does not hold its program, and is given so many messages.
  std::function<void(std::size_t messages)> writes = [](auto) {};
  std::function<void(fabric::PortNumber at, std::span<const std::byte> frame)> probe = [](auto,
                                                                                          auto) {};
};

class OpenFlowSwitch final : public PortDriver {
 public:
  // The connection is ready. Nothing is called after the switch object has gone.
  OpenFlowSwitch(openflow_channel::Connection& connection, SwitchEvents events);

  // Reads what the switch holds, installs what is missing, removes what is not of the program, in
  // one atomic bundle. A switch that already has it is not written to, nor is any in a dry run
  // (`writes` false).
  void install(const Program& program, bool writes);
  void send_probe(fabric::PortNumber port, std::span<const std::uint8_t> frame);
  void set_group(const openflow::GroupMod& group, const Done& done);
  void port_changed(const openflow::PortStatus& status);
  void packet_in(const openflow::PacketIn& packet) const;

  [[nodiscard]] PortAbilities can() const override { return {}; }
  void find_ports(const Found& found) override;
  void read_counters() override;
  void set_port(fabric::PortNumber port, bool up, const Done& done) override;
  void set_rate(fabric::PortNumber port, DataRate rate, const Done& done) override;
  void set_pvid(fabric::PortNumber port, std::uint16_t vlan, const Done& done) override;

 private:
  void bring_to(const std::vector<openflow::Body>& changes, bool writes);
  // False: no port of a switch, or one too many.
  bool learn(const openflow::Port& port);
  void learn_ports(const std::vector<openflow::Port>& ports);
  [[nodiscard]] std::map<fabric::PortNumber, PortFound> found() const;

  openflow_channel::Connection& connection_;
  SwitchEvents events_;
  std::map<fabric::PortNumber, openflow::Port> ports_;
  std::shared_ptr<bool> here_ = std::make_shared<bool>(true);  // answers may come after we went
};

}  // namespace ebb::drivers
