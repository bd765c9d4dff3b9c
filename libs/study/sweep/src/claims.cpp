// SPDX-License-Identifier: Apache-2.0
#include "ebb/sweep/claims.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace ebb::sweep {
namespace {

// 60 bits of the key, which is a hash: two runs do not meet on one byte.
constexpr std::size_t kDigits = 15;

// Locks belong to this opening of the file, not to the process, so that two sweeps of one process
// do not share them either. False: somebody else has it.
bool set_lock(int file, short kind, off_t from, off_t length) {
  struct flock lock {};
  lock.l_type = kind;
  lock.l_whence = SEEK_SET;
  lock.l_start = from;
  lock.l_len = length;
  if (fcntl(file, F_OFD_SETLK, &lock) == 0) return true;
  return errno != EAGAIN && errno != EACCES;
}

off_t byte_of(const std::string& key) {
  return static_cast<off_t>(std::strtoull(key.substr(0, kDigits).c_str(), nullptr, 16));
}

}  // namespace

Claims::Claims(const std::string& results_file)
    : path_(results_file + "-claims"),
      file_(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {}

Claims::~Claims() {
  if (file_.open() && set_lock(file_.number(), F_WRLCK, 0, 0)) unlink(path_.c_str());
}

bool Claims::take(const std::string& key) const {
  return !file_.open() || set_lock(file_.number(), F_WRLCK, byte_of(key), 1);
}

void Claims::give_back(const std::string& key) const {
  if (file_.open()) (void)set_lock(file_.number(), F_UNLCK, byte_of(key), 1);
}

}  // namespace ebb::sweep
