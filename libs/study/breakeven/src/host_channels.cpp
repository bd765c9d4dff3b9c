// SPDX-License-Identifier: Apache-2.0
#include "ebb/breakeven/host_channels.hpp"

#include "ebb/traffic/every_message.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace ebb::breakeven {
namespace {

constexpr Duration kMostTime = std::chrono::hours(24 * 100);  // of all channels together

bool adds_up(std::uint32_t hosts, TimePoint until) {
  return until.time_since_epoch() <= kMostTime / (2 * static_cast<std::int64_t>(hosts));
}

}  // namespace

HostChannels::HostChannels(std::vector<Sending> sendings, TimePoint until)
    : all_(std::move(sendings)), ends_{all_.size()}, until_(until) {}

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

std::span<const Sending> HostChannels::channel(std::size_t which) const {
  const std::size_t begin = which == 0 ? 0 : ends_[which - 1];
  return std::span(all_).subspan(begin, ends_[which] - begin);
}

Duration HostChannels::time() const {
  return until_.time_since_epoch() * static_cast<std::int64_t>(count());
}

}  // namespace ebb::breakeven
