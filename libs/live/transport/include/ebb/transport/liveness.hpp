// SPDX-License-Identifier: Apache-2.0
//
// Notices a peer that is silent: after `quiet` it is asked, and `answer` later it is called dead. A
// timer that is set again when it fires, not with each message that comes.
#pragma once

#include "ebb/transport/loop.hpp"

#include <optional>

namespace ebb::transport {

struct Patience {
  Milliseconds quiet{2000};
  Milliseconds answer{3000};
};

class Liveness {
 public:
  Liveness(Loop& loop, Patience patience, Loop::Task ask, Loop::Task dead);
  Liveness(const Liveness&) = delete;
  Liveness& operator=(const Liveness&) = delete;
  ~Liveness() { stop(); }

  void start();
  void stop();
  // Whatever the peer said.
  void heard() { heard_ = Clock::now(); }

 private:
  void wait_for_silence();
  void wait_for_answer();

  Loop& loop_;
  Patience patience_;
  Loop::Task ask_;
  Loop::Task dead_;
  Clock::time_point heard_;
  std::optional<Loop::Timer> timer_;
};

}  // namespace ebb::transport
