// SPDX-License-Identifier: Apache-2.0
//
// Those who perform the runs of a sweep: threads of this process, other ranks, or both. One thread,
// the caller's, hands out the runs and takes what they gave.
#pragma once

#include "ebb/sweep/perform.hpp"

#include <chrono>
#include <cstddef>
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
  [[nodiscard]] virtual std::optional<Finished> finished(std::chrono::milliseconds patience) = 0;
};

using Perform = std::function<Finished(std::size_t which)>;

// Ends with the runs under way when it is destroyed.
[[nodiscard]] std::unique_ptr<Workers> thread_workers(std::size_t threads, Perform perform);

// All of them together.
[[nodiscard]] std::unique_ptr<Workers> all_of(std::vector<std::unique_ptr<Workers>> groups);

// Either answers whether to go on; if not, nothing further is begun, and the runs under way are
// waited for. `tick` comes several times a second, with the number of runs under way.
using Take = std::function<bool(const Finished&)>;
using Tick = std::function<bool(std::size_t running)>;
void hand_out(std::span<const std::size_t> runs, Workers& workers, const Take& take,
              const Tick& tick);

}  // namespace ebb::sweep
