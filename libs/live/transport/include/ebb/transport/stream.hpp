// SPDX-License-Identifier: Apache-2.0
//
// Connections to peers over unix sockets, TCP or TLS, without waiting.
//
//   Stream      bytes to and from one peer
//   Listener    accepts peers
//   Connector   connects, again and again until it succeeds
//   LineFramer  cuts bytes into lines
//
// What is sent is queued. A peer that does not read is cut off when its queue exceeds the limit,
// and so is one that does not finish connecting or its handshake in time.
//
//   auto stream = Stream::connect(loop, address);
//   stream->on({.received = [&](std::span<const std::byte> bytes) { ... }});
#pragma once

#include "ebb/core/bytes.hpp"
#include "ebb/core/result.hpp"
#include "ebb/transport/address.hpp"
#include "ebb/transport/loop.hpp"
#include "ebb/transport/tls.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::transport {

struct StreamEvents {
  std::function<void()> opened = [] {};
  std::function<void(std::span<const std::byte>)> received = [](auto) {};
  // At most once, with the reason; nothing is called after it. Not called when we close.
  std::function<void(const std::string& reason)> closed = [](const auto&) {};
};

struct StreamOptions {
  std::optional<TlsContext> tls = std::nullopt;  // needed for an address of kind tls
  std::size_t most_queued = std::size_t{4} << 20U;
  Milliseconds handshake{5000};
};

class StreamImpl;

// The handle: when it goes the connection is closed.
class Stream {
 public:
  static Result<Stream> connect(Loop& loop, const Address& address,
                                const StreamOptions& options = {});
  explicit Stream(std::shared_ptr<StreamImpl> impl) : impl_(std::move(impl)) {}
  Stream(Stream&&) = default;
  Stream& operator=(Stream&& other) noexcept;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();

  // May be asked for at any time, also inside an event.
  void on(StreamEvents events);
  void send(std::span<const std::byte> bytes);
  void close();
  [[nodiscard]] std::size_t queued() const;
  // Number of the user who runs the peer, of a unix socket.
  [[nodiscard]] std::optional<std::uint32_t> peer_user() const;
  // Common name and DNS names of the certificate that the peer has shown, once a TLS stream is
  // open; none of a stream that was closed. Nothing: the stream is not TLS.
  [[nodiscard]] std::optional<std::vector<std::string>> peer_names() const;

 private:
  std::shared_ptr<StreamImpl> impl_;
};

// Waits for peers. Addresses that other machines reach are refused unless they are asked for: who
// speaks to a controller controls the network.
struct ListenerOptions {
  StreamOptions streams;
  bool other_machines = false;
};

class Listener {
 public:
  using Accepted = std::function<void(Stream)>;

  // Port 0 takes a free one; `address` has it then.
  static Result<Listener> open(Loop& loop, const Address& address, const ListenerOptions& options,
                               Accepted accepted);
  Listener(Listener&&) noexcept;
  Listener& operator=(Listener&&) = delete;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener();

  [[nodiscard]] const Address& address() const;

 private:
  struct Impl;
  explicit Listener(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

// Connects, and tries again with growing pauses until it succeeds. Without chance: the same
// failures are followed by the same attempts.
//
//   Connector connector(loop, address, {}, {}, [&](Stream stream) { ... });
//   connector.start();
struct BackOff {
  Milliseconds first{100};
  Milliseconds longest{5000};
};

// The pause before attempt n + 2: first, twice that, and so on up to the longest.
[[nodiscard]] Milliseconds pause_after(const BackOff& back_off, int failures);

class Connector {
 public:
  using Connected = std::function<void(Stream)>;
  // Asked before each attempt: what starts again may listen elsewhere.
  using Where = std::function<Address()>;

  Connector(Loop& loop, Where where, StreamOptions options, BackOff back_off, Connected connected);
  Connector(Loop& loop, Address address, StreamOptions options, BackOff back_off,
            Connected connected);
  Connector(const Connector&) = delete;
  Connector& operator=(const Connector&) = delete;
  ~Connector();

  // Also to be called when a connection was lost: it counts as a failure until the next succeeds.
  void start();
  [[nodiscard]] int failures() const { return failures_; }
  [[nodiscard]] const std::string& last_problem() const { return problem_; }

 private:
  void attempt();
  void failed(const std::string& reason);

  Loop& loop_;
  Where where_;
  StreamOptions options_;
  BackOff back_off_;
  Connected connected_;
  std::optional<Stream> stream_;
  std::optional<Loop::Timer> timer_;
  int failures_ = 0;
  std::string problem_;
};

// Cuts a stream into lines. It holds at most one unfinished line beside what was fed and not yet
// taken, and gives up on a stream whose line is longer than the limit: who feeds it and takes all
// that there is after each piece holds a bounded number of bytes.
//
//   lines.feed(text);
//   for (auto line = lines.next(); line && *line; line = lines.next()) use(**line);
class LineFramer {
 public:
  explicit LineFramer(std::size_t longest) : longest_(longest) {}

  void feed(std::string_view text) { waiting_ += text; }

  // The next whole line without its end; none when more is needed. A stream that failed is lost.
  [[nodiscard]] Result<std::optional<std::string>> next();

 private:
  std::size_t longest_;  // without the end of the line
  std::string waiting_;
  std::size_t taken_ = 0;      // of `waiting_`: was given out
  std::size_t looked_at_ = 0;  // of `waiting_`: no line end comes before
};

}  // namespace ebb::transport
