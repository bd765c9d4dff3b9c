// SPDX-License-Identifier: Apache-2.0
#include "ebb/traffic/host_source.hpp"

#include "ebb/core/check.hpp"

#include <fmt/format.h>

namespace ebb::traffic {

HostSource::HostSource(const Pattern& pattern, const Injection& injection, std::uint32_t host,
                       std::uint64_t seed, TimePoint until, std::uint8_t services)
    : pattern_(&pattern),
      injection_(&injection),
      arrivals_(seed, fmt::format("traffic/{}/arrivals", host)),
      destinations_(seed, fmt::format("traffic/{}/destinations", host)),
      progress_(injection.first(arrivals_)),
      until_(pattern.sends(host) ? until : TimePoint()),
      host_(host),
      services_(services) {
  EBB_CHECK(until <= kLatestEnd, "a run may not end after kLatestEnd");
  EBB_CHECK(services >= 1 && services <= kMostServices, "a message has one of 16 service levels");
}

std::optional<Message> HostSource::next() {
  if (progress_.at >= until_) return std::nullopt;
  const Message message{.at = progress_.at,
                        .source = host_,
                        .destination = pattern_->destination(host_, sequence_, destinations_),
                        .size = injection_->size(arrivals_),
                        .service = static_cast<std::uint8_t>(sequence_ % services_)};
  injection_->advance(progress_, arrivals_);
  ++sequence_;
  return message;
}

}  // namespace ebb::traffic
