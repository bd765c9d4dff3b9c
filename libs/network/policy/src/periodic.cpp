// SPDX-License-Identifier: Apache-2.0
//
// Jobs that iterate use the network in phases that come back. Each channel learns from samples how
// far apart the beginnings of its phases are,
//
//   period = start of this phase - start of the phase before,
//
// and when two periods in a row have differed by at most `tolerance`, it is woken `ahead` of the
// next start and waits for it as long again. Where the phase does not come, or comes earlier, the
// channel is one that sleeps on demand until two periods agree again.
#include "building_blocks.hpp"
#include "policies.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

namespace ebb::policy::periodic {
namespace {

class Periodic final : public Policy {
 public:
  explicit Periodic(const Parameters& parameters)
      : ahead_(parameters.duration("ahead")),
        quiet_(parameters.duration("quiet")),
        idle_(parameters.duration("idle")),
        tolerance_(parameters.ratio("tolerance")),
        period_(parameters.duration("period")) {}

  [[nodiscard]] Duration sample_period() const override { return period_; }
  [[nodiscard]] Abilities acts_by() const override { return {Ability::sleep_when_idle}; }
  [[nodiscard]] std::optional<Duration> shortest_idle() const override { return idle_; }
  [[nodiscard]] std::unique_ptr<Policy> copy_for_part() const override {
    return std::make_unique<Periodic>(*this);
  }

  [[nodiscard]] std::vector<Action> decide(const Sample& sample) override {
    std::vector<Action> actions;
    for (const ChannelSample& channel : sample.channels) {
      Known& known = known_[channel.id];
      learn(known, channel, sample.at);
      if (channel.state.changing) continue;
      arm(known, channel, awaits(known, sample.at), actions);
    }
    return actions;
  }

  void on_outcome(const Outcome& outcome) override {
    if (outcome.reason == Reason::changing) known_[outcome.asked.channel].armed = Arming::none;
  }

 private:
  enum class Arming : std::uint8_t { none, on_demand, awaiting };
  struct Known {
    TimePoint last_busy{};  // the end of the last window with traffic
    std::optional<TimePoint> start;
    Duration between{};       // the last two starts
    bool is_regular = false;  // it was as long as the one before
    Arming armed = Arming::none;
  };

  // A phase begins with traffic after a quiet time.
  void learn(Known& known, const ChannelSample& channel, TimePoint now) const {
    if (channel.busy == Duration{} && channel.queued == DataSize{}) return;
    const TimePoint begin = now - channel.window;
    if (!known.start || begin - known.last_busy >= quiet_) {
      const Duration between = known.start ? begin - *known.start : Duration{};
      known.is_regular = between > Duration{} && is_close(between, known.between);
      known.between = between;
      known.start = begin;
    }
    known.last_busy = now;
  }

  [[nodiscard]] bool is_close(Duration a, Duration b) const {
    const Int128 apart = a > b ? (a - b).count() : (b - a).count();
    return apart * tolerance_.den() <= static_cast<Int128>(b.count()) * tolerance_.num();
  }

  // Whether the next phase is near, or should have begun just now.
  [[nodiscard]] bool awaits(const Known& known, TimePoint now) const {
    if (!known.is_regular) return false;
    const TimePoint next = *known.start + known.between;
    return now + period_ >= next - ahead_ && now < next + ahead_;
  }

  void arm(Known& known, const ChannelSample& channel, bool awaits,
           std::vector<Action>& actions) const {
    const Arming wanted = awaits ? Arming::awaiting : Arming::on_demand;
    if (known.armed == wanted) return;
    known.armed = wanted;
    LowPower{.idle = awaits ? 2 * ahead_ + period_ : idle_}.arm(channel, actions);
    if (awaits && channel.state.mode == Mode::asleep) actions.push_back({channel.id, Wake{}});
  }

  Duration ahead_;
  Duration quiet_;
  Duration idle_;
  Ratio tolerance_;
  Duration period_;
  ByChannel<Known> known_;
};

}  // namespace

Entry entry() {
  using std::chrono::hours;
  using std::chrono::nanoseconds;
  const Range<Duration> spans{nanoseconds(1), hours(1)};
  return {.name = "periodic",
          .summary = "learns when phases of traffic come back and wakes channels before them",
          .parameters = {{"ahead", spans, "10us",
                          "how long before a phase a channel is woken: at least its wake time"},
                         {"quiet", spans, "100us", "without traffic, before the next is a phase"},
                         {"tolerance", Range<Ratio>{Ratio(1, 1000), Ratio(1, 1)}, "5%",
                          "by which two periods may differ"},
                         {"idle", spans, "1us", "idle time after which a channel sleeps"},
                         {"period", spans, "10us", "time between two samples"}},
          .make = [](const Parameters& parameters) -> std::unique_ptr<Policy> {
            return std::make_unique<Periodic>(parameters);
          }};
}

}  // namespace ebb::policy::periodic
