// SPDX-License-Identifier: Apache-2.0
//
// Where the load of links that sleep goes, by the tables that the switches hold. Counters say how
// much a channel sent and not to whom, so a few pairs of hosts stand for all whose frames take the
// channel, each for an equal share: what a pair's path has instead of the channel while links sleep
// gets that share. Load is only added to what was measured elsewhere, never taken away there.
// Networks that others route have siblings instead (forwarding/equal_cost.hpp).
#pragma once

#include "ebb/forwarding/reachability.hpp"
#include "ebb/simulated/fabric.hpp"
#include "ebb/topology/graph.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace ebb::replay {

// What a path has instead of one of its channels; `awake` is the path when nothing sleeps. The part
// that both do not share begins and ends at the same switches: where it is equally long, the
// channel in the same place, else all of it.
[[nodiscard]] std::vector<topology::ChannelId> instead_of(
    topology::ChannelId channel, std::span<const topology::ChannelId> awake,
    std::span<const topology::ChannelId> now, const topology::Graph& graph);

class Detours {
 public:
  // Both outlive it. Where others route, load goes to siblings of equal cost.
  Detours(const forwarding::TableWalker& walker, const simulated::FabricSetting& setting);

  // A link's frames are diverted, or take it again.
  void divert(topology::LinkId link, bool diverted);
  [[nodiscard]] bool is_diverted(topology::LinkId link) const { return diverted_[index(link)]; }

  // From what channels sent to what they would carry, both by channel in bit/s.
  void move(std::span<const float> sent, std::span<double> carried);

 private:
  struct Pair {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
  };
  struct Share {
    topology::ChannelId channel{};
    double share = 0;
  };
  // Of a channel that no pair takes: those that may stand in for it.
  struct Siblings {
    std::vector<topology::ChannelId> out;  // from its switch
    std::vector<topology::ChannelId> in;   // to its switch
  };
  struct Moved {
    std::vector<Pair> pairs;  // a few whose frames take the channel when nothing sleeps
    std::uint32_t seen = 0;   // how many do
    std::uint32_t stride = 1;
    bool is_stale = true;
    std::vector<Share> shares;
    std::optional<Siblings> siblings;  // once they were asked for
  };

  void add_pair(Moved& moved, Pair pair);
  void find_shares(topology::ChannelId channel);
  void share_among_backups(topology::ChannelId channel, Moved& moved);
  [[nodiscard]] Siblings find_siblings(topology::ChannelId channel);

  const forwarding::TableWalker& walker_;
  const forwarding::SleepableLinks& sleepable_;
  const std::optional<forwarding::EqualCostPaths>& equal_cost_;
  const topology::Graph& graph_;
  std::vector<bool> nothing_;                  // by link: all awake
  std::vector<bool> diverted_;                 // by link
  std::vector<Moved> moved_;                   // by channel
  std::vector<topology::ChannelId> sleeping_;  // channels of diverted links
  // By link: channels whose shares depend on it, until it changes; and those of whose siblings it
  // is one.
  std::vector<std::set<topology::ChannelId>> depends_on_;
  std::vector<std::vector<topology::ChannelId>> sibling_of_;
};

}  // namespace ebb::replay
