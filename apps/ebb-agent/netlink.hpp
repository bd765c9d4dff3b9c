// SPDX-License-Identifier: Apache-2.0
//
// A conversation with the kernel about interfaces and queues (rtnetlink), in the network namespace
// in which it was opened. The kernel answers a dump before the call that asks for it returns, so
// nothing here waits.
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

namespace ebb::agent {

class Netlink {
 public:
  using Handle = std::function<void(const nlmsghdr& message)>;

  // `groups`: of RTMGRP_*; what happens there is heard by `receive`.
  [[nodiscard]] static Result<Netlink> open(std::uint32_t groups = 0);

  // Everything of a kind; `header` is what the kind begins its messages with.
  [[nodiscard]] Result<void> dump(std::uint16_t kind, std::span<const std::byte> header,
                                  const Handle& handle);
  // What has come; an error when some was lost.
  [[nodiscard]] Result<void> receive(const Handle& handle);
  [[nodiscard]] int descriptor() const;

 private:
  struct Close {
    void operator()(mnl_socket* socket) const;
  };
  explicit Netlink(mnl_socket* socket);

  std::unique_ptr<mnl_socket, Close> socket_;
  std::uint32_t sequence_ = 0;
  std::vector<char> buffer_;
};

// The parts of a message, which begin behind the header of its kind, and those of a part.
using HandlePart = std::function<void(const nlattr& part)>;
void for_each_part(const nlmsghdr& message, std::size_t header, const HandlePart& handle);
void for_each_part(const nlattr& whole, const HandlePart& handle);

}  // namespace ebb::agent
