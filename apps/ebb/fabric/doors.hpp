// SPDX-License-Identifier: Apache-2.0
//
// Where switches reach a controller: the sockets of the boxes of a test fabric, and an address for
// switches elsewhere, as "tcp:127.0.0.1:6653" or "ssl:127.0.0.1:6653" (Open vSwitch's word for
// TLS).
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/transport/listener.hpp"

#include <string>
#include <vector>

namespace ebb::cli {

struct RemoteDoor {
  std::string listen;  // empty: none
  transport::TlsFiles tls;
  bool other_machines = false;  // else addresses that they reach are refused
};

// Without opening anything.
[[nodiscard]] Result<transport::Address> address_of(const RemoteDoor& door);

[[nodiscard]] Result<transport::Listener> open_remote_door(transport::Loop& loop,
                                                           const RemoteDoor& door,
                                                           transport::Listener::Accepted accepted);
[[nodiscard]] Result<transport::Listener> open_box_door(transport::Loop& loop,
                                                        const std::string& box,
                                                        transport::Listener::Accepted accepted);

}  // namespace ebb::cli
