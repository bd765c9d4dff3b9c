// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/ha/waiting_room.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>

namespace ebb::controller {

WaitingRoom::WaitingRoom(std::string path) : path_(std::move(path)) {}
WaitingRoom::~WaitingRoom() = default;

// A leader that looks has it locked for an instant: then it is worth waiting.
Result<void> WaitingRoom::enter() {
  auto file = std::make_unique<Descriptor>(open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!file->open() || flock(file->number(), LOCK_SH) != 0)
    return fail(fmt::format("cannot be locked: {}", std::strerror(errno)), {path_});
  file_ = std::move(file);
  return {};
}

void WaitingRoom::leave() { file_.reset(); }

bool WaitingRoom::someone_waits() const {
  const Descriptor file(open(path_.c_str(), O_RDWR | O_CLOEXEC));
  return file.open() && flock(file.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

}  // namespace ebb::controller
