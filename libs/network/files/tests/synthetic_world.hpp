// SPDX-License-Identifier: Apache-2.0
//
// A small deterministic fake of channels, only as true as a test of policies needs: traffic flows
// like a fluid, comes in bursts from a random stream, changes take a microsecond, some actions are
// refused and some are answered a sample later.
#pragma once

#include "ebb/core/random.hpp"
#include "ebb/policy/policy.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace ebb::files {

class SyntheticWorld {
 public:
  SyntheticWorld(std::uint64_t seed, std::uint32_t links)
      : random_(seed, "synthetic world"), channels_(2 * links) {}

  void run(policy::Policy& policy, int samples) {
    if (policy.needs_next_hops()) policy.set_next_hops(next_hops());
    for (int i = 0; i < samples; ++i) {
      for (const policy::Outcome& outcome : late_) policy.on_outcome(outcome);
      late_.clear();
      const auto seen = look(i == 0 ? Duration(0) : policy.sample_period());
      for (const policy::Action& action : policy.decide({now_, seen})) {
        const policy::Outcome outcome{action, now_, {}, apply(action)};
        auto answered = outcome;
        answered.applied = channels_[policy::index(action.channel)].state;
        if (random_.below(4) == 0) {
          late_.push_back(answered);
        } else {
          policy.on_outcome(answered);
        }
      }
      now_ += policy.sample_period();
    }
  }

 private:
  static constexpr std::uint8_t kRateTable = 5;

  struct Channel {
    policy::State state = policy::active(policy::RateLevel{kRateTable - 1});
    std::optional<policy::SleepWhenIdle> trigger;
    DataSize queued;
    int burst = 0;  // windows that the present burst lasts
  };

  // The last two channels of each device stand in for each other on the way to 0; only one leads
  // to 1.
  [[nodiscard]] std::vector<policy::NextHopSet> next_hops() const {
    std::vector<policy::NextHopSet> next_hops;
    for (std::uint32_t device = 0; 4 * device + 3 < channels_.size(); ++device) {
      const policy::ChannelId one{4 * device + 2};
      const policy::ChannelId other{4 * device + 3};
      next_hops.push_back({device, 0, {one, other}});
      next_hops.push_back({device, 1, {other}});
    }
    return next_hops;
  }

  std::vector<policy::ChannelSample> look(Duration window) {
    std::vector<policy::ChannelSample> seen;
    for (std::uint32_t i = 0; i < channels_.size(); ++i) {
      const auto sample = advance(channels_[i], window, i);
      if (random_.below(50) != 0) seen.push_back(sample);  // some samples are lost
    }
    return seen;
  }

  policy::ChannelSample advance(Channel& channel, Duration window, std::uint32_t id) {
    policy::State& state = channel.state;
    if (state.changing && state.until <= now_) state = {state.mode, state.rate_level};
    if (channel.burst == 0 && random_.below(20) == 0)
      channel.burst = 1 + static_cast<int>(random_.below(12));
    if (channel.burst > 0) {
      --channel.burst;
      const auto full = data_carried(gigabits_per_second(40), window).count();
      channel.queued +=
          bits(static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(full) + 1)));
    }
    const DataRate rate = megabits_per_second(2'500LL << policy::index(state.rate_level));
    const bool sends = state.mode == policy::Mode::active && !state.changing;
    const DataSize sent = sends ? std::min(channel.queued, data_carried(rate, window)) : DataSize{};
    channel.queued -= sent;
    const Duration busy = std::min(window, serialization_time(sent, rate));
    fire(channel, busy == Duration::zero());
    return {.id = policy::ChannelId{id},
            .reverse = policy::ChannelId{id ^ 1U},
            .device = id / 4,
            .to_host = id % 4 == 1,
            .tier = static_cast<std::uint8_t>(id % 4 / 2),
            .rate_levels = kRateTable,
            .slowest = milliwatts(250),
            .full = watts(4),
            .window = window,
            .busy = busy,
            .wake_stall = busy / 8,
            .sent = sent,
            .queued = channel.queued,
            .state = state};
  }

  void fire(Channel& channel, bool idle) {
    if (!channel.trigger || channel.state.changing) return;
    const bool awake = channel.state.mode == policy::Mode::active;
    if (awake && idle && channel.queued == DataSize{})
      change(channel, policy::asleep(step(channel)));
    if (!awake && channel.queued >= channel.trigger->wake)
      change(channel, policy::active(step(channel)));
  }

  static policy::RateLevel step(const Channel& channel) { return channel.state.rate_level; }

  void change(Channel& channel, policy::State to) {
    channel.state = policy::changing(to, now_ + std::chrono::microseconds(1));
  }

  policy::Reason apply(const policy::Action& action) {
    Channel& channel = channels_[policy::index(action.channel)];
    if (channel.state.changing) return policy::Reason::changing;
    if (random_.below(30) == 0) return policy::Reason::refused;
    if (random_.below(30) == 0) return policy::Reason::changing;
    if (const auto* set = std::get_if<policy::SetRateLevel>(&action.order)) {
      change(channel, {channel.state.mode, set->rate_level});
    } else if (const auto* sleep = std::get_if<policy::SleepWhenIdle>(&action.order)) {
      channel.trigger = *sleep;
    } else if (std::holds_alternative<policy::Sleep>(action.order)) {
      change(channel, policy::asleep(step(channel)));
    } else if (std::holds_alternative<policy::Wake>(action.order)) {
      change(channel, policy::active(step(channel)));
    } else {
      return policy::Reason::not_supported;
    }
    return policy::Reason::done;
  }

  RandomStream random_;
  std::vector<Channel> channels_;
  std::vector<policy::Outcome> late_;
  TimePoint now_{};
};

}  // namespace ebb::files
