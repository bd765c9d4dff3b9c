// SPDX-License-Identifier: Apache-2.0
//
// What detours are about to carry. When a link goes to sleep its frames take a detour from now on,
// and the counters of the detour show them only after the next readings. Until they do, a second
// link with the same detour must not be let go because the detour looks empty.
#pragma once

#include "ebb/topology/graph.hpp"
#include "ebb/units/time.hpp"

#include <map>
#include <optional>
#include <span>
#include <vector>

namespace ebb::controller {

// What comes to a channel from another.
struct MovedLoad {
  topology::ChannelId detour{};
  double bit_per_s = 0;
};

class DivertedLoads {
 public:
  explicit DivertedLoads(std::size_t channels) : sums_(channels) {}

  // All that a channel sends may take any of its detours from now on.
  void divert(topology::ChannelId channel, double bit_per_s,
              std::span<const topology::ChannelId> detours);
  // So much of it takes each of them.
  void divert(topology::ChannelId channel, std::span<const MovedLoad> moved);
  // It sends nothing any more: a counter that is read from now on has all of it.
  void settle(TimePoint now, topology::ChannelId channel);
  // It carries its frames again.
  void restore(topology::ChannelId channel);
  // `load_since(detour)` is when the time began over which its load was measured last. Forgets what
  // is part of that load.
  template <class LoadSince>
  void forget_measured(const LoadSince& load_since);

  // In bit/s. Safety rules ask for it of every detour of every link.
  [[nodiscard]] double on(topology::ChannelId detour) const { return sums_[index(detour)]; }

 private:
  struct Part {
    topology::ChannelId from{};
    double bit_per_s = 0;
    std::optional<TimePoint> settled_at;
  };
  void add_up(topology::ChannelId detour, const std::vector<Part>& parts);

  std::map<topology::ChannelId, std::vector<Part>> parts_;  // by detour
  // By channel that is diverted.
  std::map<topology::ChannelId, std::vector<topology::ChannelId>> detours_;
  std::vector<double> sums_;  // of the parts, by channel
};

template <class LoadSince>
void DivertedLoads::forget_measured(const LoadSince& load_since) {
  for (auto& [detour, parts] : parts_) {
    const std::optional<TimePoint> since = load_since(detour);
    std::erase_if(parts, [&](const Part& part) {
      return since && part.settled_at && *since >= *part.settled_at;
    });
    add_up(detour, parts);
  }
  std::erase_if(parts_, [](const auto& entry) { return entry.second.empty(); });
}

}  // namespace ebb::controller
