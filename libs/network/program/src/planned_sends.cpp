// SPDX-License-Identifier: Apache-2.0
//
// What a rank knows that it will send: when it begins a computation it knows when that ends, and
// which sends wait for nothing else. A network whose links take long to wake is told of them in
// time.
#include "rank_run.hpp"

namespace ebb::program {

// Computations of no length are what collective operations wait for several others with.
void RankRun::plan_sends_after(std::uint32_t operation, TimePoint end, TimePoint now) {
  const Indices later = operations_.after_end(operation);
  for (std::uint32_t i = 0; i < later.size(); ++i) {
    const std::uint32_t next = later[i];
    if (!progress_.waits_for_one(next)) continue;
    const Operation following = operations_[next];
    if (following.kind == Operation::Kind::compute && following.time == Duration{}) {
      plan_sends_after(next, end, now);
    } else if (following.kind == Operation::Kind::send && following.peer < job_.program.ranks() &&
               following.peer != rank_) {
      if (end - now > look_ahead_) {
        events_.push({end - look_ahead_, Event::Kind::plan, next, 0});
      } else {
        planned_.push_back({end, job_.hosts[following.peer]});
      }
    }
  }
}

void RankRun::plan(const Event& event) {
  planned_.push_back({event.at + look_ahead_, job_.hosts[operations_[event.operation].peer]});
}

std::optional<traffic::PlannedMessage> RankRun::next_planned() {
  if (planned_.empty()) return std::nullopt;
  const traffic::PlannedMessage planned = planned_.front();
  planned_.pop_front();
  return planned;
}

}  // namespace ebb::program
