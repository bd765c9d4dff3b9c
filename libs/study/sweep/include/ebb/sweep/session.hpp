// SPDX-License-Identifier: Apache-2.0
//
// A sweep at work: the runs of a plan that a results file does not have are performed and kept,
// each in a transaction of its own. Other sweeps may write to the same file; each run is done by
// one.
//
//   const Errors errors = perform_missing({plan, store, claims}, *workers, watch);
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/results/store.hpp"
#include "ebb/sweep/claims.hpp"
#include "ebb/sweep/plan.hpp"
#include "ebb/sweep/workers.hpp"

#include <cstddef>
#include <functional>

namespace ebb::sweep {

// How far a sweep is.
struct Progress {
  std::size_t runs = 0;     // of the plan
  std::size_t present = 0;  // that the file had when the sweep began
  std::size_t done = 0;
  std::size_t failed = 0;
  std::size_t found = 0;  // done by another sweep since then
  std::size_t running = 0;

  // That are in the file now.
  [[nodiscard]] std::size_t kept() const { return present + found + done + failed; }
};

// They outlive the sweep.
struct Session {
  const Plan& plan;
  results::Store& store;
  const Claims& claims;
  bool again = false;  // also the runs that failed
};

// Called on the thread of the caller.
struct Watch {
  // Several times a second. False: begin nothing further, and wait for the runs under way.
  std::function<bool(const Progress&)> tick;
  // Once, when another sweep is seen at work on the same file.
  std::function<void()> on_sharing;
};

// Errors are of the results file; a run that fails is a result.
[[nodiscard]] Errors perform_missing(const Session& session, Workers& workers, const Watch& watch);

}  // namespace ebb::sweep
