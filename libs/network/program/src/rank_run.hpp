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

// What a message between ranks is; its number says that and the operation of the sending rank that
// it belongs to.
enum class Envelope : std::uint8_t { data, request, answer };

inline constexpr std::uint32_t kMostOperations = 0x3fff'ffff;  // of a rank, so that a number fits

[[nodiscard]] constexpr std::uint32_t number_of(Envelope envelope, std::uint32_t send) {
  return 4 * send + static_cast<std::uint32_t>(envelope);
}

class RankRun {
 public:
  // `job` and `costs` must outlive it.
  RankRun(const Job& job, std::uint32_t rank, const HostCosts& costs);

  // From another rank of the job.
  void delivered(std::uint32_t source_rank, std::uint32_t number, TimePoint at);
  [[nodiscard]] TimePoint advance(TimePoint now);
  [[nodiscard]] std::optional<traffic::Message> next();

  [[nodiscard]] const RankTimes& times() const { return times_; }
  [[nodiscard]] std::uint32_t rank() const { return rank_; }
  [[nodiscard]] const Job& job() const { return job_; }
  // The operation that has waited for a message for longest, and how many are left.
  [[nodiscard]] std::optional<std::uint32_t> waits() const;
  [[nodiscard]] std::uint32_t left() const { return progress_.left(); }

 private:
  struct Event {
    enum class Kind : std::uint8_t { arrival, ended, create, ready, take };

    TimePoint at{};
    Kind kind = Kind::ready;
    std::uint32_t operation = 0;  // of this rank; of an arrival: the number of the message
    std::uint32_t other = 0;      // of an arrival: its source; of a message to create: its envelope

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
  void make_ready(TimePoint at);
  // The CPU when it is free; otherwise nothing, and the event comes again then.
  [[nodiscard]] TimePoint* free_cpu(const Event& event, std::uint8_t cpu);
  [[nodiscard]] bool is_eager(const Operation& operation) const {
    return operation.size <= costs_.rendezvous_above;
  }

  const Job& job_;
  std::uint32_t rank_;
  const HostCosts& costs_;
  RankOperations operations_;
  RankProgress progress_;
  Mailbox mailbox_;
  absl::flat_hash_map<std::uint64_t, std::uint32_t> answered_;  // receive, by (source, send)
  std::vector<TimePoint> cpu_free_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::deque<traffic::Message> created_;
  std::vector<std::uint32_t> ready_;
  RankTimes times_;
};

}  // namespace ebb::program
