// SPDX-License-Identifier: Apache-2.0
#include "ebb/forwarding/exact_sleepable.hpp"

#include "ebb/topology/recognition.hpp"

#include <algorithm>

namespace ebb::forwarding {

using topology::LinkId;

namespace {

class Search {
 public:
  Search(const TableWalker& walker, const std::vector<LinkId>& order, std::uint32_t bound,
         std::uint64_t most_looks, ExactSleepable& best)
      : reachability_(walker), order_(order), bound_(bound), most_looks_(most_looks), best_(best) {}

  // From the i-th link on, with `taken` of those before it asleep.
  void from(std::size_t i, std::uint32_t taken) {
    if (taken > best_.count) {
      best_.count = taken;
      best_.may_sleep = reachability_.asleep();
    }
    const auto left = static_cast<std::uint32_t>(order_.size() - i);
    if (left == 0 || best_.count >= bound_ || taken + left <= best_.count) return;
    if (++best_.looks > most_looks_) {
      best_.is_exact = false;
      return;
    }
    const LinkId link = order_[i];
    if (reachability_.all_reachable_without(link)) {
      reachability_.set(link, true);
      from(i + 1, taken + 1);
      reachability_.set(link, false);
    }
    if (best_.is_exact) from(i + 1, taken);
  }

 private:
  ReachabilityIndex reachability_;
  const std::vector<LinkId>& order_;
  std::uint32_t bound_;
  std::uint64_t most_looks_;
  ExactSleepable& best_;
};

std::uint32_t links_between_switches(const topology::Graph& graph) {
  std::uint32_t count = 0;
  for (std::uint32_t link = 0; link < graph.link_count(); ++link)
    count += graph.connects_switches(LinkId{link}) ? 1 : 0;
  return count;
}

}  // namespace

ExactSleepable exact_sleepable(const TableWalker& walker, const std::vector<LinkId>& order,
                               std::uint64_t most_looks) {
  ExactSleepable best{.may_sleep = std::vector<bool>(walker.graph().link_count()),
                      .is_exact = true};
  const topology::Graph& graph = walker.graph();
  const std::uint32_t between = links_between_switches(graph);
  const std::uint32_t must_stay = topology::fewest_links_that_join_hosts(graph);
  Search(walker, order, between - std::min(between, must_stay), most_looks, best).from(0, 0);
  return best;
}

}  // namespace ebb::forwarding
