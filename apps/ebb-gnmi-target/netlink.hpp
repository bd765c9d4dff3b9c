// SPDX-License-Identifier: Apache-2.0
//
// Interfaces of the network namespace that this process is in, by rtnetlink: what they are like,
// switching them, and hearing of changes.
#pragma once

#include "ebb/core/result.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ebb::target {

struct Link {
  int index = 0;
  std::string name;
  bool loopback = false;
  bool up = false;       // administratively
  bool running = false;  // and so is the other end
  std::uint64_t received_bytes = 0;
  std::uint64_t sent_bytes = 0;
  std::uint64_t sent_packets = 0;
};

class Netlink {
 public:
  // `hears_changes`: for wait_for_change alone, because changes and answers would mix.
  [[nodiscard]] static Result<Netlink> open(bool hears_changes);
  Netlink(Netlink&& other) noexcept;
  Netlink& operator=(Netlink&&) = delete;
  Netlink(const Netlink&) = delete;
  Netlink& operator=(const Netlink&) = delete;
  ~Netlink();

  [[nodiscard]] Result<std::vector<Link>> links();
  [[nodiscard]] Result<void> set_up(const std::string& name, bool up);
  // False when the socket is of no use any more.
  [[nodiscard]] bool wait_for_change();

 private:
  explicit Netlink(int socket) : socket_(socket) {}
  [[nodiscard]] Result<void> send(const void* message, std::size_t bytes) const;
  // One packet of messages.
  [[nodiscard]] Result<std::size_t> receive();

  int socket_;
  std::uint32_t sequence_ = 0;
  std::vector<char> buffer_ = std::vector<char>(std::size_t{64} * 1024);
};

}  // namespace ebb::target
