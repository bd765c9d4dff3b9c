// SPDX-License-Identifier: Apache-2.0

#include "ebb/policy/sample.hpp"

#include "ebb/policy/action.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <tuple>

namespace ebb::policy {
namespace {

// What is wrong with one entry by itself; empty when nothing is.
std::string_view mistake(const ChannelSample& channel) {
  if (channel.rate_levels == 0) return "a channel has at least one rate level";
  if (index(channel.state.rate_level) >= channel.rate_levels)
    return "the rate level is not in the rate table";
  if (channel.busy < Duration::zero() || channel.busy > channel.window)
    return "busy time must be between zero and the window";
  if (channel.wake_stall < Duration::zero()) return "the wake stall must not be negative";
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

Errors check(std::span<const NextHopSet> next_hops) {
  Errors errors;
  std::map<ChannelId, std::uint32_t> device_of;
  for (std::size_t i = 0; i < next_hops.size(); ++i) {
    const NextHopSet& row = next_hops[i];
    const auto report = [&](std::string_view message) {
      errors.push_back({std::string(message), {.path = fmt::format("next_hops[{}]", i)}});
    };
    if (row.channels.empty()) report("a next-hop set has at least one channel");
    if (std::adjacent_find(row.channels.begin(), row.channels.end(), std::greater_equal<>()) !=
        row.channels.end())
      report("the channels of a next-hop set must ascend");
    if (i > 0 && std::tie(row.device, row.destination) <
                     std::tie(next_hops[i - 1].device, next_hops[i - 1].destination))
      report("next-hop sets must ascend by device, then destination");
    const bool elsewhere =
        std::any_of(row.channels.begin(), row.channels.end(), [&](ChannelId channel) {
          return device_of.try_emplace(channel, row.device).first->second != row.device;
        });
    if (elsewhere) report("a channel of this set leaves another device");
  }
  return errors;
}

// Names of states and reasons, as transcripts and reports write them.

std::string_view to_text(Mode mode) {
  switch (mode) {
    case Mode::active:
      return "active";
    case Mode::asleep:
      return "asleep";
  }
  return "?";
}

std::string_view to_text(Reason reason) {
  switch (reason) {
    case Reason::done:
      return "done";
    case Reason::changing:
      return "changing";
    case Reason::not_supported:
      return "not_supported";
    case Reason::unknown_channel:
      return "unknown_channel";
    case Reason::refused:
      return "refused";
  }
  return "?";
}

}  // namespace ebb::policy
