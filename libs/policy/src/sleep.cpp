// SPDX-License-Identifier: Apache-2.0
#include "sleep.hpp"

#include <chrono>
#include <unordered_set>

namespace ebb::policy::sleep {
namespace {

class SleepPolicy final : public Policy {
 public:
  explicit SleepPolicy(const Parameters& parameters)
      : idle_(parameters.duration("idle")), period_(parameters.duration("period")) {}

  [[nodiscard]] Duration sample_period() const override { return period_; }

  [[nodiscard]] std::vector<Action> decide(const Sample& sample) override {
    std::vector<Action> actions;
    for (const ChannelSample& channel : sample.channels) {
      if (channel.state.changing || !armed_.insert(channel.id).second) continue;
      actions.push_back({channel.id, SleepWhenIdle{.idle = idle_, .wake = bytes(1)}});
    }
    return actions;
  }

  void learn(const Outcome& outcome) override {
    if (outcome.reason == Reason::changing) armed_.erase(outcome.asked.channel);
  }

 private:
  Duration idle_;
  Duration period_;
  std::unordered_set<ChannelId> armed_;  // never iterated: its order reaches nothing
};

std::unique_ptr<Policy> make(const Parameters& parameters) {
  return std::make_unique<SleepPolicy>(parameters);
}

}  // namespace

Entry entry() {
  using std::chrono::hours;
  using std::chrono::nanoseconds;
  const Range<Duration> spans{nanoseconds(1), hours(1)};
  return {.name = "sleep",
          .summary = "a channel sleeps after an idle time and wakes with the first packet",
          .parameters = {{"idle", spans, "10us", "idle time after which a channel sleeps"},
                         {"period", spans, "1ms", "how often to look for channels not armed yet"}},
          .make = make};
}

}  // namespace ebb::policy::sleep
