// SPDX-License-Identifier: Apache-2.0
#include "ebb/agent/backlog.hpp"

namespace ebb::agent {

void Backlog::read(TimePoint now, DataSize waiting, DataRate rate, const Limits& limits) {
  waiting_ = waiting;
  if (waiting > high_mark(limits, rate)) {
    if (polls_above_++ == 0) long_since_ = now;
  } else {
    polls_above_ = 0;
  }
  if (waiting > low_mark(limits, rate)) {
    short_since_.reset();
  } else if (!short_since_) {
    short_since_ = now;
  }
}

}  // namespace ebb::agent
