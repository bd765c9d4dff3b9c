// SPDX-License-Identifier: Apache-2.0
//
// A socket to the kernel about interfaces and queues (rtnetlink, by libmnl), in the network
// namespace in which it was opened. The kernel answers a request before the call that sends it
// returns, so only `wait_for_change` waits. Requests and changes need sockets of their own: what is
// heard in between must not be taken for an answer.
#pragma once

#include "ebb/core/result.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

struct mnl_socket;
struct nlattr;
struct nlmsghdr;

namespace ebb::netlink {

class Netlink {
 public:
  using Handle = std::function<void(const nlmsghdr& message)>;

  // `groups`: of RTMGRP_*; what happens there is heard by `receive`.
  [[nodiscard]] static Result<Netlink> open(std::uint32_t groups = 0);

  // Everything of a kind; `header` is what the kind begins its messages with.
  [[nodiscard]] Result<void> dump(std::uint16_t kind, std::span<const std::byte> header,
                                  const Handle& handle);
  // Sends one message that changes something, and reads the acknowledgement.
  [[nodiscard]] Result<void> change(std::uint16_t kind, std::span<const std::byte> header);
  // What has come; an error when some was lost.
  [[nodiscard]] Result<void> receive(const Handle& handle);
  // Waits until something has come, or was lost; false when the socket is of no use any more.
  [[nodiscard]] bool wait_for_change();
  [[nodiscard]] int descriptor() const;

 private:
  struct Close {
    void operator()(mnl_socket* socket) const;
  };
  explicit Netlink(mnl_socket* socket);
  [[nodiscard]] Result<void> send(std::uint16_t kind, std::uint16_t flags,
                                  std::span<const std::byte> header);
  // Reads messages until the last that answers the request.
  [[nodiscard]] Result<void> read_answer(const Handle& handle);

  std::unique_ptr<mnl_socket, Close> socket_;
  std::uint32_t sequence_ = 0;
  std::vector<char> buffer_;
};

// The attributes of a message, which begin behind the header of its kind, and those of an
// attribute.
using HandleAttribute = std::function<void(const nlattr& attribute)>;
void for_each_attribute(const nlmsghdr& message, std::size_t header, const HandleAttribute& handle);
void for_each_attribute(const nlattr& whole, const HandleAttribute& handle);

}  // namespace ebb::netlink
