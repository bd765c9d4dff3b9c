// SPDX-License-Identifier: Apache-2.0
#include "probe_schedule.hpp"

#include <algorithm>
#include <chrono>

namespace ebb::drivers {

using topology::ChannelId;

ProbeSchedule::ProbeSchedule(const topology::Graph& graph, Duration interval)
    : channels_(graph.channel_count()) {
  for (std::uint32_t which = 0; which < graph.channel_count(); ++which) {
    if (graph.connects_switches(ChannelId{which})) turns_.push_back(ChannelId{which});
  }
  const Duration needed =
      Duration(std::chrono::seconds(1)) * static_cast<std::int64_t>(turns_.size()) / kMostASecond;
  cycle_ = std::max(7 * interval / 10, needed);
}

std::span<const ChannelId> ProbeSchedule::due(TimePoint now) {
  if (turns_.empty()) return {};
  if (!began_) began_ = asked_ = now;
  if (now - asked_ > cycle_ / 2) {
    for (Channel& channel : channels_) channel.outstanding = false;
  }
  asked_ = now;
  const std::uint64_t size = turns_.size();
  const double cycles = std::chrono::duration<double>(now - *began_) / cycle_;
  const auto turn = static_cast<std::uint64_t>(cycles * static_cast<double>(size));
  if (turn > taken_ + size) taken_ = turn - size;
  const std::uint64_t first = taken_ % size;
  // Not across the end of the list: the rest is due at the next call.
  const std::uint64_t count = std::min(turn - taken_, size - first);
  taken_ += count;
  return std::span(turns_).subspan(first, count);
}

std::uint64_t ProbeSchedule::send(TimePoint now, ChannelId channel) {
  Channel& one = channels_[index(channel)];
  one.outstanding = true;
  one.sent_at = now;
  return ++one.sent;
}

bool ProbeSchedule::heard(ChannelId channel, std::uint64_t number) {
  Channel& one = channels_[index(channel)];
  if (number <= one.heard || number > one.sent) return false;
  one.heard = number;
  if (number == one.sent) one.outstanding = false;
  return true;
}

std::optional<TimePoint> ProbeSchedule::outstanding(ChannelId channel) const {
  const Channel& one = channels_[index(channel)];
  return one.outstanding ? std::optional(one.sent_at) : std::nullopt;
}

}  // namespace ebb::drivers
