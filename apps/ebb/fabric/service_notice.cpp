// SPDX-License-Identifier: Apache-2.0
#include "fabric/service_notice.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace ebb::cli {

void tell_service_manager(std::string_view state) {
  const char* path = std::getenv("NOTIFY_SOCKET");
  sockaddr_un address{.sun_family = AF_UNIX};
  const std::string_view name = path == nullptr ? "" : path;
  if (name.empty() || name.size() >= sizeof address.sun_path) return;
  std::copy(name.begin(), name.end(), address.sun_path);
  if (name[0] == '@') address.sun_path[0] = '\0';  // a name that is in no folder
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) return;
  static_cast<void>(sendto(socket, state.data(), state.size(), MSG_NOSIGNAL,
                           reinterpret_cast<const sockaddr*>(&address),
                           static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size())));
  close(socket);
}

}  // namespace ebb::cli
