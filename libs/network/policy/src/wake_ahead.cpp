// SPDX-License-Identifier: Apache-2.0
//
// Channels sleep whenever they are idle, as with on-demand, and hosts announce their messages: the
// channels of a way wake together instead of one after the other, so that a message waits for one
// waking and not for one at every hop. In networks on a chip the idea is known as power punch
// (Chen, Zhu, Pedram and Pinkston, "Power Punch: Towards Non-blocking Power-gating of NoC Routers",
// HPCA 2015).
//
// `wake-ahead` announces messages that are there. `scheduled` also announces what the program of a
// host will send after a computation that it has begun, so that a message need not wait at all: the
// most that any prediction of the traffic can reach.
#include "building_blocks.hpp"
#include "policies.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

namespace ebb::policy {
namespace {

class Announced final : public ArmOnce {
 public:
  Announced(const Parameters& parameters, bool planned)
      : ArmOnce(parameters.duration("period")),
        low_power_{.idle = parameters.duration("idle")},
        trigger_{.hold = parameters.duration("hold"), .planned = planned} {}

  [[nodiscard]] Abilities acts_by() const override {
    return {trigger_.planned ? Ability::wake_when_planned : Ability::wake_when_announced};
  }
  [[nodiscard]] std::optional<Duration> shortest_idle() const override { return low_power_.idle; }
  [[nodiscard]] std::unique_ptr<Policy> copy_for_part() const override {
    return std::make_unique<Announced>(*this);
  }

 private:
  void arm(const ChannelSample& channel, std::vector<Action>& actions) const override {
    low_power_.arm(channel, actions);
    actions.push_back({channel.id, trigger_});
  }

  LowPower low_power_;  // unannounced messages wake channels by their queues
  WakeWhenAnnounced trigger_;
};

std::vector<Parameter> announced_parameters() {
  using std::chrono::hours;
  using std::chrono::nanoseconds;
  const Range<Duration> spans{nanoseconds(1), hours(1)};
  return {{"idle", spans, "1ns", "idle time after which a channel sleeps"},
          {"hold", Range<Duration>{Duration{}, hours(1)}, "500ns",
           "how much later than expected a message may come and find it awake"},
          {"period", spans, "1ms", "how often to look for channels not armed yet"}};
}

}  // namespace

Entry wake_ahead::entry() {
  return {.name = "wake-ahead",
          .summary = "on-demand, with messages announced so that their way wakes at once",
          .parameters = announced_parameters(),
          .make = [](const Parameters& parameters) -> std::unique_ptr<Policy> {
            return std::make_unique<Announced>(parameters, false);
          }};
}

Entry scheduled::entry() {
  return {.name = "scheduled",
          .summary = "wake-ahead, with what programs will send announced before it is there",
          .parameters = announced_parameters(),
          .make = [](const Parameters& parameters) -> std::unique_ptr<Policy> {
            return std::make_unique<Announced>(parameters, true);
          }};
}

}  // namespace ebb::policy
