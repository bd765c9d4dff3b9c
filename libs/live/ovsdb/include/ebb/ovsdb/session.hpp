// SPDX-License-Identifier: Apache-2.0
//
// JSON-RPC 1.0 (RFC 7047, 4) over a stream, as ovsdb-server and the daemons of Open vSwitch speak
// it.
//
//   JsonFramer  cuts the stream into JSON objects
//   Session     requests, replies, notifications, keepalive
//   Control     the control socket of a daemon ("unixctl")
//
// Every request is answered once: by the reply, by an error of the peer, after the time limit, or
// when the connection is closed. The loop outlives the session. The header declares json only
// forward: who uses its values includes <nlohmann/json.hpp>.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/transport/loop.hpp"
#include "ebb/transport/stream.hpp"

#include <nlohmann/json_fwd.hpp>
#include <tl/expected.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace ebb::ovsdb {

struct FrameLimits {
  std::size_t bytes = std::size_t{16} << 20U;  // of one object; a switch of 10,000 ports needs 8 MB
  int depth = 64;
};

// Cuts a stream into JSON objects that follow each other without a separator. Each byte is looked
// at once. What is too large or too deep is refused before it is parsed.
class JsonFramer {
 public:
  explicit JsonFramer(FrameLimits limits = {}) : limits_(limits) {}

  void feed(std::string_view text) { waiting_ += text; }

  // The text of the next whole object; empty when more is needed. A stream that failed is lost.
  [[nodiscard]] Result<std::string> next();

 private:
  // What was given out or skipped goes.
  void drop(std::size_t count);
  void look_at(char c);

  FrameLimits limits_;
  std::string waiting_;
  std::size_t looked_at_ = 0;  // of `waiting_`
  std::uint64_t offset_ = 0;   // of `waiting_` in the stream
  int depth_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
};

using nlohmann::json;
using transport::Milliseconds;

enum class Why : std::uint8_t {
  refused,    // by the peer: `error` and `details` are what it said
  timed_out,  // whether it took effect is not known
  closed,     // as above
  malformed,  // it was answered, but not as the protocol says
};

struct RequestError {
  Why why = Why::closed;
  std::string error;         // of RFC 7047, such as "constraint violation"
  std::string details = {};  // for people
  std::optional<std::size_t> operation = std::nullopt;  // of a transaction
};

template <class T>
using Reply = tl::expected<T, RequestError>;
template <class T>
using Callback = std::function<void(Reply<T>)>;

struct SessionTiming {
  Milliseconds answer{5000};  // to each request
  transport::KeepaliveTiming keepalive;
};

struct SessionEvents {
  std::function<void(const std::string& method, const json& parameters)> notified =
      [](const auto&, const auto&) {};
  // At most once, and nothing after it. Not when we close.
  std::function<void(const std::string& reason)> closed = [](const auto&) {};
};

class JsonRpcConnection;

// The handle: when it goes the connection is closed, and requests under way stay unanswered.
class Session {
 public:
  Session(transport::Loop& loop, transport::Stream stream, SessionTiming timing,
          SessionEvents events);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  void request(const std::string& method, json parameters, Callback<json> then);

 private:
  std::shared_ptr<JsonRpcConnection> connection_;
};

// The control socket of a daemon of Open vSwitch ("unixctl"): commands of words, answered by text.
//
//   control.command("bfd/set-forwarding", {"p5", "false"}, [](Reply<std::string> text) { ... });
class Control {
 public:
  Control(transport::Loop& loop, transport::Stream stream, SessionTiming timing,
          std::function<void(const std::string& reason)> closed);

  void command(const std::string& name, const std::vector<std::string>& words,
               const Callback<std::string>& then);

 private:
  Session session_;
};

}  // namespace ebb::ovsdb
