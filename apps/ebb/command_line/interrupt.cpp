// SPDX-License-Identifier: Apache-2.0
#include "command_line/interrupt.hpp"

#include <csignal>
#include <cstdlib>

namespace ebb::cli {
namespace {

// The only thing that a signal handler may touch.
volatile std::sig_atomic_t signal_seen = 0;  // NOLINT

volatile std::sig_atomic_t hangup_seen = 0;  // NOLINT
extern "C" void remember_hangup(int /*number*/) { hangup_seen = 1; }

extern "C" void remember_signal(int number) { signal_seen = number; }

}  // namespace

void notice_interrupts() {
  std::signal(SIGINT, remember_signal);
  std::signal(SIGTERM, remember_signal);
}

void notice_hangups() { std::signal(SIGHUP, remember_hangup); }

bool hung_up() {
  const bool seen = hangup_seen != 0;
  hangup_seen = 0;
  return seen;
}

bool interrupted() { return signal_seen != 0; }

void end_interrupted() {
  const int number = signal_seen;
  std::signal(number, SIG_DFL);
  std::raise(number);
  std::abort();  // the signal was blocked
}

}  // namespace ebb::cli
