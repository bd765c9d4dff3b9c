// SPDX-License-Identifier: Apache-2.0
//
// A policy that decides in another thread than the controller: one that somebody else wrote, in a
// language whose interpreter may be busy, may raise an exception, or may never come back. The
// controller waits for a decision for a limited time. After that, or when the other side says that
// it cannot decide, the policy has failed (policy::Policy::failure), and the controller goes on
// without it.
//
//   DecisionQueue queue({.name = "Mine", .sample_period = 500ms, .acts_by = {...}});
//   std::thread controller([&] {
//     run_controller(options, {.make_policy = [&] { return queue.make_policy(); }});
//     queue.close();
//   });
//   while (!queue.is_closed()) {
//     if (auto question = queue.wait(50ms)) queue.answer(*question, decide(question->sample()));
//   }
#pragma once

#include "ebb/policy/policy.hpp"
#include "ebb/units/parameters.hpp"
#include "ebb/units/time.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ebb::runtime {

// What a policy says of itself; as in policy::Policy and policy::Made.
struct PolicyTraits {
  std::string name;
  ParameterTexts parameters;
  Duration sample_period{};
  policy::Abilities acts_by;
  std::optional<Duration> shortest_idle = std::nullopt;
  bool needs_next_hops = false;
};

// A sample to decide upon, with what became of earlier actions.
struct Question {
  std::uint64_t number = 0;
  std::uint64_t session = 0;              // a session needs a policy that has seen no other
  std::vector<policy::Outcome> outcomes;  // since the question before, in their order
  TimePoint at{};
  std::vector<policy::ChannelSample> channels;

  [[nodiscard]] policy::Sample sample() const { return {at, channels}; }
};

class DecisionQueue {
 public:
  // Half of the time after which a standby takes the lease of a controller that says nothing.
  static constexpr std::chrono::milliseconds kLimit{1000};

  explicit DecisionQueue(PolicyTraits traits, std::chrono::milliseconds limit = kLimit)
      : traits_(std::move(traits)), limit_(limit) {}

  // ---- for the thread of the controller

  // A policy that asks this queue, which outlives it.
  [[nodiscard]] policy::Made make_policy();
  // Nothing is asked any more.
  void close();

  // ---- for the thread that decides

  [[nodiscard]] bool is_closed() const;
  // An answer took longer than the controller waits.
  [[nodiscard]] bool given_up() const;
  // Nothing: none came within that time, or none will come.
  [[nodiscard]] std::optional<Question> wait(std::chrono::milliseconds at_most);
  // An answer to a question that is no longer waited for is dropped.
  void answer(const Question& question, std::vector<policy::Action> actions);
  void fail(const Question& question, std::string why);

 private:
  class AskingPolicy;
  struct Failed {
    std::string why;
  };
  using Answer = std::variant<std::vector<policy::Action>, Failed>;

  [[nodiscard]] Answer ask(Question question);
  void give(const Question& question, Answer answer);

  const PolicyTraits traits_;
  const std::chrono::milliseconds limit_;
  mutable std::mutex mutex_;
  std::condition_variable asked_;
  std::condition_variable answered_;
  std::optional<Question> question_;  // not taken yet
  std::uint64_t waits_for_ = 0;       // the number of a question; 0: none
  std::optional<Answer> answer_;
  std::uint64_t questions_ = 0;
  std::uint64_t sessions_ = 0;
  bool given_up_ = false;
  bool closed_ = false;
};

}  // namespace ebb::runtime
