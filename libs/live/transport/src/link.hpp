// SPDX-License-Identifier: Apache-2.0
//
// The inside of a Stream. It lives as long as a handle or a call into it.
#pragma once

#include "channel.hpp"
#include "socket.hpp"

#include "ebb/transport/stream.hpp"

namespace ebb::transport {

class Link : public std::enable_shared_from_this<Link> {
 public:
  Link(Loop& loop, Descriptor descriptor, std::unique_ptr<Channel> channel,
       const StreamOptions& options);

  // `connecting`: the system has not finished connecting the socket.
  void start(bool connecting);
  void on(StreamEvents events) { events_ = std::move(events); }
  void send(std::span<const std::byte> bytes);
  // Without an event.
  void shut();
  [[nodiscard]] std::size_t queued() const { return queue_.size() - sent_; }
  [[nodiscard]] std::optional<std::uint32_t> peer_user() const;

 private:
  enum class State : std::uint8_t { connecting, handshaking, open, closed };

  void ready();
  bool finish_connecting();
  bool finish_handshake();
  void read_some();
  void write_some();
  void watch_for_what_is_wanted();
  // True when the channel can go on at once; else notes what it waits for, or ends.
  bool went_on(const Progress& progress);
  void end(const std::string& reason);

  Loop& loop_;
  Descriptor descriptor_;
  std::unique_ptr<Channel> channel_;
  std::size_t most_queued_;
  Milliseconds handshake_limit_;
  StreamEvents events_;
  State state_ = State::connecting;
  std::optional<Loop::Timer> handshake_timer_;
  bool wants_write_ = false;
  std::uint32_t watched_for_ = 0;
  Bytes queue_;
  std::size_t sent_ = 0;  // of the queue
};

[[nodiscard]] Result<std::shared_ptr<Link>> make_link(Loop& loop, Descriptor descriptor, Kind kind,
                                                      Side side, const StreamOptions& options);

}  // namespace ebb::transport
