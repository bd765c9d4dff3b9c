// SPDX-License-Identifier: Apache-2.0
//
// A peer that connected: first unknown, then one of the switches of the fabric.
#pragma once

#include "ebb/drivers/live_fabric.hpp"

namespace ebb::drivers {

inline constexpr const char* kUnreachable = "the switch cannot be reached";

using PortStatuses = std::map<forwarding::PortNumber, PortStatus>;

struct LiveFabric::PeerSession {
  std::unique_ptr<openflow::Connection> connection;
  std::unique_ptr<OpenFlowSwitch> open_flow;  // once it is identified
  std::unique_ptr<PortDriver> other;          // that has the ports instead
  PortDriver* driver = nullptr;               // of the ports: one of the two
  std::unique_ptr<OpenFlowSteering> groups;   // with `open_flow`
  SteeringDriver* steering = nullptr;         // what moves traffic off its ports: `groups`
  ListenerId listener;                        // at which it connected
  std::uint32_t device = 0;
  bool identified = false;  // it is known which switch it is
  bool is_master = false;   // this controller is MASTER of it
  bool held = false;        // it came while its switch was quarantined
  bool silent = false;      // it did not answer when the MASTER role was requested
  std::function<void()> left;
  PortStatuses ports;
  bool written = false;         // its rules were written, and have not been read back
  bool told = false;            // its program was sent
  std::string refused;          // why it does not hold its program
  bool reading = false;         // counters: one request at a time
  bool reading_groups = false;  // as well
  TimePoint counted{};          // when it told them last, or joined
  std::map<forwarding::PortNumber, PortTraffic> traffic;  // as it told them last
  bool stale = false;                                     // that they are old was said
  // A barrier shows that a switch has seen to what it was sent before, probes among it, and that
  // what it had to say has come in.
  std::optional<TimePoint> barrier_asked;  // and not answered yet
  TimePoint seen_to{};                     // when the last one was sent that is answered
  std::string error;  // that was reported last, so that it is not reported ten times a second
  bool gone = false;
};

}  // namespace ebb::drivers
