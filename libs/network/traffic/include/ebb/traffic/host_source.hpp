// SPDX-License-Identifier: Apache-2.0
//
// The messages of one host, in the order of time. Everything random comes from two streams named
// after the host, "traffic/<host>/arrivals" and "traffic/<host>/destinations", so the messages of a
// host depend on (pattern, injection, seed, host) and on nothing else: not on other hosts, threads
// or processes, nor on who asks first.
//
// Small (kMostBytesPerHost), copyable, allocates nothing after construction. It refers to its
// pattern and its injection, which must outlive it. Not for use by two threads at once.
//
//   HostSource source(*pattern, *injection, 17, seed, TimePoint(std::chrono::milliseconds(1)));
//   while (const auto message = source.next()) ...
#pragma once

#include "ebb/core/random.hpp"
#include "ebb/traffic/injection.hpp"
#include "ebb/traffic/message.hpp"
#include "ebb/traffic/pattern.hpp"
#include "ebb/traffic/workload.hpp"
#include "ebb/units/time.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace ebb::traffic {

// The latest end of a run: a message beyond it still has a time.
inline constexpr TimePoint kLatestEnd{std::chrono::hours(24 * 100)};

class HostSource {
 public:
  // Messages before `until`, which is at most kLatestEnd. They take service levels 0 to services-1
  // in turn.
  HostSource(const Pattern& pattern, const Injection& injection, std::uint32_t host,
             std::uint64_t seed, TimePoint until, std::uint8_t services = 1);

  // The next message, or nothing from the end of the run on.
  [[nodiscard]] std::optional<Message> next();

 private:
  const Pattern* pattern_;
  const Injection* injection_;
  RandomStream arrivals_;
  RandomStream destinations_;
  Progress progress_;  // of the next message
  TimePoint until_;
  std::uint64_t sequence_ = 0;
  std::uint32_t host_;
  std::uint8_t services_;
};

// 300,000 hosts in less than 50 MB.
inline constexpr std::size_t kMostBytesPerHost = 160;
static_assert(sizeof(HostSource) <= kMostBytesPerHost);

// Pattern x injection: every host sends by itself, when the injection says and to where the pattern
// says. Messages are made when they are asked for, so a run of any length takes kMostBytesPerHost
// for each host that is asked for. The messages of a host take service levels in turn. Refers to
// pattern and injection, which must outlive it.
class IndependentHosts final : public Workload {
 public:
  IndependentHosts(const Pattern& pattern, const Injection& injection, std::uint32_t hosts,
                   std::uint8_t services = 1)
      : Workload(hosts), pattern_(pattern), injection_(injection), services_(services) {}

  [[nodiscard]] std::unique_ptr<MessageSource> start(const Start& start) const override;
  [[nodiscard]] bool sends(std::uint32_t host) const override { return pattern_.sends(host); }
  [[nodiscard]] std::optional<MessageSizes> sizes() const override { return injection_.sizes(); }

 private:
  const Pattern& pattern_;
  const Injection& injection_;
  std::uint8_t services_;
};

}  // namespace ebb::traffic
