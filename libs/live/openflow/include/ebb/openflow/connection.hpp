// SPDX-License-Identifier: Apache-2.0
//
// An OpenFlow 1.3 connection to a switch over a stream: greets, asks who the switch is, answers and
// asks whether the other is alive, and matches replies to requests. Every request is answered
// once, at the latest after the time limit or when the connection is closed by the switch. Requests
// may be made from `ready` on. The loop outlives the connection.
//
//   Connection connection(loop, std::move(stream), {}, {.ready = [&](const auto& features) {
//     connection.install(rules, [](Answer<void> done) { ... });
//   }});
#pragma once

#include "ebb/openflow/answer.hpp"
#include "ebb/transport/liveness.hpp"
#include "ebb/transport/stream.hpp"

#include <memory>
#include <vector>

namespace ebb::openflow {

using transport::Milliseconds;

struct Timing {
  Milliseconds greeting{5000};   // until the switch has said who it is
  Milliseconds answer{5000};     // to each request
  transport::Patience patience;  // with silence: then we ask whether the switch is alive
};

struct ConnectionEvents {
  std::function<void(const openflow::FeaturesReply&)> ready = [](const auto&) {};
  std::function<void(const openflow::PortStatus&)> port_status = [](const auto&) {};
  std::function<void(const openflow::PacketIn&)> packet_in = [](const auto&) {};
  std::function<void(const openflow::FlowRemoved&)> flow_removed = [](const auto&) {};
  // That answers no request of ours.
  std::function<void(const openflow::ErrorMessage&)> error = [](const auto&) {};
  // At most once, and nothing after it. Not when we close.
  std::function<void(const std::string& reason)> closed = [](const auto&) {};
};

class Exchange;

// The handle: when it goes the connection is closed, and requests under way stay unanswered.
class Connection {
 public:
  Connection(transport::Loop& loop, transport::Stream stream, Timing timing,
             ConnectionEvents events);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  // All of the messages (flow_mod, group_mod, port_mod) or none, in their order. Done when the
  // switch has done it; a refusal says which message it was.
  void install(const std::vector<openflow::Body>& messages, const Then<void>& then);

  void ports(const Then<std::vector<openflow::Port>>& then);
  void port_stats(std::uint32_t port, const Then<std::vector<openflow::PortCounters>>& then);
  void flow_stats(const openflow::FlowStatsRequest& which,
                  const Then<std::vector<openflow::FlowEntry>>& then);
  void groups(const Then<std::vector<openflow::GroupEntry>>& then);
  void description(const Then<openflow::Description>& then);

  void port_mod(const openflow::PortMod& mod, const Then<void>& then);
  // On the management sockets of Open vSwitch nothing is heard before this.
  void set_async(const openflow::AsyncMasks& masks, const Then<void>& then);
  void role(openflow::Role role, std::uint64_t generation, const Then<openflow::RoleReply>& then);
  void barrier(const Then<void>& then);
  void packet_out(const openflow::PacketOut& packet);

 private:
  std::shared_ptr<Exchange> exchange_;
};

}  // namespace ebb::openflow
