// SPDX-License-Identifier: Apache-2.0
//
// One rank at work on its host: what happens there in which order, by local times. What happens at
// the same time happens in the order of Event, which does not depend on when it became known.
#pragma once

#include "ebb/program/job.hpp"
#include "ebb/program/progress.hpp"

#include <absl/container/flat_hash_map.h>
#include <compare>
#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <vector>

namespace ebb::program {

inline constexpr std::uint32_t kMostOperations = 0x3fff'ffff;  // of a rank, so that a number fits

// Why something began when it did: the job began, an operation ended, one started, or the CPU was
// done with one.
class Cause {
 public:
  enum class Kind : std::uint8_t { job_start, end_of, start_of, cpu_of };

  Cause() = default;
  Cause(Kind kind, std::uint32_t operation)
      : bits_(4 * operation + static_cast<std::uint32_t>(kind)) {}

  [[nodiscard]] Kind kind() const { return static_cast<Kind>(bits_ % 4); }
  [[nodiscard]] std::uint32_t operation() const { return bits_ / 4; }
  auto operator<=>(const Cause&) const = default;

 private:
  std::uint32_t bits_ = 0;  // the job began
};

// What is kept of every operation until the end, for the critical path.
struct OperationRecord {
  TimePoint end{};
  Cause started_by;
  // Of a receive: the send of its message, and whether the message, or the request for it, came
  // after the receive was posted.
  std::uint32_t came_later : 1 = 0;
  std::uint32_t send : 30 = 0;
};
static_assert(sizeof(OperationRecord) == 16);

class RankRun {
 public:
  // All must outlive it. Without an observer nobody is told what it does.
  RankRun(const Job& job, std::uint32_t rank, const HostCosts& costs,
          traffic::HostObserver* observer);

  // From another rank of the job.
  void delivered(std::uint32_t source_rank, std::uint32_t number, TimePoint at);
  [[nodiscard]] TimePoint advance(TimePoint now);
  [[nodiscard]] std::optional<traffic::Message> next();

  // planned_sends.cpp: what it will send.
  void look_ahead(Duration time) { look_ahead_ = time; }
  [[nodiscard]] std::optional<traffic::PlannedMessage> next_planned();

  [[nodiscard]] const RankTimes& times() const { return times_; }
  [[nodiscard]] std::uint32_t rank() const { return rank_; }
  [[nodiscard]] const Job& job() const { return job_; }
  // The operation that has waited for a message for longest, and how many are left.
  [[nodiscard]] std::optional<std::uint32_t> waits() const;
  [[nodiscard]] std::uint32_t left() const { return progress_.left(); }
  // Nothing happens before a message arrives.
  [[nodiscard]] bool only_waits() const { return events_.empty() && created_.empty(); }

  // path.cpp: the end of the operation that ended last, and what was before a moment.
  [[nodiscard]] std::optional<Moment> last() const;
  [[nodiscard]] PathStep step_back(const Moment& moment) const;

 private:
  struct Event {
    enum class Kind : std::uint8_t { arrival, ended, create, ready, take, plan };

    TimePoint at{};
    Kind kind = Kind::ready;
    std::uint32_t operation = 0;  // of this rank; of an arrival: the number of the message
    // Of an arrival: its source; of a message to create: its envelope; of one that is planned: 0.
    std::uint32_t other = 0;
    Cause cause = {};  // of an operation that is ready or a message that is taken

    auto operator<=>(const Event&) const = default;
  };
  void take(const Event& event);
  void arrive(const Event& event);
  void begin(const Event& event);
  void begin_send(const Event& event, const Operation& operation);
  void post(const Event& event, const Operation& operation);
  // A message, or the request for one, has met its receive.
  void matched(std::uint32_t receive, std::uint32_t source, std::uint32_t number, TimePoint at);
  void take_message(const Event& event);
  void create(const Event& event);
  void send(std::uint32_t to_rank, DataSize size, Envelope envelope, std::uint32_t send,
            TimePoint at);
  void end(std::uint32_t operation, TimePoint at);
  void make_ready(TimePoint at, Cause cause);
  // Whether the CPU is free; if not, the event comes again when it is.
  [[nodiscard]] bool has_free_cpu(const Event& event, std::uint8_t cpu);
  void occupy(std::uint8_t cpu, const Event& event, Duration time);

  // planned_sends.cpp
  void plan_sends_after(std::uint32_t operation, TimePoint end, TimePoint now);
  void plan(const Event& event);

  // path.cpp
  [[nodiscard]] TimePoint start_of(std::uint32_t operation) const;
  [[nodiscard]] std::uint32_t source_of(std::uint32_t receive) const;
  [[nodiscard]] PathStep before_end(const Moment& moment) const;
  [[nodiscard]] PathStep before_receive_end(std::uint32_t receive, TimePoint at) const;
  [[nodiscard]] PathStep before_start(std::uint32_t operation) const;
  [[nodiscard]] PathStep follow(Cause cause) const;
  [[nodiscard]] PathStep before_data(const Moment& moment) const;
  [[nodiscard]] PathStep before_answer(const Moment& moment) const;
  [[nodiscard]] PathStep before_request(const Moment& moment) const;
  [[nodiscard]] bool is_eager(const Operation& operation) const {
    return operation.size <= costs_.rendezvous_above;
  }

  const Job& job_;
  std::uint32_t rank_;
  const HostCosts& costs_;
  traffic::HostObserver* observer_;
  RankOperations operations_;
  RankProgress progress_;
  Mailbox mailbox_;
  absl::flat_hash_map<std::uint64_t, std::uint32_t> answered_;  // receive, by (source, send)
  struct Cpu {
    TimePoint free{};
    std::uint32_t last = 0;  // operation
  };
  std::vector<Cpu> cpus_;
  TimePoint busy_until_{};  // the latest of them
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::deque<traffic::Message> created_;
  Duration look_ahead_{};  // none: sends are not planned
  std::deque<traffic::PlannedMessage> planned_;
  std::vector<std::uint32_t> ready_;
  RankTimes times_;
  std::vector<OperationRecord> records_;                       // by operation
  absl::flat_hash_map<std::uint32_t, std::uint32_t> sources_;  // of receives from any rank
  absl::flat_hash_map<std::uint32_t, Cause> taken_after_;      // receives that waited for a CPU
};

}  // namespace ebb::program
