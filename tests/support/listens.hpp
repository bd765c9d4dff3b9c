// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ebb/core/process.hpp"

#include <string>
#include <sys/socket.h>
#include <sys/un.h>

namespace ebb::test {

// Whether somebody takes connections at a unix socket. Its file is there a little before.
inline bool listens(const std::string& path) {
  const UniqueFd end(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  return connect(end.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

}  // namespace ebb::test
