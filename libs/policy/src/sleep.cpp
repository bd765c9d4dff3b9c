// SPDX-License-Identifier: Apache-2.0
#include "sleep.hpp"

#include "arm_once.hpp"

#include <chrono>
#include <memory>
#include <vector>

namespace ebb::policy::sleep {
namespace {

class SleepPolicy final : public ArmOnce {
 public:
  explicit SleepPolicy(const Parameters& parameters)
      : ArmOnce(parameters.duration("period")), idle_(parameters.duration("idle")) {}

 private:
  void arm(const ChannelSample& channel, std::vector<Action>& actions) const override {
    actions.push_back({channel.id, SleepWhenIdle{.idle = idle_, .wake = bytes(1)}});
  }

  Duration idle_;
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
