// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/triggers.hpp"

#include "ebb/controller/sampler.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace ebb::controller {

using topology::ChannelId;

namespace {

// A probe that no reading has shown by then was lost in the switch. Probes are sent twenty times a
// second at most: so many more frames than these are traffic in any case.
constexpr Duration kProbeIsCounted = std::chrono::milliseconds(300);
constexpr std::uint64_t kMostProbes = 8;

DataSize bytes_of(std::uint64_t count) { return bytes(static_cast<std::int64_t>(count)); }

}  // namespace

const Triggers::Channel* Triggers::find(ChannelId channel) const {
  const auto found = channels_.find(channel);
  return found == channels_.end() ? nullptr : &found->second;
}

Triggers::Channel* Triggers::find(ChannelId channel) {
  const auto found = channels_.find(channel);
  return found == channels_.end() ? nullptr : &found->second;
}

void Triggers::arm(TimePoint now, ChannelId channel, const policy::Order& order) {
  if (std::holds_alternative<policy::Disarm>(order)) {
    channels_.erase(channel);
    return;
  }
  const auto [found, is_new] = channels_.try_emplace(channel);
  Channel& one = found->second;
  if (is_new) one.idle_since = now;
  if (const auto* sleep = std::get_if<policy::SleepWhenIdle>(&order)) {
    one.sleep = *sleep;
    one.slow.reset();
  } else if (const auto* slow = std::get_if<policy::SlowDownWhenIdle>(&order)) {
    one.slow = *slow;
    one.sleep.reset();
  } else if (const auto* fast = std::get_if<policy::SpeedUpWhenQueued>(&order)) {
    one.fast = *fast;
  }
}

void Triggers::probed(TimePoint now, ChannelId channel) {
  if (Channel* one = find(channel)) {
    one->probes = std::min(one->probes + 1, kMostProbes);
    one->probed_at = now;
  }
}

// Of what was sent, as many frames as there were probes are these. A probe may be counted by a
// later reading than the one that it was sent before.
void Triggers::counted(TimePoint now, ChannelId channel, std::uint64_t frames,
                       std::uint64_t bytes) {
  Channel* one = find(channel);
  if (one == nullptr) return;
  const auto before = std::exchange(one->frames, frames);
  const std::uint64_t sent_bytes = growth(std::exchange(one->bytes, bytes), bytes);
  if (!before) {
    one->idle_since = now;
    return;
  }
  const std::uint64_t sent = growth(*before, frames);
  const std::uint64_t probes = std::min(sent, one->probes);
  one->probes -= probes;
  if (now - one->probed_at > kProbeIsCounted) one->probes = 0;
  if (sent == probes) {
    one->sent = {};
    return;
  }
  one->idle_since = now;
  // Probes have one size, which other frames need not have: their bytes are left in.
  one->sent += bytes_of(sent_bytes);
}

void Triggers::detoured(TimePoint now, ChannelId channel, std::uint64_t bytes) {
  Channel* one = find(channel);
  if (one == nullptr) return;
  const auto before = std::exchange(one->group, bytes);
  const std::uint64_t more = before ? growth(*before, bytes) : 0;
  if (more == 0) return;
  one->queued += bytes_of(more);
  if (!one->queued_since) one->queued_since = now;
  if (!one->stalled_since) one->stalled_since = now;
}

void Triggers::changed(TimePoint now, ChannelId channel) {
  Channel* one = find(channel);
  if (one == nullptr) return;
  one->idle_since = now;
  one->sent = {};
  one->group.reset();
  one->queued = {};
  one->queued_since.reset();
  if (const auto since = std::exchange(one->stalled_since, std::nullopt))
    one->stall += now - *since;
}

std::optional<Triggers::Idle> Triggers::idle(TimePoint now, ChannelId channel) const {
  const Channel* one = find(channel);
  if (one == nullptr || !one->sleep) return std::nullopt;
  return Idle{one->sleep->idle, one->frames ? now - one->idle_since : Duration{}};
}

bool Triggers::wants_sleep(TimePoint now, ChannelId channel) const {
  const auto found = idle(now, channel);
  return found && found->is_enough();
}

bool Triggers::wants_wake(TimePoint now, ChannelId channel) const {
  const Channel* one = find(channel);
  if (one == nullptr || !one->queued_since) return false;
  return one->sleep && (one->queued >= one->sleep->wake ||
                        now - *one->queued_since >= one->sleep->max_coalescing_delay);
}

bool Triggers::has_sent(ChannelId channel) const {
  const Channel* one = find(channel);
  return one != nullptr && one->sent > DataSize{};
}

std::optional<policy::RateLevel> Triggers::wants_slow(TimePoint now, ChannelId channel) const {
  const Channel* one = find(channel);
  if (one == nullptr || !one->slow || !one->frames || now - one->idle_since < one->slow->idle)
    return std::nullopt;
  return one->slow->rate_level;
}

std::optional<policy::RateLevel> Triggers::wants_fast(ChannelId channel) const {
  const Channel* one = find(channel);
  if (one == nullptr || !one->fast || one->sent < one->fast->queued) return std::nullopt;
  return one->fast->rate_level;
}

Duration Triggers::take_stall(TimePoint now, ChannelId channel) {
  Channel* one = find(channel);
  if (one == nullptr) return {};
  if (one->stalled_since) one->stall += now - std::exchange(one->stalled_since, now).value();
  return std::exchange(one->stall, Duration{});
}

}  // namespace ebb::controller
