// SPDX-License-Identifier: Apache-2.0
//
// Parts of one simulation, each on its own thread, in conservative windows: whatever one part does
// to another takes at least the lookahead, so all parts can run from the earliest pending event up
// to that plus the lookahead without hearing of each other; then they exchange batches. Parts order
// their events by event.hpp, so how the work is divided does not show in what they do. Some parts
// may live in other processes, which call run_until with the same ends.
//
//   ThreadTeam team(parts);
//   ConservativeScheduler scheduler(team, lookahead);
//   scheduler.run_until(end, work);
//
// `work` has, for part p of this process:
//   TimePoint next(p)        the time of its earliest event or of the earliest item it has enqueued
//   void receive(p, round)   takes in what was enqueued for p in `round`; p now uses the other one
//   void run(p, end)         handles its events before `end`
// and, called by one thread while no part runs:
//   TimePoint exchange(round, earliest)   exchanges the batches of `round` with other processes;
//                                         gives the earliest time of all parts of all processes
// Rounds alternate between 0 and 1, beginning with 0: the batches of one are read while those of
// the other are written. Between calls of run_until the caller may touch every part, and parts may
// enqueue.
#pragma once

#include "ebb/core/check.hpp"
#include "ebb/des/thread_team.hpp"
#include "ebb/units/time.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ebb::des {

class ConservativeScheduler {
 public:
  // As many parts as the team has members. Parts that exchange batches, here or elsewhere, need a
  // positive lookahead.
  ConservativeScheduler(ThreadTeam& team, Duration lookahead)
      : team_(team), barrier_(team.members()), lookahead_(lookahead), earliest_(team.members()) {
    EBB_CHECK(lookahead > Duration{}, "parts that do not look ahead cannot part");
  }

  // How many there have been.
  [[nodiscard]] std::uint64_t count() const { return count_; }

  template <class Work>
  void run_until(TimePoint end, Work& work) {
    for (std::uint32_t p = 0; p < earliest_.size(); ++p) earliest_[p] = work.next(p);
    begin_round(end, work);
    team_.run([&](std::uint32_t p) {
      work.receive(p, round_ ^ 1U);
      while (!done_) {
        work.run(p, window_end_);
        earliest_[p] = work.next(p);
        barrier_.wait([&] { begin_round(end, work); });
        work.receive(p, round_ ^ 1U);
      }
    });
  }

 private:
  template <class Work>
  void begin_round(TimePoint end, Work& work) {
    const TimePoint first =
        work.exchange(round_, *std::min_element(earliest_.begin(), earliest_.end()));
    done_ = first >= end;
    if (!done_) {
      window_end_ = end - first > lookahead_ ? first + lookahead_ : end;
      ++count_;
    }
    round_ ^= 1U;
  }

  ThreadTeam& team_;
  SpinBarrier barrier_;
  const Duration lookahead_;
  std::vector<TimePoint> earliest_;
  TimePoint window_end_{};
  std::uint64_t count_ = 0;
  std::uint32_t round_ = 0;
  bool done_ = false;
};

}  // namespace ebb::des
