// SPDX-License-Identifier: Apache-2.0
#include "ebb/policy/sample.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::policy {
namespace {

// What is wrong with one entry by itself; empty when nothing is.
std::string_view mistake(const ChannelSample& channel) {
  if (channel.ladder == 0) return "a ladder has at least one step";
  if (index(channel.state.step) >= channel.ladder) return "the step is not on the ladder";
  if (channel.busy < Duration::zero() || channel.busy > channel.window)
    return "busy time must be between zero and the window";
  if (channel.held < Duration::zero()) return "the time held must not be negative";
  if (channel.slowest < Power{} || channel.full < channel.slowest)
    return "a channel draws no less at full rate than at the slowest, and at that not less than 0";
  if (channel.sent < DataSize{}) return "the data sent must not be negative";
  if (channel.queued < DataSize{}) return "the data queued must not be negative";
  if (!channel.state.changing && channel.state.until != TimePoint{})
    return "a channel that is not changing has no 'until'";
  return {};
}

bool one_sided(const Sample& sample, const ChannelSample& channel) {
  const auto partner = find(sample, channel.reverse);
  return partner && sample.channels[*partner].reverse != channel.id;
}

}  // namespace

std::optional<std::size_t> find(const Sample& sample, ChannelId id) {
  const auto at = std::lower_bound(
      sample.channels.begin(), sample.channels.end(), id,
      [](const ChannelSample& entry, ChannelId wanted) { return entry.id < wanted; });
  if (at == sample.channels.end() || at->id != id) return std::nullopt;
  return static_cast<std::size_t>(at - sample.channels.begin());
}

Errors check(const Sample& sample) {
  Errors errors;
  const auto report = [&](std::size_t i, std::string_view message) {
    errors.push_back({std::string(message), {.path = fmt::format("channels[{}]", i)}});
  };
  bool ordered = true;
  for (std::size_t i = 0; i < sample.channels.size(); ++i) {
    if (const auto text = mistake(sample.channels[i]); !text.empty()) report(i, text);
    if (i > 0 && sample.channels[i].id <= sample.channels[i - 1].id) {
      report(i, "channels must ascend by id");
      ordered = false;
    }
  }
  // Partners are found by order, so a sample out of order has been answered already.
  for (std::size_t i = 0; ordered && i < sample.channels.size(); ++i) {
    if (one_sided(sample, sample.channels[i]))
      report(i, "the reverse of this channel names another reverse");
  }
  return errors;
}

}  // namespace ebb::policy
