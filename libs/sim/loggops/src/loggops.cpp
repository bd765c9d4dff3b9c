// SPDX-License-Identifier: Apache-2.0
#include "ebb/loggops/loggops.hpp"

#include "ebb/program/progress.hpp"
#include "ebb/units/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <utility>

namespace ebb::loggops {
namespace {

using program::Operation;

// Ranks of a stalled program that are named.
constexpr std::size_t kMostNamed = 10;
// A run that lasts longer is refused. What is added to a time at once is shorter than what is left
// of a Duration then, so that no sum overflows.
constexpr Duration kLongestRun = Duration::max() / 2;
constexpr Duration kLongestStep = Duration::max() / 8;

struct Message {
  std::uint32_t source = 0;
  std::uint32_t send = 0;  // the operation of the source
  std::uint32_t tag = 0;
  DataSize size{};
};

// An operation that may start, or a message that is there. One that has to wait comes again when
// what it waits for is free, with its first turn: who came first is served first.
struct Event {
  enum class Kind : std::uint8_t { operation, message, taken };

  Duration at{};
  std::uint64_t turn = 0;
  Kind kind = Kind::operation;
  std::uint32_t rank = 0;
  std::uint32_t what = 0;     // the operation, or the message
  std::uint32_t receive = 0;  // of a message that a receive has taken

  bool operator>(const Event& other) const {
    return std::pair(at, turn) > std::pair(other.at, other.turn);
  }
};

struct Rank {
  explicit Rank(const program::RankOperations& all) : operations(all), progress(all) {}

  program::RankOperations operations;
  program::RankProgress progress;
  program::Mailbox mailbox;
  std::vector<Duration> cpu_free;
  std::vector<Duration> nic_sends;     // when it may send again
  std::vector<Duration> nic_receives;  // and receive
  Duration end{};
};

Duration& slot(std::vector<Duration>& times, std::uint8_t which) {
  if (times.size() <= which) times.resize(which + std::size_t{1});
  return times[which];
}

class Run {
 public:
  Run(const program::Program& program, const Parameters& parameters)
      : program_(program), parameters_(parameters) {}

  Result<Times> run() {
    for (std::uint32_t which = 0; which < program_.ranks(); ++which) {
      ranks_.emplace_back(program_.rank(which));
      ranks_.back().progress.begin(ready_);
      start_ready(which, Duration());
    }
    while (!events_.empty() && !too_long_) {
      const Event event = events_.top();
      events_.pop();
      too_long_ = event.at > kLongestRun;
      if (!too_long_) take(event);
    }
    if (too_long_)
      return fail("the program runs for more than 53 days in the LogGOPS model", {program_.name()});
    if (Errors errors = stalled(); !errors.empty()) return fail(std::move(errors));
    return times();
  }

 private:
  // Bytes after the first, each of which takes so long.
  Duration of_bytes(DataSize size, Duration each) {
    const std::int64_t more = std::max<std::int64_t>(size.count() / 8 - 1, 0);
    const auto picoseconds = Int128{more} * each.count();
    too_long_ = too_long_ || picoseconds > kLongestStep.count();
    return too_long_ ? Duration() : Duration(static_cast<std::int64_t>(picoseconds));
  }

  void start_ready(std::uint32_t rank, Duration at) {
    for (const std::uint32_t operation : ready_)
      events_.push({at, turn_++, Event::Kind::operation, rank, operation, 0});
    ready_.clear();
  }

  void again(Event event, Duration at) {
    event.at = at;
    events_.push(event);
  }

  void started(Rank& rank, const Event& event) {
    rank.progress.started(event.what, ready_);
    start_ready(event.rank, event.at);
  }

  void ended(std::uint32_t which, std::uint32_t operation, Duration at) {
    ranks_[which].progress.ended(operation, ready_);
    start_ready(which, at);
  }

  void busy(Rank& rank, std::uint8_t cpu, Duration until) {
    slot(rank.cpu_free, cpu) = until;
    rank.end = std::max(rank.end, until);
  }

  void take(const Event& event) {
    switch (event.kind) {
      case Event::Kind::message:
        return arrive(event);
      case Event::Kind::taken:
        return receive(event);
      case Event::Kind::operation:
        break;
    }
    Rank& rank = ranks_[event.rank];
    const Operation operation = rank.operations[event.what];
    switch (operation.kind) {
      case Operation::Kind::send:
        return send(event, rank, operation);
      case Operation::Kind::receive:
        return post(event, rank, operation);
      case Operation::Kind::compute:
        return compute(event, rank, operation);
    }
  }

  void compute(const Event& event, Rank& rank, const Operation& operation) {
    const Duration free = slot(rank.cpu_free, operation.cpu);
    if (free > event.at) return again(event, free);
    started(rank, event);
    busy(rank, operation.cpu, event.at + operation.time);
    ended(event.rank, event.what, event.at + operation.time);
  }

