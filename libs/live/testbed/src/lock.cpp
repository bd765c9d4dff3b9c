// SPDX-License-Identifier: Apache-2.0
#include "lock.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <thread>

namespace ebb::testbed {

Result<Descriptor> lock_fabric(const std::string& name, const StateFolder& state) {
  constexpr auto kPause = std::chrono::milliseconds(20);
  constexpr int kMostPauses = 1500;  // 30 s: longer than a step of the largest fabric
  const std::string path = state.lock(name);
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!file.open()) return fail(fmt::format("cannot lock: {}", std::strerror(errno)), {path});
  for (int pause = 0; flock(file.number(), LOCK_EX | LOCK_NB) != 0; ++pause) {
    if (errno != EWOULDBLOCK && errno != EINTR)
      return fail(fmt::format("cannot lock: {}", std::strerror(errno)), {path});
    if (pause == kMostPauses)
      return fail(fmt::format("another ebb is at work on fabric '{}'", name), {path});
    std::this_thread::sleep_for(kPause);
  }
  return file;
}

}  // namespace ebb::testbed
