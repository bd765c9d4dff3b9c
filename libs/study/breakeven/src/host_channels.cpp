// SPDX-License-Identifier: Apache-2.0
#include "ebb/breakeven/host_channels.hpp"

#include "ebb/traffic/workload.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace ebb::breakeven {
namespace {

constexpr Duration kMostTime = std::chrono::hours(24 * 100);  // of all channels together

bool adds_up(std::uint32_t hosts, TimePoint until) {
  return until.time_since_epoch() <= kMostTime / (2 * static_cast<std::int64_t>(hosts));
}

}  // namespace

HostChannels::HostChannels(std::vector<Transmission> transmissions, TimePoint until)
    : all_(std::move(transmissions)), ends_{all_.size()}, until_(until) {}

Result<HostChannels> HostChannels::of(const traffic::Workload& workload, DataRate host_rate,
                                      std::uint64_t seed, TimePoint until) {
  if (!adds_up(workload.hosts(), until)) {
    return fail(
        fmt::format("both channels of {} hosts for {} each make more than 100 days: look at "
                    "fewer hosts or a shorter time",
                    workload.hosts(), ebb::to_text(until.time_since_epoch())));
  }
  auto messages = traffic::every_message(workload, seed, until);
  if (!messages) return fail(std::move(messages.error()));
  HostChannels channels(until);
  channels.all_.reserve(2 * messages->size());
  // `messages` are in the order of the hosts that `host_of` tells.
  const auto add_direction = [&](std::uint32_t traffic::Message::*host_of) {
    auto message = messages->begin();
    for (std::uint32_t host = 0; host < workload.hosts(); ++host) {
      for (; message != messages->end() && (*message).*host_of == host; ++message)
        channels.all_.push_back({message->at, serialization_time(message->size, host_rate)});
      channels.ends_.push_back(channels.all_.size());
    }
  };
  add_direction(&traffic::Message::source);
  *messages = traffic::by_destination(std::move(*messages));
  add_direction(&traffic::Message::destination);
  return channels;
}

std::span<const Transmission> HostChannels::channel(std::size_t which) const {
  const std::size_t begin = which == 0 ? 0 : ends_[which - 1];
  return std::span(all_).subspan(begin, ends_[which] - begin);
}

Duration HostChannels::time() const {
  return until_.time_since_epoch() * static_cast<std::int64_t>(count());
}

namespace {

using namespace std::chrono_literals;

constexpr Duration kFirstDecade = 1ns;
constexpr Duration kLastDecade = 10s;

std::vector<GapDecade> empty_decades() {
  std::vector<GapDecade> decades;
  for (Duration least = kFirstDecade; least <= kLastDecade; least *= 10)
    decades.push_back({.least = least});
  return decades;
}

void add(Gaps& gaps, Duration gap) {
  if (gap <= Duration{}) return;
  ++gaps.gaps;
  gaps.idle += gap;
  gaps.longest = std::max(gaps.longest, gap);
  auto decade = gaps.decades.begin();
  while (decade + 1 != gaps.decades.end() && (decade + 1)->least <= gap) ++decade;
  ++decade->gaps;
  decade->idle += gap;
}

}  // namespace

Gaps gaps_of(const HostChannels& channels) {
  Gaps gaps;
  gaps.decades = empty_decades();
  for (std::size_t i = 0; i < channels.count(); ++i) {
    TimePoint free;
    for (const Transmission& transmission : channels.channel(i)) {
      add(gaps, std::min(transmission.at, channels.until()) - free);
      free = std::max(free, transmission.at) + transmission.takes;
    }
    add(gaps, channels.until() - free);
  }
  if (channels.time() > Duration{})
    gaps.load = Ratio((channels.time() - gaps.idle).count(), channels.time().count());
  return gaps;
}

}  // namespace ebb::breakeven
