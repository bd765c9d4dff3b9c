// SPDX-License-Identifier: Apache-2.0
//
// Jobs while they run: when they begin and end, the energy that the network takes meanwhile, and in
// the end their critical paths. All processes of a run make the same calls.
#pragma once

#include "job_collector.hpp"

#include "ebb/mpi/communicator.hpp"
#include "ebb/netsim/experiment.hpp"
#include "ebb/program/job.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace ebb::netsim {

class JobAccounts {
 public:
  // With a collector for each partition of this process.
  JobAccounts(const Experiment& experiment, std::uint32_t partitions);

  [[nodiscard]] JobCollector& collector(std::size_t partition) { return collectors_[partition]; }

  // All that happens up to `now` has happened.
  void advance(TimePoint now);
  [[nodiscard]] bool all_done() const;
  // The ranks of all jobs, and those that were done at the last advance.
  void add_to(Progress& progress) const;
  // No rank of any process does anything before it is sent something.
  [[nodiscard]] bool all_wait() const;
  // Ranks that wait although nothing is under way, one on each line.
  [[nodiscard]] std::vector<std::string> stalled() const;
  // After the last advance. Paths and ranks are complete on the first process alone.
  [[nodiscard]] std::vector<JobReport> finish();

 private:
  struct JobState {
    std::uint32_t ranks_done = 0;
    TimePoint end{};
    bool done = false;
  };
  void look_at_jobs();
  [[nodiscard]] Energy energy_until(TimePoint time);
  void keep_energy(TimePoint time, TimePoint now);
  void share_energy(std::vector<JobReport>& reports) const;
  [[nodiscard]] std::vector<program::RankTimes> ranks_of(std::size_t job) const;
  [[nodiscard]] std::vector<program::PathMessage> walk(std::size_t job, CriticalPath& path) const;
  [[nodiscard]] std::vector<Held> held(std::size_t job,
                                       const std::vector<program::PathMessage>& messages) const;
  [[nodiscard]] CriticalPath critical_path(std::size_t job) const;

  const Experiment& experiment_;
  mpi::Communicator& communicator_;
  const program::Jobs& jobs_;
  const std::vector<std::uint8_t> levels_;  // by link
  std::deque<JobCollector> collectors_;     // by partition
  Power at_full_rate_;                      // of channels and cores
  std::vector<JobState> states_;            // by job
  std::map<TimePoint, Energy> energies_;    // when jobs begin and end
  TimePoint now_{};
};

}  // namespace ebb::netsim
