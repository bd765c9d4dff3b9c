// SPDX-License-Identifier: Apache-2.0
#include "ebb/traffic/host_source.hpp"

#include "ebb/core/check.hpp"

#include <fmt/format.h>

#include <limits>
#include <vector>

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

namespace {

class Sources final : public MessageSource {
 public:
  Sources(const Pattern& pattern, const Injection& injection, std::uint32_t hosts,
          std::uint8_t services, const Start& start) {
    if (!start.hosts.all()) place_.assign(hosts, kNowhere);
    for (std::uint32_t host = 0; host < hosts; ++host) {
      if (!start.hosts.has(host)) continue;
      if (!place_.empty()) place_[host] = static_cast<std::uint32_t>(sources_.size());
      sources_.emplace_back(pattern, injection, host, start.seed, start.until, services);
    }
  }

  std::optional<Message> next(std::uint32_t host) override {
    const std::uint32_t place = place_.empty() ? host : place_[host];
    EBB_CHECK(place < sources_.size(), "a host that was not to be asked for");
    return sources_[place].next();
  }

 private:
  static constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

  std::vector<HostSource> sources_;
  std::vector<std::uint32_t> place_;  // of a host among them; empty: its own number
};

}  // namespace

std::unique_ptr<MessageSource> IndependentHosts::start(const Start& start) const {
  return std::make_unique<Sources>(pattern_, injection_, hosts(), services_, start);
}

}  // namespace ebb::traffic
