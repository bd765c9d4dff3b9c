// SPDX-License-Identifier: Apache-2.0
//
// What several policies are built from: values by channel, utilisation as a whole number, actions
// that keep a rate level, triggers of a low-power state, watermarks.
#pragma once

#include "ebb/policy/action.hpp"
#include "ebb/policy/policy.hpp"
#include "ebb/policy/sample.hpp"
#include "ebb/units/parameters.hpp"
#include "ebb/units/quantity.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace ebb::policy {

// Grows with the numbers that the world gives, page by page: a policy that sees a part of the
// network has memory for that part. Channels not met yet have a T{}.
template <class T>
class ByChannel {
 public:
  [[nodiscard]] T& operator[](ChannelId channel) {
    const std::size_t page = index(channel) / kPage;
    if (page >= pages_.size()) pages_.resize(page + 1);
    if (pages_[page].empty()) pages_[page].resize(kPage);
    return pages_[page][index(channel) % kPage];
  }

 private:
  static constexpr std::size_t kPage = 256;
  std::vector<std::vector<T>> pages_;
};

// As the contract of Policy::decide wants them; those of one channel keep their order.
inline void sort_by_channel(std::vector<Action>& actions) {
  std::stable_sort(actions.begin(), actions.end(),
                   [](const Action& a, const Action& b) { return a.channel < b.channel; });
}

// The share of a window in which a channel was busy, as a whole number: decisions compare and add
// shares without floating point.
inline constexpr std::int64_t kAllBusy = 1 << 16;  // a utilisation of 100 %

// Of kAllBusy, rounded down; 0 in a window of no length.
inline std::int64_t utilisation(const ChannelSample& channel) {
  if (channel.window == Duration{}) return 0;
  return static_cast<std::int64_t>(static_cast<Int128>(kAllBusy) * channel.busy.count() /
                                   channel.window.count());
}

// Rounded in the same way, so that a share of exactly the limit is neither above nor below it.
inline std::int64_t share_of(const Ratio& limit) {
  return static_cast<std::int64_t>(static_cast<Int128>(kAllBusy) * limit.num() / limit.den());
}
inline bool is_above(std::int64_t share, const Ratio& limit) { return share > share_of(limit); }
inline bool is_below(std::int64_t share, const Ratio& limit) { return share < share_of(limit); }

// Brings a channel to one rate level and keeps it there: sets the level, then wakes; nothing for a
// channel that is changing or already there. The rate level is set first so that a sleeping channel
// wakes into it and changes once.
inline void hold_rate_level(const ChannelSample& channel, RateLevel level,
                            std::vector<Action>& actions) {
  if (channel.state.changing) return;
  if (channel.state.rate_level != level) actions.push_back({channel.id, SetRateLevel{level}});
  if (channel.state.mode == Mode::asleep) actions.push_back({channel.id, Wake{}});
}

// When a channel enters its low-power state and leaves it by itself, and the triggers that say so.
struct LowPower {
  bool sleeps = true;  // or slows down to the first rate level
  Duration idle{};     // after which it enters the state
  DataSize queued = bytes(1);
  Duration
      max_coalescing_delay{};  // when it sleeps: the longest time that less than `queued` waits

  [[nodiscard]] Abilities acts_by() const {
    return {sleeps ? Ability::sleep_when_idle : Ability::slow_when_idle};
  }

  // Adds what arms the channel; nothing where there is only one rate level.
  void arm(const ChannelSample& channel, std::vector<Action>& actions) const {
    if (sleeps) {
      actions.push_back({channel.id, SleepWhenIdle{idle, queued, max_coalescing_delay}});
    } else if (channel.rate_levels > 1) {
      const RateLevel full{static_cast<std::uint8_t>(channel.rate_levels - 1)};
      actions.push_back({channel.id, SpeedUpWhenQueued{.queued = queued, .rate_level = full}});
      actions.push_back({channel.id, SlowDownWhenIdle{.idle = idle, .rate_level = RateLevel{0}}});
    }
  }
};

struct Armed {
  bool yes = false;
};

// Policies that arm every channel once and leave the rest to its triggers. A channel that was
// changing is tried again with the next sample.
class ArmOnce : public Policy {
 public:
  // How often to look for channels that are not armed yet.
  explicit ArmOnce(Duration period) : period_(period) {}

  [[nodiscard]] Duration sample_period() const final { return period_; }
  [[nodiscard]] bool decides_once() const final { return true; }

  [[nodiscard]] std::vector<Action> decide(const Sample& sample) final {
    std::vector<Action> actions;
    for (const ChannelSample& channel : sample.channels) {
      Armed& armed = armed_[channel.id];
      if (channel.state.changing || armed.yes) continue;
      armed.yes = true;
      arm(channel, actions);
    }
    return actions;
  }

  void on_outcome(const Outcome& outcome) final {
    if (outcome.reason == Reason::changing) armed_[outcome.asked.channel].yes = false;
  }

 private:
  // Adds what arms the channel.
  virtual void arm(const ChannelSample& channel, std::vector<Action>& actions) const = 0;

  Duration period_;
  ByChannel<Armed> armed_;
};

// Arms each channel that a policy may put to sleep once, so that a packet without another next
// hop wakes it.
class WakeOnNeed {
 public:
  void arm(const ChannelSample& channel, std::vector<Action>& actions) {
    if (armed_[channel.id].yes) return;
    armed_[channel.id].yes = true;
    actions.push_back({channel.id, WakeWhenQueued{bytes(1)}});
  }

  // A channel that was changing is tried again.
  void on_outcome(const Outcome& outcome) {
    if (outcome.reason == Reason::changing &&
        std::holds_alternative<WakeWhenQueued>(outcome.asked.order))
      armed_[outcome.asked.channel].yes = false;
  }

 private:
  ByChannel<Armed> armed_;
};

// Utilisation of several channels together.
struct Use {
  Int128 busy = 0;
  Int128 window = 0;

  void add(const ChannelSample& channel) {
    busy += channel.busy.count();
    window += channel.window.count();
  }
};

// Two thresholds of utilisation, between which nothing is opened or closed.
struct Watermarks {
  explicit Watermarks(const Parameters& parameters)
      : high(parameters.ratio("high")), low(parameters.ratio("low")) {}

  [[nodiscard]] bool above(const Use& use) const {
    return use.busy * high.den() > use.window * high.num();
  }
  [[nodiscard]] bool below(const Use& use) const {
    return use.busy * low.den() < use.window * low.num();
  }

  Ratio high;
  Ratio low;
};

inline std::vector<Parameter> watermark_parameters(const std::string& high, const std::string& low,
                                                   const std::string& period) {
  using std::chrono::hours;
  using std::chrono::nanoseconds;
  const Range<Ratio> shares{Ratio(1, 1000), Ratio(999, 1000)};
  return {
      {"high", shares, high, "utilisation above which sleeping channels are opened"},
      {"low", shares, low, "utilisation below which channels are closed"},
      {"period", Range<Duration>{nanoseconds(1), hours(1)}, period, "time between two decisions"}};
}

// Neither to nor from a host. A channel without a reverse is taken for one.
inline bool joins_switches(const Sample& sample, const ChannelSample& channel) {
  if (channel.to_host) return false;
  const auto back = find(sample, channel.reverse);
  return !back || !sample.channels[*back].to_host;
}

}  // namespace ebb::policy
