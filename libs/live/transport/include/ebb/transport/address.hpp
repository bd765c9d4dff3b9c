// SPDX-License-Identifier: Apache-2.0
//
// Where a peer is: "unix:/run/br0.mgmt", "tcp:127.0.0.1:6653", "tls:[::1]:6653". Hosts are numbers:
// to ask for a name would keep the loop waiting.
#pragma once

#include "ebb/core/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace ebb::transport {

enum class Kind : std::uint8_t { unix_socket, tcp, tls };

struct Address {
  Kind kind = Kind::unix_socket;
  std::string path;  // of a unix socket
  std::string host;  // IPv4 or IPv6
  std::uint16_t port = 0;

  bool operator==(const Address&) const = default;
};

[[nodiscard]] Result<Address> parse_address(std::string_view text);
[[nodiscard]] std::string to_text(const Address& address);
// Reached from this machine alone.
[[nodiscard]] bool is_local(const Address& address);

}  // namespace ebb::transport