  void send(const Event& event, Rank& rank, const Operation& operation) {
    const Duration free =
        std::max(slot(rank.cpu_free, operation.cpu), slot(rank.nic_sends, operation.nic));
    if (free > event.at) return again(event, free);
    const DataSize size = operation.size;
    const Duration on_nic = of_bytes(size, parameters_.gap_per_byte);
    const Duration on_cpu = of_bytes(size, parameters_.overhead_per_byte);
    started(rank, event);
    busy(rank, operation.cpu, event.at + parameters_.overhead + on_cpu);
    slot(rank.nic_sends, operation.nic) = event.at + parameters_.gap + on_nic;
    const bool goes_nowhere = operation.peer >= program_.ranks();
    if (goes_nowhere || size <= parameters_.rendezvous_above)
      ended(event.rank, event.what, event.at);
    if (goes_nowhere) return;
    events_.push({event.at + parameters_.overhead + parameters_.latency, turn_++,
                  Event::Kind::message, operation.peer,
                  keep({event.rank, event.what, operation.tag, size}), 0});
  }

  // Its number, until a receive has taken it.
  std::uint32_t keep(const Message& message) {
    ++sent_;
    if (unused_.empty()) {
      messages_.push_back(message);
      return static_cast<std::uint32_t>(messages_.size() - 1);
    }
    const std::uint32_t number = unused_.back();
    unused_.pop_back();
    messages_[number] = message;
    return number;
  }

  void post(const Event& event, Rank& rank, const Operation& operation) {
    started(rank, event);
    const auto message = rank.mailbox.post(operation.peer, operation.tag, event.what);
    if (message)
      receive({event.at, turn_++, Event::Kind::taken, event.rank, message->message, event.what});
  }

  void arrive(const Event& event) {
    const Message& message = messages_[event.what];
    const auto taken = ranks_[event.rank].mailbox.arrive(message.source, message.tag, event.what);
    if (taken) receive({event.at, event.turn, Event::Kind::taken, event.rank, event.what, *taken});
  }

  // The message and its receive have met.
  void receive(const Event& event) {
    Rank& rank = ranks_[event.rank];
    const Operation operation = rank.operations[event.receive];
    const Duration free =
        std::max(slot(rank.cpu_free, operation.cpu), slot(rank.nic_receives, operation.nic));
    if (free > event.at) return again(event, free);
    const Message message = messages_[event.what];
    unused_.push_back(event.what);
    const Duration on_nic = of_bytes(message.size, parameters_.gap_per_byte);
    const Duration on_cpu =
        of_bytes(message.size, std::max(parameters_.overhead_per_byte, parameters_.gap_per_byte));
    const Duration end = event.at + parameters_.overhead + on_cpu;
    busy(rank, operation.cpu, end);
    slot(rank.nic_receives, operation.nic) = event.at + parameters_.gap + on_nic;
    if (message.size > parameters_.rendezvous_above) ended(message.source, message.send, event.at);
    ended(event.rank, event.receive, end);
  }

  [[nodiscard]] Errors stalled() const {
    Errors errors;
    std::uint32_t more = 0;
    for (std::uint32_t which = 0; which < ranks_.size(); ++which) {
      const Rank& rank = ranks_[which];
      if (rank.progress.is_done()) continue;
      const auto waiting = rank.mailbox.waiting();
      if (waiting.empty() || errors.size() >= kMostNamed) {
        ++more;
        continue;
      }
      errors.push_back(program::waits_for(program_, which, waiting.front(), rank.progress.left()));
    }
    if (more > 0) {
      errors.push_back(
          {fmt::format("the program stalls: {} more ranks do not end", more), {program_.name()}});
    }
    return errors;
  }

  [[nodiscard]] Times times() const {
    Times times;
    for (const Rank& rank : ranks_) times.end.push_back(rank.end);
    for (const Duration end : times.end) times.last = std::max(times.last, end);
    times.messages = sent_;
    return times;
  }

  const program::Program& program_;
  Parameters parameters_;
  std::vector<Rank> ranks_;
  std::vector<Message> messages_;      // on their way
  std::vector<std::uint32_t> unused_;  // numbers of those that were taken
  std::uint64_t sent_ = 0;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::vector<std::uint32_t> ready_;
  std::uint64_t turn_ = 0;
  bool too_long_ = false;
};

}  // namespace

Result<Times> run(const program::Program& program, const Parameters& parameters) {
  if (std::max({parameters.latency, parameters.overhead, parameters.gap}) > kLongestStep)
    return fail("latency, overhead and gap of LogGOPS are at most 13 days each");
  return Run(program, parameters).run();
}

}  // namespace ebb::loggops
