// SPDX-License-Identifier: Apache-2.0
#include "shutdown.hpp"

#include "dvs.hpp"
#include "utilisation.hpp"

#include <algorithm>
#include <memory>

namespace ebb::policy::shutdown {
namespace {

using Channels = std::vector<const ChannelSample*>;

bool is_up(const ChannelSample& channel) {
  return channel.state.mode == Mode::active && !channel.state.changing;
}

// Empty when one is not in the sample.
Channels channels_of(const ShutdownDecision& device, const Sample& sample) {
  Channels channels;
  for (const ChannelId id : device.channels()) {
    const auto at = find(sample, id);
    if (!at) return {};
    channels.push_back(&sample.channels[*at]);
  }
  return channels;
}

// Adds to what is kept the channels that are up of rows in which nothing that is kept is up yet.
void keep_until_others_are_up(const ShutdownDecision& device, const Channels& channels,
                              std::vector<bool>& kept) {
  const std::vector<bool> decided = kept;
  for (const ShutdownDecision::Choice& choice : device.choices()) {
    const bool served = std::any_of(choice.begin(), choice.end(), [&](std::size_t place) {
      return decided[place] && is_up(*channels[place]);
    });
    if (served) continue;
    for (const std::size_t place : choice) {
      if (is_up(*channels[place])) kept[place] = true;
    }
  }
}

}  // namespace

Shutdown::Shutdown(const Parameters& parameters)
    : limits_{parameters.ratio("t_max"), parameters.ratio("t_idle")},
      window_(parameters.duration("window")) {}

void Shutdown::study(std::span<const Way> ways) {
  while (!ways.empty()) {
    const auto end = std::find_if(ways.begin(), ways.end(), [&](const Way& way) {
      return way.device != ways.front().device;
    });
    const auto rows = static_cast<std::size_t>(end - ways.begin());
    devices_.emplace_back(ways.first(rows));
    ways = ways.subspan(rows);
  }
}

std::vector<Action> Shutdown::decide(const Sample& sample) {
  std::vector<Action> actions;
  for (const ShutdownDecision& device : devices_) {
    const Channels channels = channels_of(device, sample);
    for (const ChannelSample* channel : channels) {
      if (!channel->state.changing) wake_on_need_.arm(*channel, actions);
    }
    if (!channels.empty() && channels.front()->window > Duration{})
      decide_for(device, channels, actions);
  }
  sort_by_channel(actions);
  return actions;
}

void Shutdown::decide_for(const ShutdownDecision& device, const Channels& channels,
                          std::vector<Action>& actions) {
  std::vector<std::int64_t> used;
  for (const ChannelSample* channel : channels)
    used.push_back(channel->state.mode == Mode::asleep ? 0 : utilisation(*channel));
  std::vector<bool> kept = device.keep(used, limits_);
  keep_until_others_are_up(device, channels, kept);
  for (std::size_t place = 0; place < channels.size(); ++place)
    open_or_close(*channels[place], kept[place], actions);
}

void Shutdown::open_or_close(const ChannelSample& channel, bool open,
                             std::vector<Action>& actions) {
  if (channel.state.changing) return;
  const bool asleep = channel.state.mode == Mode::asleep;
  bool& to_close = asked_[channel.id].to_close;
  if (open && (asleep || to_close)) actions.push_back({channel.id, Wake{}});
  if (!open && !asleep) actions.push_back({channel.id, Sleep{}});
  to_close = !open && !asleep;
}

std::vector<Parameter> parameters() {
  return {{"t_max", Range<Ratio>{Ratio(1, 1000), Ratio(256, 1)}, "60%",
           "usage of a destination, summed over its channels, above which it keeps them all"},
          {"t_idle", Range<Ratio>{Ratio(0, 1), Ratio(1, 1)}, "5%",
           "utilisation below which a channel is closed when all destinations are above t_max"}};
}

namespace {

std::unique_ptr<Policy> make(const Parameters& parameters) {
  return std::make_unique<Shutdown>(parameters);
}

}  // namespace

Entry entry() {
  Entry entry{.name = "shutdown",
              .summary = "switches close links that they do not need to reach everyone (DLS)",
              .parameters = parameters(),
              .make = make};
  entry.parameters.push_back(dvs::window_parameter());
  return entry;
}

}  // namespace ebb::policy::shutdown
