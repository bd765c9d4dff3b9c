// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/ha/lease.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <sys/file.h>
#include <sys/stat.h>

namespace ebb::controller {
namespace {

Failure cannot(const std::string& path) {
  return fail(fmt::format("cannot take the lease: {}", std::strerror(errno)), {path});
}

bool is_at(const std::string& path, const Descriptor& file) {
  struct stat named {};
  struct stat open {};
  return stat(path.c_str(), &named) == 0 && fstat(file.number(), &open) == 0 &&
         named.st_ino == open.st_ino && named.st_dev == open.st_dev;
}

}  // namespace

Lease::Lease(std::string path, Clock::duration patience)
    : path_(std::move(path)), patience_(patience) {}
Lease::~Lease() = default;

Result<bool> Lease::take(Clock::time_point now) {
  if (is_ours()) return true;
  file_.reset();
  Descriptor file(open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!file.open()) return cannot(path_);
  if (lock(std::move(file))) return true;
  return hangs(now) ? pass_over() : false;
}

// The file may have been replaced between opening and locking it.
bool Lease::lock(Descriptor file) {
  if (flock(file.number(), LOCK_EX | LOCK_NB) != 0 || !is_at(path_, file)) return false;
  file_ = std::make_unique<Descriptor>(std::move(file));
  stir();
  return true;
}

bool Lease::hangs(Clock::time_point now) {
  std::string found = read();
  if (seen_at_ == Clock::time_point{} || found != seen_) {
    seen_ = std::move(found);
    seen_at_ = now;
  }
  return now - seen_at_ >= patience_;
}

// Two who do this at a time: the later has it, the earlier finds that at the next look.
Result<bool> Lease::pass_over() {
  const std::string own = fmt::format("{}.{}", path_, getpid());
  Descriptor file(open(own.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!file.open() || flock(file.number(), LOCK_EX | LOCK_NB) != 0 ||
      std::rename(own.c_str(), path_.c_str()) != 0)
    return cannot(path_);
  file_ = std::make_unique<Descriptor>(std::move(file));
  stir();
  return true;
}

bool Lease::is_ours() const { return file_ && is_at(path_, *file_); }

void Lease::stir() {
  if (!file_) return;
  // Always of the same length: a reader never finds the rest of an older line.
  const std::string line = fmt::format("{:>10} {:>20}\n", getpid(), ++stirred_);
  // One that cannot be written makes us look as if we hung, which is for others to judge.
  static_cast<void>(pwrite(file_->number(), line.data(), line.size(), 0) < 0);
}

void Lease::leave() {
  file_.reset();
  seen_at_ = {};
}

std::string Lease::read() const {
  std::ifstream file(path_);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string Lease::holder() const {
  std::istringstream text(read());
  std::string process;
  return text >> process ? "process " + process : "an unknown process";
}

}  // namespace ebb::controller
