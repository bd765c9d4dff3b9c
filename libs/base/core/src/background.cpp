// SPDX-License-Identifier: Apache-2.0
#include "ebb/core/background.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

namespace ebb {
namespace {

constexpr int kNotStarted = 3;  // as those of ebb: the outside world failed

[[noreturn]] void wait_for(pid_t child, int pipe) {
  char byte = 0;
  ssize_t got = -1;
  do got = ::read(pipe, &byte, 1);
  while (got < 0 && errno == EINTR);
  if (got == 1) std::_Exit(0);
  int status = 0;
  ::waitpid(child, &status, 0);
  std::_Exit(WIFEXITED(status) && WEXITSTATUS(status) != 0 ? WEXITSTATUS(status) : kNotStarted);
}

}  // namespace

Result<Background> Background::enter() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return fail(std::string("pipe: ") + strerror(errno));
  const pid_t child = ::fork();
  if (child < 0) return fail(std::string("fork: ") + std::strerror(errno));
  ::close(ends[child == 0 ? 0 : 1]);
  if (child > 0) wait_for(child, ends[0]);
  ::setsid();
  return Background(ends[1]);
}

void Background::ready() const {
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, standard);
  ::close(nothing);
  [[maybe_unused]] const auto told = ::write(waiting_, "!", 1);  // nobody waits any more: so be it
  ::close(waiting_);
}

Result<ProcessFile> ProcessFile::write(const std::string& path) {
  std::ofstream file(path);
  file << ::getpid() << '\n';
  if (!file.flush()) return fail("cannot be written", {path});
  return ProcessFile(path);
}

ProcessFile::~ProcessFile() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove(path_, ignored);
}

}  // namespace ebb
