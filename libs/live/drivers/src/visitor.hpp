// SPDX-License-Identifier: Apache-2.0
//
// Somebody who connected, from the door on.
#pragma once

#include "ebb/drivers/live_fabric.hpp"

namespace ebb::drivers {

using PortsFound = std::map<forwarding::PortNumber, PortFound>;

struct LiveFabric::Visitor {
  std::unique_ptr<openflow::Connection> connection;
  std::unique_ptr<OpenFlowSwitch> open_flow;  // once it is known which
  std::unique_ptr<PortDriver> other;          // that has the ports instead
  PortDriver* driver = nullptr;               // of the ports: one of the two
  Door door;                                  // at which it came
  std::uint32_t device = 0;
  bool greeted = false;  // it is known which switch it is
  bool obeys = false;    // us, and nobody else
  bool silent = false;   // did not answer when we claimed it
  std::function<void()> left;
  PortsFound ports;
  bool told = false;     // its program
  std::string refused;   // why it does not hold it
  bool reading = false;  // counters: one question at a time
  std::string trouble;   // that was told last: nobody wants it ten times a second
  bool gone = false;
};

}  // namespace ebb::drivers
