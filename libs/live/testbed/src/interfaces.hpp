// SPDX-License-Identifier: Apache-2.0
//
// Settings of network interfaces in the namespace that this thread is in, by ioctl: a process for
// each would take longer than all of them.
#pragma once

#include "ebb/core/descriptor.hpp"
#include "ebb/core/result.hpp"
#include "ebb/testbed/layout.hpp"

#include <string>

namespace ebb::testbed {

class Interfaces {
 public:
  [[nodiscard]] static Result<Interfaces> here();

  [[nodiscard]] Result<void> set_up(const std::string& port) const;
  // Its MAC, and its address in 10.0.0.0/8.
  [[nodiscard]] Result<void> set_address(const std::string& port, const HostAddress& address) const;
  // Nobody between two hosts fills in a checksum that the sender left to its network card, and the
  // receiver of a TCP segment throws it away.
  [[nodiscard]] Result<void> make_own_checksums(const std::string& port) const;
  [[nodiscard]] Result<void> add_neighbour(const std::string& port,
                                           const HostAddress& neighbour) const;

 private:
  explicit Interfaces(Descriptor socket) : socket_(std::move(socket)) {}
  [[nodiscard]] Result<void> ask(unsigned long what, void* request, const std::string& port,
                                 const char* purpose) const;

  Descriptor socket_;
};

// Of the namespace that this thread is in. Its own solicitations would look like traffic.
void silence_ipv6();

}  // namespace ebb::testbed
