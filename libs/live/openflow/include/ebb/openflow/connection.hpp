// SPDX-License-Identifier: Apache-2.0
//
// An OpenFlow 1.3 connection to a switch over a stream: greets, asks who the switch is, answers and
// sends echo requests, and matches replies to requests. Every request is answered once, at the
// latest after the time limit or when the connection is closed by the switch. Requests may be made
// from `ready` on. The loop outlives the connection.
//
//   Connection connection(loop, std::move(stream), {}, {.ready = [&](const auto& features) {
//     connection.install(rules, [](Reply<void> done) { ... });
//   }});
#pragma once

#include "ebb/openflow/message.hpp"
#include "ebb/transport/loop.hpp"
#include "ebb/transport/stream.hpp"

#include <tl/expected.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ebb::openflow {

enum class Why : std::uint8_t {
  refused,    // by the switch: `error` is what it said
  timed_out,  // whether it took effect is not known
  closed,     // as above
  not_sent,   // the message cannot be written
};

struct RequestError {
  Why why = Why::closed;
  std::string text;
  std::optional<openflow::ErrorMessage> error = std::nullopt;
  std::optional<std::size_t> message = std::nullopt;  // which of those to install
};

template <class T>
using Reply = tl::expected<T, RequestError>;
template <class T>
using Callback = std::function<void(Reply<T>)>;

using transport::Milliseconds;

struct Timing {
  Milliseconds greeting{5000};           // until the switch has said who it is
  Milliseconds answer{5000};             // to each request
  transport::KeepaliveTiming keepalive;  // with silence: then we ask whether the switch is alive
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
  // switch has done it; an error says which message it was.
  void install(const std::vector<openflow::Body>& messages, const Callback<void>& then);

  void ports(const Callback<std::vector<openflow::Port>>& then);
  void port_stats(std::uint32_t port, const Callback<std::vector<openflow::PortCounters>>& then);
  void flow_stats(const openflow::FlowStatsRequest& which,
                  const Callback<std::vector<openflow::FlowEntry>>& then);
  void group_stats(const Callback<std::vector<openflow::GroupCounters>>& then);
  void groups(const Callback<std::vector<openflow::GroupEntry>>& then);
  void description(const Callback<openflow::Description>& then);

  void port_mod(const openflow::PortMod& mod, const Callback<void>& then);
  // On the management sockets of Open vSwitch nothing is heard before this.
  void set_async(const openflow::AsyncMasks& masks, const Callback<void>& then);
  void role(openflow::Role role, std::uint64_t generation,
            const Callback<openflow::RoleReply>& then);
  void barrier(const Callback<void>& then);
  void packet_out(const openflow::PacketOut& packet);

  // Of the certificate of the switch; nothing: the connection is not TLS.
  [[nodiscard]] std::optional<std::vector<std::string>> peer_names() const;

 private:
  std::shared_ptr<Exchange> exchange_;
};

}  // namespace ebb::openflow
