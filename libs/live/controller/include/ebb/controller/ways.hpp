// SPDX-License-Identifier: Apache-2.0
//
// All ways of a fabric by its tables, kept while links go to sleep and come back: a change of one
// link walks again only what met it. The answers are those of Reach, at a cost that grows with what
// changed and not with pairs of hosts.
//
//   Ways ways(reach);
//   if (ways.everyone_without(link)) ways.set(link, true);
#pragma once

#include "ebb/controller/host_kinds.hpp"
#include "ebb/controller/reach.hpp"

#include <absl/container/inlined_vector.h>
#include <cstdint>
#include <set>
#include <vector>

namespace ebb::controller {

class Ways {
 public:
  // All links awake. Keeps a reference.
  explicit Ways(const Reach& reach);

  void set(topology::LinkId link, bool asleep);
  [[nodiscard]] const std::vector<bool>& asleep() const { return asleep_; }  // by link

  // Whether every host reaches every other.
  [[nodiscard]] bool everyone() const;
  // Whether it would if that link slept as well. What it found is kept until something changes that
  // it hung on.
  [[nodiscard]] bool everyone_without(topology::LinkId link) const;

  // The way of each pair of kinds that arrives.
  template <class Take>
  void for_each_way(const Take& take) const;

 private:
  using Pair = std::uint32_t;  // source kind * destination kinds + destination kind
  using Links = absl::InlinedVector<topology::LinkId, 6>;
  struct Found {
    std::uint64_t at = 0;  // 0: nothing found yet
    bool everyone = false;
    std::vector<topology::LinkId> asked;
  };

  [[nodiscard]] std::uint32_t source(Pair pair) const;
  [[nodiscard]] std::uint32_t destination(Pair pair) const;
  [[nodiscard]] bool is_walked(Pair pair) const;
  [[nodiscard]] bool stands_apart(topology::LinkId link) const;
  [[nodiscard]] bool all_lost_meet(topology::LinkId link) const;
  void walk(Pair pair);
  void leave(topology::LinkId link, Pair pair);
  void meet(topology::LinkId link, Pair pair);
  [[nodiscard]] bool still_holds(const Found& found, topology::LinkId link) const;
  [[nodiscard]] bool try_without(topology::LinkId link, std::vector<topology::LinkId>& asked) const;

  const Reach& reach_;
  HostKinds kinds_;
  std::vector<bool> asleep_;
  std::set<topology::LinkId> cut_off_;     // links of hosts that sleep, where hosts share kinds
  std::uint64_t lost_ = 0;                 // pairs that do not arrive
  std::vector<bool> arrives_;              // by pair
  std::vector<Links> asked_;               // by pair: links on whose state its way hangs, ascending
  std::vector<std::vector<Pair>> met_by_;  // by link: the pairs that ask it
  std::uint64_t clock_ = 1;                // counts changes
  std::vector<std::uint64_t> changed_at_;  // by link: its state, or who asks it
  mutable std::vector<Found> found_;       // by link: everyone_without
  mutable std::vector<topology::LinkId> walked_;
};

template <class Take>
void Ways::for_each_way(const Take& take) const {
  for (Pair pair = 0; pair < arrives_.size(); ++pair) {
    if (!is_walked(pair) || !arrives_[pair]) continue;
    if (const auto way = reach_.walk(source(pair), destination(pair), asleep_)) take(*way);
  }
}

}  // namespace ebb::controller
