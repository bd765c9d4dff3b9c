// SPDX-License-Identifier: Apache-2.0
//
// Bytes to and from one peer over a unix socket, TCP or TLS, without waiting. What is sent is
// queued; a peer that does not read is cut off when its queue exceeds the limit, one that does not
// finish connecting or its handshake in time as well.
//
//   auto stream = Stream::connect(loop, address);
//   stream->on({.received = [&](std::span<const std::byte> bytes) { ... }});
#pragma once

#include "ebb/core/bytes.hpp"
#include "ebb/core/result.hpp"
#include "ebb/transport/address.hpp"
#include "ebb/transport/loop.hpp"
#include "ebb/transport/tls.hpp"

#include <functional>
#include <memory>
#include <optional>

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

class Link;

// The handle: when it goes the connection is closed.
class Stream {
 public:
  static Result<Stream> connect(Loop& loop, const Address& address,
                                const StreamOptions& options = {});
  explicit Stream(std::shared_ptr<Link> link) : link_(std::move(link)) {}
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

 private:
  std::shared_ptr<Link> link_;
};

}  // namespace ebb::transport
