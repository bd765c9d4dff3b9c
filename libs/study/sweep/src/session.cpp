// SPDX-License-Identifier: Apache-2.0
#include "ebb/sweep/session.hpp"

#include <string>
#include <utility>

namespace ebb::sweep {
namespace {

class Keeper {
 public:
  Keeper(const Session& session, const Watch& watch) : session_(session), watch_(watch) {}

  [[nodiscard]] Errors run(Workers& workers) {
    const auto missing = to_do(session_.plan, session_.store, session_.again);
    if (!missing) return missing.error();
    progress_.runs = session_.plan.runs.size();
    progress_.present = progress_.runs - missing->size();
    dispatch(
        *missing, workers, [&](const Finished& one) { return keep(one); },
        [&](std::size_t running) { return tick(running); },
        [&](std::size_t which) { return turn_of(which); });
    return std::move(errors_);
  }

 private:
  // Another sweep may write to the same file: each run is done by one of them.
  Turn turn_of(std::size_t which) {
    const std::string& key = session_.plan.runs[which].run.key;
    if (!session_.claims.take(key)) {
      tell_of_sharing();
      return Turn::later;
    }
    const auto status = session_.store.status_of(key);
    const bool present =
        status && *status && (!session_.again || **status == results::Status::done);
    if (!present) return Turn::begin;
    session_.claims.give_back(key);
    tell_of_sharing();
    ++progress_.found;
    return Turn::leave_out;
  }

  void tell_of_sharing() {
    if (!std::exchange(told_of_sharing_, true) && watch_.on_sharing) watch_.on_sharing();
  }

  bool keep(const Finished& one) {
    const auto kept = session_.store.put(one.record, one.wall_seconds);
    session_.claims.give_back(session_.plan.runs[one.which].run.key);
    if (!kept) {
      errors_ = kept.error();
      return false;
    }
    ++(one.record.run.status == results::Status::done ? progress_.done : progress_.failed);
    return true;
  }

  bool tick(std::size_t running) {
    progress_.running = running;
    return !watch_.tick || watch_.tick(progress_);
  }

  const Session& session_;
  const Watch& watch_;
  Progress progress_;
  bool told_of_sharing_ = false;
  Errors errors_;
};

}  // namespace

Errors perform_missing(const Session& session, Workers& workers, const Watch& watch) {
  return Keeper(session, watch).run(workers);
}

}  // namespace ebb::sweep
