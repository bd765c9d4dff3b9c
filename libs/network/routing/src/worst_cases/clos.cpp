// SPDX-License-Identifier: Apache-2.0
//
// Worst cases on folded Closes. The hosts of one block all send to another block of the same size.
// Uplink u of the sub-blocks of a block, counted through them, goes to switch u mod n of its n
// switches, so sub-block A has as many links to switch j as there are such u in its run, and
// between A and B switch j carries the smaller of A's and B's number of links to it. Where n
// divides the uplinks of A, that is all of them, and the share of a host is the uplinks over the
// hosts; where it does not, links of A to a switch with fewer links to B are of no use:
//
//   capacity = min over levels and pairs A, B of  sum over j of min(A_j, B_j) / hosts of A.
//
// A chassis is such a block, but its hosts have only the uplinks of their own chip. Spread evenly
// over those, what A_j links bring to switch j meets B_j that lead on: min over j of B_j / A_j.
// Chips whose uplinks are all fast get more; this is what the slowest get.

#include "families/clos.hpp"

#include "schemes.hpp"
#include "worst_cases.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace ebb::routing::worst {
namespace {

// A run of uplinks, counted through a block, and the hosts below.
struct Uplinks {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t hosts = 0;

  // To switch j of n.
  [[nodiscard]] std::int64_t to(std::int64_t j, std::int64_t n) const {
    const std::int64_t ahead = (j - first % n + n) % n;
    return count > ahead ? (count - ahead + n - 1) / n : 0;
  }
};

// What each host of `a` gets when all send to hosts of `b`.
using ShareOf = double (*)(const Uplinks& a, const Uplinks& b, std::int64_t n);

double by_any_uplink(const Uplinks& a, const Uplinks& b, std::int64_t n) {
  std::int64_t links = 0;
  for (std::int64_t j = 0; j < n; ++j) links += std::min(a.to(j, n), b.to(j, n));
  return share(links, std::min(a.hosts, b.hosts));
}

// Of two that send from and to the same number of hosts, one uplink each.
double by_own_uplinks(const Uplinks& a, const Uplinks& b, std::int64_t n) {
  const std::int64_t hosts = std::min(a.hosts, b.hosts);
  double least = 1;
  for (std::int64_t j = 0; j < n; ++j) {
    const std::int64_t from = Uplinks{a.first, hosts, hosts}.to(j, n);
    const std::int64_t to = Uplinks{b.first, hosts, hosts}.to(j, n);
    // A chassis of fewer uplinks than there are switches is not sent to over all of them.
    if (from > 0 && to > 0) least = std::min(least, share(to, from));
  }
  return least;
}

// The sub-blocks of a block: `count` of them, all but the last of `full` uplinks and hosts.
struct Joined {
  std::int64_t count = 0;
  std::int64_t switches = 0;
  Uplinks full;
  Uplinks last;

  [[nodiscard]] Uplinks at(std::int64_t i) const {
    Uplinks one = i + 1 < count ? full : last;
    one.first = i * full.count;
    return one;
  }
};

class Worst {
 public:
  explicit Worst(ShareOf share_of) : share_of_(share_of) {}

  // The first sub-block with each other stands for all pairs of full ones: only how far they are
  // apart matters. After n of them the offsets repeat. The last one is compared with as many.
  void look_at(const Joined& block) {
    const std::int64_t pairs = std::min(block.count - 1, block.switches + 1);
    for (std::int64_t i = 1; i <= pairs; ++i) {
      look_at(block, 0, i);
      look_at(block, block.count - 1 - i, block.count - 1);
    }
  }

  [[nodiscard]] const WorstCase& found() const { return found_; }

 private:
  void look_at(const Joined& block, std::int64_t from, std::int64_t to) {
    const double capacity = share_of_(block.at(from), block.at(to), block.switches);
    if (found_.permutation != kAnyPermutation && capacity >= found_.capacity) return;
    found_.capacity = capacity;
    found_.permutation = shift_text((to - from) * block.full.hosts);
  }

  ShareOf share_of_;
  WorstCase found_{"up-down", Paths::minimal};
};

// Hosts below the last of `blocks` blocks that hold `each` at most.
std::int64_t hosts_of_last(std::int64_t hosts, std::int64_t each, std::int64_t blocks) {
  return hosts - (blocks - 1) * each;
}

}  // namespace

std::vector<WorstCase> of_clos(const Parameters& parameters) {
  Worst worst(by_any_uplink);
  const std::vector<Clos::Level> levels = Clos::levels_of(parameters);
  const std::int64_t hosts = parameters.integer("hosts");
  const std::int64_t leaf = Clos::hosts_per_leaf(parameters);
  for (std::size_t l = 1; l < levels.size(); ++l) {
    const Clos::Level& level = levels[l];
    const Clos::Level& below = levels[l - 1];
    const std::int64_t each = below.leaves * leaf;
    const Uplinks full{0, below.uplinks, each};
    if (level.blocks > 1) worst.look_at({level.sub_blocks, level.switches, full, full});
    const Uplinks last{0, below.last_uplinks, hosts_of_last(hosts, each, below.blocks)};
    const std::int64_t rest = below.blocks - (level.blocks - 1) * level.sub_blocks;
    worst.look_at({rest, level.last_switches, full, last});
  }
  return {worst.found()};
}

std::vector<WorstCase> of_clos_chassis(const Parameters& parameters) {
  Worst worst(by_own_uplinks);
  const std::int64_t hosts = parameters.integer("hosts");
  const std::int64_t ports = parameters.integer("chip_ports");
  const std::int64_t chassis = ports / 2 * (ports / 4);  // hosts, and as many uplinks
  const std::int64_t lower = ceil_div(hosts, chassis);
  const std::int64_t rest = hosts_of_last(hosts, chassis, lower);
  const Uplinks full{0, chassis, chassis};
  worst.look_at({lower, ceil_div(hosts, 2 * chassis), full, {0, rest, rest}});
  return {worst.found()};
}

}  // namespace ebb::routing::worst
