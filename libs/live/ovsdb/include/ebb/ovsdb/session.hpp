// SPDX-License-Identifier: Apache-2.0
//
// JSON-RPC 1.0 over a stream: requests with numbers, their answers, notifications, and echoes to
// see whether the peer is alive. Every request is answered once, at the latest after the time limit
// or when the peer closes. The loop outlives the session.
#pragma once

#include "ebb/ovsdb/json_framer.hpp"
#include "ebb/transport/liveness.hpp"
#include "ebb/transport/stream.hpp"

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include <memory>
#include <optional>

namespace ebb::ovsdb {

using nlohmann::json;
using transport::Milliseconds;

enum class Why : std::uint8_t {
  refused,    // by the peer: `error` and `details` are what it said
  timed_out,  // whether it took effect is not known
  closed,     // as above
  malformed,  // it was answered, but not as the protocol says
};

struct Refusal {
  Why why = Why::closed;
  std::string error;         // of RFC 7047, such as "constraint violation"
  std::string details = {};  // for people
  std::optional<std::size_t> operation = std::nullopt;  // of a transaction
};

template <class T>
using Answer = tl::expected<T, Refusal>;
template <class T>
using Then = std::function<void(Answer<T>)>;

struct SessionTiming {
  Milliseconds answer{5000};  // to each request
  transport::Patience patience;
};

struct SessionEvents {
  std::function<void(const std::string& method, const json& parameters)> notified =
      [](const auto&, const auto&) {};
  // At most once, and nothing after it. Not when we close.
  std::function<void(const std::string& reason)> closed = [](const auto&) {};
};

class Talk;

// The handle: when it goes the connection is closed, and requests under way stay unanswered.
class Session {
 public:
  Session(transport::Loop& loop, transport::Stream stream, SessionTiming timing,
          SessionEvents events);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  void request(const std::string& method, json parameters, Then<json> then);

 private:
  std::shared_ptr<Talk> talk_;
};

}  // namespace ebb::ovsdb
