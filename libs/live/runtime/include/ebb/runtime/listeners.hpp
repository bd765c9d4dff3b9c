// SPDX-License-Identifier: Apache-2.0
//
// Where switches connect to a controller: the sockets of the switches of a test fabric, and an
// address for remote switches, as "tcp:127.0.0.1:6653" or "ssl:127.0.0.1:6653" (Open vSwitch's word
// for TLS).
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/transport/stream.hpp"

#include <string>
#include <vector>

namespace ebb::runtime {

struct RemoteListener {
  std::string listen;  // empty: none
  transport::TlsFiles tls;
  bool other_machines = false;  // else addresses that they reach are refused
};

// Open vSwitch says ssl for TLS, and so do its users.
[[nodiscard]] Result<transport::Address> parse_listen_address(const std::string& text);
// Reads the address and refuses what is unsafe; opens nothing.
[[nodiscard]] Result<transport::Address> address_of(const RemoteListener& remote);

[[nodiscard]] Result<transport::Listener> open_remote_listener(
    transport::Loop& loop, const RemoteListener& remote, transport::Listener::Accepted accepted);
[[nodiscard]] Result<transport::Listener> open_switch_listener(
    transport::Loop& loop, const std::string& box, transport::Listener::Accepted accepted);

}  // namespace ebb::runtime
