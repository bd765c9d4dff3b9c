// SPDX-License-Identifier: Apache-2.0
//
// Jobs: programs on the hosts of a network, one rank on a host. A rank goes on by what the network
// delivers to its host, so a slow network makes a long job.
//
//   Jobs jobs(hosts, {{program, {0, 1, 2, 3}}}, {});
//   Network network(config, jobs, observer);
//   network.run_until_idle();
//   if (const Errors errors = jobs.stalled(); !errors.empty()) ...
//   jobs.ranks(0)[2].end;  // of rank 2
//
// A CPU does one thing at a time: it computes, hands a message over to the network card for
// `send_overhead`, or takes one from it for `receive_overhead`. A send of at most
// `rendezvous_above` has ended when it has begun. Before a longer one a request goes to the
// receiver, which answers it when the receive is posted; the send ends when the answer is there,
// and then the data goes. Requests, answers and messages of 0 bytes have `control_size`.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/program/critical_path.hpp"
#include "ebb/program/program.hpp"
#include "ebb/traffic/message.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ebb::program {

struct HostCosts {
  Duration send_overhead{};
  Duration receive_overhead{};
  DataSize rendezvous_above = bytes(65'535);
  DataSize control_size = bytes(64);  // at most a packet

  bool operator==(const HostCosts&) const = default;
};

struct Job {
  const Program& program;
  std::vector<std::uint32_t> hosts;  // by rank; no host twice, in no two jobs
  TimePoint start{};
  std::string name = {};
};

// What became of a rank.
struct RankTimes {
  TimePoint end{};  // of its last operation, if it is done
  Duration computing{};
  Duration overhead{};     // of its sends and receives
  Duration busy{};         // some CPU of it computed, sent or received
  DataSize sent_data{};    // as sent holds them
  std::uint64_t sent = 0;  // messages, requests and answers included
  bool is_done = false;

  bool operator==(const RankTimes&) const = default;
};

class RankRun;

class Jobs final : public traffic::MessageSource, public traffic::ClosedLoop {
 public:
  // Programs must outlive it. Sends to ranks that do not exist cost what others cost, and go
  // nowhere.
  Jobs(std::uint32_t hosts, std::vector<Job> jobs, const HostCosts& costs);
  ~Jobs() override;

  // What is wrong with where jobs are; empty when nothing is.
  [[nodiscard]] static Errors validate(std::uint32_t hosts, const std::vector<Job>& jobs);

  [[nodiscard]] std::optional<traffic::Message> next(std::uint32_t host) override;
  [[nodiscard]] traffic::ClosedLoop* closed_loop() override { return this; }
  void delivered(std::uint32_t source, std::uint32_t destination, std::uint32_t number,
                 TimePoint at) override;
  [[nodiscard]] TimePoint advance(std::uint32_t host, TimePoint now) override;
  void look_ahead(std::uint32_t host, Duration time) override;
  [[nodiscard]] std::optional<traffic::PlannedMessage> next_planned(std::uint32_t host) override;
  void observe(traffic::HostObserver* observer) override { observer_ = observer; }
  [[nodiscard]] std::string name_of(std::uint32_t host) const override;

  [[nodiscard]] const std::vector<Job>& jobs() const { return jobs_; }
  // Of a job, by rank. Where a network is divided among processes, those of other processes are as
  // they were in the beginning, here and below.
  [[nodiscard]] std::vector<RankTimes> ranks(std::size_t job) const;
  // Whether the rank is one of this process.
  [[nodiscard]] bool is_here(std::size_t job, std::uint32_t rank) const {
    return run_of(job, rank) != nullptr;
  }
  // The end of what its ranks have done so far.
  [[nodiscard]] TimePoint latest_end(std::size_t job) const;
  // Ranks of a job that are done.
  [[nodiscard]] std::uint32_t done(std::size_t job) const;
  // No rank does anything before it is sent something.
  [[nodiscard]] bool all_wait() const;
  // After a run: ranks that are not done and wait for a message, the first ten of them.
  [[nodiscard]] Errors stalled() const;

  // The end of the last operation of a job that is done; none without operations.
  [[nodiscard]] std::optional<Moment> last(std::size_t job) const;
  // What made a job as long as it is, from its end on backwards, one step for each call, until the
  // start of the job. Nothing when the rank of the moment is of another process.
  [[nodiscard]] std::optional<PathStep> step_back(std::size_t job, const Moment& moment) const;

 private:
  struct Place {
    std::uint32_t job = 0;
    std::uint32_t rank = 0;
  };
  [[nodiscard]] RankRun* run_on(std::uint32_t host);
  [[nodiscard]] const RankRun* run_of(std::size_t job, std::uint32_t rank) const;

  std::vector<Job> jobs_;
  HostCosts costs_;
  traffic::HostObserver* observer_ = nullptr;  // before the first host begins
  std::vector<std::optional<Place>> places_;   // by host
  // Made when a host begins; none on hosts without a rank and on those of other processes.
  std::vector<std::unique_ptr<RankRun>> of_host_;
};

}  // namespace ebb::program
