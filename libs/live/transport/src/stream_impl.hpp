// SPDX-License-Identifier: Apache-2.0
//
// The inside of a Stream: sockets, the channel that plain sockets and TLS have in common, and the
// state of a connection.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/transport/address.hpp"
#include "ebb/transport/stream.hpp"
#include "ebb/transport/tls.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <sys/socket.h>
#include <vector>

namespace ebb::transport {

// "No such file or directory" of an errno.
[[nodiscard]] std::string system_text(int error);

// A file descriptor that is closed with its owner.
class UniqueFd {
 public:
  explicit UniqueFd(int number = -1) : number_(number) {}
  UniqueFd(UniqueFd&& other) noexcept : number_(other.release()) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept;
  UniqueFd(const UniqueFd&) = delete;
  UniqueFd& operator=(const UniqueFd&) = delete;
  ~UniqueFd();

  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] int release();

 private:
  int number_;
};

// As the system wants it. A unix socket whose path is longer than the system takes is named by the
// descriptor of its folder, which stays open as long as the address is used.
struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;
  UniqueFd folder = UniqueFd();

  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
};
[[nodiscard]] Result<SocketAddress> socket_address(const Address& address);

// Non-blocking, and gone in child processes.
[[nodiscard]] UniqueFd new_socket(const SocketAddress& address);

// What differs between plain sockets and TLS: how to shake hands, read and write without waiting.
enum class Went : std::uint8_t { done, wants_read, wants_write, ended, failed };

struct Progress {
  Went went = Went::done;
  std::size_t bytes = 0;
  std::string problem;
};

class Channel {
 public:
  Channel() = default;
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  virtual ~Channel() = default;

  virtual Progress handshake() = 0;
  virtual Progress read(std::span<std::byte> into) = 0;
  virtual Progress write(std::span<const std::byte> bytes) = 0;
  // Of the peer's certificate; nothing: the channel has no certificates.
  [[nodiscard]] virtual std::optional<std::vector<std::string>> peer_names() const { return {}; }
};

enum class Side : std::uint8_t { client, server };

[[nodiscard]] std::unique_ptr<Channel> plain_channel(int descriptor);
[[nodiscard]] std::unique_ptr<Channel> tls_channel(int descriptor, const TlsContext& context,
                                                   Side side);

// The inside of a Stream. It lives as long as a handle or a call into it.
class StreamImpl : public std::enable_shared_from_this<StreamImpl> {
 public:
  StreamImpl(Loop& loop, UniqueFd descriptor, std::unique_ptr<Channel> channel,
             const StreamOptions& options);

  // `connecting`: the system has not finished connecting the socket.
  void start(bool connecting);
  void on(StreamEvents events) { events_ = std::move(events); }
  void send(std::span<const std::byte> bytes);
  // Without an event.
  void shut();
  [[nodiscard]] std::size_t queued() const { return queue_.size() - sent_; }
  [[nodiscard]] std::optional<std::uint32_t> peer_user() const;
  [[nodiscard]] std::optional<std::vector<std::string>> peer_names() const;

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
  UniqueFd descriptor_;
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

[[nodiscard]] Result<std::shared_ptr<StreamImpl>> make_stream_impl(Loop& loop, UniqueFd descriptor,
                                                                   Kind kind, Side side,
                                                                   const StreamOptions& options);

}  // namespace ebb::transport
