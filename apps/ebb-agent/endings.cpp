// SPDX-License-Identifier: Apache-2.0
#include "endings.hpp"

#include <csignal>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace ebb::agent {

Endings::Endings(transport::Loop& loop, std::function<void()> asked) : loop_(loop) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  descriptor_ = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  loop_.watch(descriptor_, EPOLLIN, [this, asked = std::move(asked)](std::uint32_t) {
    signalfd_siginfo signal{};
    if (::read(descriptor_, &signal, sizeof signal) > 0) asked();
  });
}

Endings::~Endings() {
  loop_.forget(descriptor_);
  ::close(descriptor_);
}

}  // namespace ebb::agent
