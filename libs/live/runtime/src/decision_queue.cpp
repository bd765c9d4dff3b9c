// SPDX-License-Identifier: Apache-2.0
#include "ebb/runtime/decision_queue.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

namespace ebb::runtime {

class DecisionQueue::AskingPolicy final : public policy::Policy {
 public:
  AskingPolicy(DecisionQueue& queue, std::uint64_t session) : queue_(queue), session_(session) {}

  [[nodiscard]] Duration sample_period() const override { return queue_.traits_.sample_period; }
  [[nodiscard]] policy::Abilities acts_by() const override { return queue_.traits_.acts_by; }
  [[nodiscard]] std::optional<Duration> shortest_idle() const override {
    return queue_.traits_.shortest_idle;
  }
  [[nodiscard]] bool needs_next_hops() const override { return queue_.traits_.needs_next_hops; }
  [[nodiscard]] std::vector<policy::Action> decide(const policy::Sample& sample) override {
    if (failure_) return {};
    Answer answer = queue_.ask({.session = session_,
                                .outcomes = std::exchange(outcomes_, {}),
                                .at = sample.at,
                                .channels = {sample.channels.begin(), sample.channels.end()}});
    if (auto* const failed = std::get_if<Failed>(&answer)) {
      failure_ = std::move(failed->why);
      return {};
    }
    return std::get<std::vector<policy::Action>>(std::move(answer));
  }
  // With the next question, so that the controller waits once for each decision.
  void on_outcome(const policy::Outcome& outcome) override { outcomes_.push_back(outcome); }
  [[nodiscard]] std::optional<std::string> failure() const override { return failure_; }

 private:
  DecisionQueue& queue_;
  std::uint64_t session_;
  std::vector<policy::Outcome> outcomes_;
  std::optional<std::string> failure_;
};

policy::Made DecisionQueue::make_policy() {
  const std::lock_guard lock(mutex_);
  return {traits_.name, traits_.parameters, std::make_unique<AskingPolicy>(*this, ++sessions_)};
}

DecisionQueue::Answer DecisionQueue::ask(Question question) {
  std::unique_lock lock(mutex_);
  question.number = waits_for_ = ++questions_;
  question_ = std::move(question);
  answer_.reset();
  asked_.notify_one();
  answered_.wait_for(lock, limit_, [this] { return answer_.has_value(); });
  waits_for_ = 0;
  question_.reset();
  if (answer_) return *std::exchange(answer_, std::nullopt);
  given_up_ = true;
  return Failed{fmt::format("it has not decided within {} ms", limit_.count())};
}

void DecisionQueue::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  asked_.notify_one();
}

bool DecisionQueue::is_closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

bool DecisionQueue::given_up() const {
  const std::lock_guard lock(mutex_);
  return given_up_;
}

std::optional<Question> DecisionQueue::wait(std::chrono::milliseconds at_most) {
  std::unique_lock lock(mutex_);
  asked_.wait_for(lock, at_most, [this] { return question_ || closed_; });
  return std::exchange(question_, std::nullopt);
}

void DecisionQueue::answer(const Question& question, std::vector<policy::Action> actions) {
  give(question, std::move(actions));
}

void DecisionQueue::fail(const Question& question, std::string why) {
  give(question, Failed{std::move(why)});
}

void DecisionQueue::give(const Question& question, Answer answer) {
  const std::lock_guard lock(mutex_);
  if (question.number != waits_for_) return;
  answer_ = std::move(answer);
  answered_.notify_one();
}

}  // namespace ebb::runtime
