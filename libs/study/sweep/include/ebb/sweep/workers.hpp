// SPDX-License-Identifier: Apache-2.0
//
// Workers perform the runs of a sweep: threads of this process, other ranks, or both. One thread,
// the caller's, dispatches the runs and takes their results.
#pragma once

#include "ebb/mpi/communicator.hpp"
#include "ebb/sweep/plan.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace ebb::sweep {

class Workers {
 public:
  Workers() = default;
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  virtual ~Workers() = default;

  // How many could begin a run at once.
  [[nodiscard]] virtual std::size_t idle() const = 0;
  // Only while somebody is idle.
  virtual void begin(std::size_t which) = 0;
  // Waits for a run to end, at most so long.
  [[nodiscard]] virtual std::optional<Finished> finished(std::chrono::milliseconds timeout) = 0;
};

using Perform = std::function<Finished(std::size_t which)>;

// Ends with the runs under way when it is destroyed.
[[nodiscard]] std::unique_ptr<Workers> thread_workers(std::size_t threads, Perform perform);

// All groups of workers as one.
[[nodiscard]] std::unique_ptr<Workers> all_of(std::vector<std::unique_ptr<Workers>> groups);

// Either answers whether to go on; if not, nothing further is begun, and the runs under way are
// waited for. `tick` comes several times a second, with the number of runs under way.
using Take = std::function<bool(const Finished&)>;
using Tick = std::function<bool(std::size_t running)>;
// What to do with a run whose turn has come: begin it, leave it out because somebody else has done
// it, or ask again later because somebody else is at it.
enum class Turn : std::uint8_t { begin, leave_out, later };
using Ask = std::function<Turn(std::size_t which)>;
void dispatch(std::span<const std::size_t> runs, Workers& workers, const Take& take,
              const Tick& tick, const Ask& ask = {});

// Other ranks as workers, on rank 0, which dispatches to them one run at a time each. They stop
// serving when it is destroyed.
[[nodiscard]] std::unique_ptr<Workers> rank_workers(const mpi::Communicator& ranks,
                                                    mpi::PointToPoint& post);

// On the other ranks: performs what rank 0 dispatches, until it tells them to stop.
void serve(mpi::PointToPoint& post, const Perform& perform);

}  // namespace ebb::sweep
