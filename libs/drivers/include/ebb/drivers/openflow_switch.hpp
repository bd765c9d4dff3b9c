// SPDX-License-Identifier: Apache-2.0
//
// One OpenFlow switch of a fabric, from its connection on: brings it to hold its program without
// disturbing what it already does right, reads its counters, and carries out orders.
#pragma once

#include "ebb/drivers/openflow_program.hpp"
#include "ebb/fabric/order.hpp"
#include "ebb/fabric/ports.hpp"
#include "ebb/fabric/sampler.hpp"
#include "ebb/fabric/wiring.hpp"
#include "ebb/openflow_channel/connection.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ebb::drivers {

// How a port was found.
struct PortFound {
  bool down_on_purpose = false;
  bool live = false;
};

struct SwitchEvents {
  // The switch holds its program.
  std::function<void(const std::map<fabric::PortNumber, PortFound>&)> installed = [](const auto&) {
  };
  std::function<void(fabric::PortNumber, bool live)> port = [](auto, bool) {};
  std::function<void(fabric::PortNumber at, std::span<const std::byte> frame)> probe = [](auto,
                                                                                          auto) {};
  std::function<void(const std::vector<openflow::PortCounters>&)> counted = [](const auto&) {};
  // Something that the switch did not do, in words.
  std::function<void(const std::string&)> trouble = [](const auto&) {};
};

class OpenFlowSwitch {
 public:
  using Done = std::function<void(bool ok, const std::string& why)>;

  // The connection is ready. Nothing is called after the switch object has gone.
  OpenFlowSwitch(openflow_channel::Connection& connection, SwitchEvents events);

  // Reads what the switch holds, installs what is missing, removes what is not of the program, in
  // one atomic bundle. A switch that already has it is not written to.
  void install(const Program& program);
  void read_counters();
  void send_probe(fabric::PortNumber port, std::span<const std::uint8_t> frame);
  void set_group(const openflow::GroupMod& group, const Done& done);
  void set_port(fabric::PortNumber port, bool up, const Done& done);
  void port_changed(const openflow::PortStatus& status);
  void packet_in(const openflow::PacketIn& packet) const;

 private:
  void compare(const Program& program, const std::vector<openflow::GroupEntry>& groups,
               const std::vector<openflow::FlowEntry>& flows);
  void learn_ports(const std::vector<openflow::Port>& ports);
  [[nodiscard]] std::map<fabric::PortNumber, PortFound> found() const;

  openflow_channel::Connection& connection_;
  SwitchEvents events_;
  std::map<fabric::PortNumber, openflow::Port> ports_;
  std::shared_ptr<bool> here_ = std::make_shared<bool>(true);  // answers may come after we went
};

}  // namespace ebb::drivers
