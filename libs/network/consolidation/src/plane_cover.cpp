// SPDX-License-Identifier: Apache-2.0
#include "plane_cover.hpp"

#include <algorithm>
#include <numeric>

namespace ebb::consolidation {
namespace {

// A bundle's links together.
std::int64_t capacity_of(const Bundle& bundle) { return bundle.rate.count() * bundle.links; }

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// Shares of a need are added as whole numbers.
constexpr std::int64_t kWholeNeed = 1 << 20;

// Changes that are tried: in small networks as long as they help, in large ones so many that they
// look at this many capacities. Choosing among parallel links takes as long as looking at several.
constexpr std::size_t kMostLooks = 3'000'000;
constexpr std::size_t kLooksOfLinks = 6;
constexpr std::size_t kMostRounds = 8;

}  // namespace

PlaneCover::PlaneCover(const Plane& plane, const std::vector<Need>& needs)
    : plane_(plane), needs_(needs), leaves_(needs.size()) {
  std::vector<std::int64_t> use;  // by group: shares of what leaves need
  for (const Group& group : plane.groups) {
    Power price = group.switches;
    std::int64_t shares = 0;
    for (std::size_t leaf = 0; leaf < leaves_; ++leaf) {
      const std::int64_t capacity = capacity_of(group.to_leaf[leaf]);
      const std::int64_t need = needs[leaf].whole.count();
      capacity_.push_back(capacity);
      share_.push_back(
          static_cast<std::int64_t>(Int128{kWholeNeed} * std::min(capacity, need) / need));
      price += group.link;
      shares += share_.back();
      single_links_ = single_links_ && group.to_leaf[leaf].links == 1;
    }
    price_.push_back(price);
    use.push_back(std::max(shares, std::int64_t{1}));
  }
  dearest_first_.resize(plane.groups.size());
  std::iota(dearest_first_.begin(), dearest_first_.end(), std::size_t{0});
  std::stable_sort(dearest_first_.begin(), dearest_first_.end(), [&](std::size_t a, std::size_t b) {
    const Int128 of_a = static_cast<Int128>(price_[a].count()) * use[b];
    const Int128 of_b = static_cast<Int128>(price_[b].count()) * use[a];
    return of_a != of_b ? of_a > of_b : a > b;  // of equal ones the first stays
  });
  if (!single_links_) order_links();
}

// Of equal ones those come first of which there are most: their group's failure would be the worst.
void PlaneCover::order_links() {
  for (std::size_t leaf = 0; leaf < leaves_; ++leaf) {
    Groups& order = dearest_links_.emplace_back(dearest_first_);
    const auto goes_first = [&](std::size_t a, std::size_t b) {
      const auto& groups = plane_.groups;
      const Int128 of_a =
          static_cast<Int128>(groups[a].link.count()) * groups[b].to_leaf[leaf].rate.count();
      const Int128 of_b =
          static_cast<Int128>(groups[b].link.count()) * groups[a].to_leaf[leaf].rate.count();
      return of_a != of_b ? of_a > of_b : row(a)[leaf] > row(b)[leaf];
    };
    std::stable_sort(order.begin(), order.end(), goes_first);
  }
}

PlaneCover::Cover PlaneCover::nothing() const {
  Cover cover{std::vector<char>(plane_.groups.size()),
              {},
              std::vector<std::int64_t>(leaves_),
              std::vector<std::int64_t>(leaves_)};
  for (const DataRate rate : plane_.to_leaves) cover.total.push_back(rate.count());
  return cover;
}

PlaneCover::Cover PlaneCover::everything() const {
  Cover cover = nothing();
  for (std::size_t group = 0; group < plane_.groups.size(); ++group) add(group, cover);
  return cover;
}

void PlaneCover::add(std::size_t group, Cover& cover) const {
  const std::int64_t* capacity = row(group);
  cover.on[group] = 1;
  for (std::size_t leaf = 0; leaf < leaves_; ++leaf) {
    const std::int64_t gives = capacity[leaf];
    cover.total[leaf] += gives;
    cover.second[leaf] = std::max(cover.second[leaf], std::min(cover.most[leaf], gives));
    cover.most[leaf] = std::max(cover.most[leaf], gives);
  }
}

void PlaneCover::remove(std::size_t group, Cover& cover) const {
  cover.on[group] = 0;
  for (std::size_t leaf = 0; leaf < leaves_; ++leaf) {
    cover.total[leaf] -= row(group)[leaf];
    cover.most[leaf] = cover.second[leaf] = 0;
  }
  for (std::size_t other = 0; other < cover.on.size(); ++other) {
    if (cover.on[other] == 0) continue;
    const std::int64_t* capacity = row(other);
    for (std::size_t leaf = 0; leaf < leaves_; ++leaf) {
      const std::int64_t gives = capacity[leaf];
      cover.second[leaf] = std::max(cover.second[leaf], std::min(cover.most[leaf], gives));
      cover.most[leaf] = std::max(cover.most[leaf], gives);
    }
  }
}

bool PlaneCover::can_spare(std::size_t group, const Cover& cover) const {
  const std::int64_t* capacity = row(group);
  for (std::size_t leaf = 0; leaf < leaves_; ++leaf) {
    const std::int64_t total = cover.total[leaf] - capacity[leaf];
    const std::int64_t most =
        capacity[leaf] == cover.most[leaf] ? cover.second[leaf] : cover.most[leaf];
    if (total < needs_[leaf].whole.count()) return false;
    if (total - most < needs_[leaf].without_a_group.count()) return false;
  }
  return true;
}

std::int64_t PlaneCover::missing(std::size_t leaf, const Cover& cover) const {
  const std::int64_t whole = needs_[leaf].whole.count() - cover.total[leaf];
  const std::int64_t failed =
      needs_[leaf].without_a_group.count() - (cover.total[leaf] - cover.most[leaf]);
  return std::max({whole, failed, std::int64_t{0}});
}

bool PlaneCover::is_enough(const Cover& cover) const {
  for (std::size_t leaf = 0; leaf < leaves_; ++leaf) {
    if (missing(leaf, cover) > 0) return false;
  }
  return true;
}

// Turns off what is not needed, except for one.
void PlaneCover::prune(std::size_t kept, Cover& cover) const {
  for (const std::size_t group : dearest_first_) {
    if (group != kept && cover.on[group] != 0 && can_spare(group, cover)) remove(group, cover);
  }
}

// The group that gives most of what is missing for its power.
std::optional<std::size_t> PlaneCover::most_useful(const Cover& cover, std::size_t without) const {
  std::vector<std::int64_t> lacking(leaves_);
  for (std::size_t leaf = 0; leaf < leaves_; ++leaf) {
    lacking[leaf] = static_cast<std::int64_t>(Int128{kWholeNeed} * missing(leaf, cover) /
                                              needs_[leaf].whole.count());
  }
  std::optional<std::size_t> best;
  std::int64_t best_use = 0;
  for (std::size_t group = 0; group < cover.on.size(); ++group) {
    if (cover.on[group] != 0 || group == without) continue;
    const std::int64_t* shares = share_.data() + group * leaves_;
    std::int64_t use = 0;
    for (std::size_t leaf = 0; leaf < leaves_; ++leaf) use += std::min(shares[leaf], lacking[leaf]);
    if (best && static_cast<Int128>(use) * price_[*best].count() <=
                    static_cast<Int128>(best_use) * price_[group].count())
      continue;
    best = group;
    best_use = use;
  }
  return best;
}

// Turns groups on, except for one, until they are enough.
bool PlaneCover::fill(std::size_t without, Cover& cover) const {
  while (!is_enough(cover)) {
    const auto group = most_useful(cover, without);
    if (!group) return false;
    add(*group, cover);
  }
  return true;
}

// A group that is off goes on and others off; one that is on goes off and others on.
std::optional<PlaneCover::Cover> PlaneCover::changed(std::size_t group, const Cover& from) const {
  Cover cover = from;
  if (cover.on[group] == 0) {
    add(group, cover);
    prune(group, cover);
    return cover;
  }
  remove(group, cover);
  if (!fill(group, cover)) return std::nullopt;
  prune(kNone, cover);
  return cover;
}

std::size_t PlaneCover::most_changes() const {
  const std::size_t groups = plane_.groups.size();
  const std::size_t looks =
      std::max<std::size_t>(groups * leaves_ * (single_links_ ? 1 : kLooksOfLinks), 1);
  return std::min(kMostRounds * groups, kMostLooks / looks);
}

// Ends when all groups have been tried without avail, or at `least`.
void PlaneCover::improve(Power least, Cover& cover) const {
  Power power = power_of(cover);
  const std::size_t groups = cover.on.size();
  std::size_t in_vain = 0;
  for (std::size_t i = 0; i < most_changes() && in_vain < groups && power > least; ++i) {
    ++in_vain;
    auto other = changed(i % groups, cover);
    if (!other) continue;
    const Power its = power_of(*other);
    if (its >= power) continue;
    power = its;
    cover = std::move(*other);
    in_vain = 0;
  }
}

PlaneSelection PlaneCover::search() const {
  const Power least = bound();
  Cover best = everything();
  prune(kNone, best);
  Cover filled = nothing();
  (void)fill(kNone, filled);
  prune(kNone, filled);
  if (power_of(filled) < power_of(best)) best = std::move(filled);
  improve(least, best);

  PlaneSelection selection{true, std::vector<bool>(best.on.begin(), best.on.end()), {}};
  selection.links.assign(plane_.groups.size(), std::vector<std::uint32_t>(leaves_));
  for (std::size_t leaf = 0; leaf < leaves_; ++leaf) {
    const std::vector<std::uint32_t> links = links_of(leaf, best);
    for (std::size_t group = 0; group < links.size(); ++group)
      selection.links[group][leaf] = links[group];
  }
  return selection;
}

// Of the groups and of the links between them and leaves.
Power PlaneCover::power_of(const Cover& cover) const {
  Power power;
  for (std::size_t group = 0; group < cover.on.size(); ++group) {
    if (cover.on[group] != 0)
      power += single_links_ ? price_[group] : plane_.groups[group].switches;
  }
  if (single_links_) return power;
  for (std::size_t leaf = 0; leaf < leaves_; ++leaf) {
    const std::vector<std::uint32_t> links = links_of(leaf, cover);
    for (std::size_t group = 0; group < links.size(); ++group)
      power += plane_.groups[group].link * links[group];
  }
  return power;
}

// By group. Links go off as long as that is enough, those first that take most power for their
// rate.
std::vector<std::uint32_t> PlaneCover::links_of(std::size_t leaf, const Cover& cover) const {
  std::vector<std::uint32_t> links(cover.on.size());
  for (std::size_t group = 0; group < links.size(); ++group)
    links[group] = cover.on[group] != 0 ? plane_.groups[group].to_leaf[leaf].links : 0;
  if (single_links_) return links;

  const auto rate = [&](std::size_t group) {
    return plane_.groups[group].to_leaf[leaf].rate.count();
  };
  const Need& need = needs_[leaf];
  std::int64_t total = cover.total[leaf];
  std::int64_t most = cover.most[leaf];
  // One link of the group less; what the other groups give at most is known.
  const auto take_one = [&](std::size_t group, std::int64_t most_of_others) {
    const std::int64_t rest = total - rate(group);
    const std::int64_t then = std::max(most_of_others, rate(group) * (links[group] - 1));
    if (rest < need.whole.count() || rest - then < need.without_a_group.count()) return false;
    --links[group];
    total = rest;
    most = then;
    return true;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::size_t group : dearest_links_[leaf]) {
      if (links[group] < 2) continue;
      std::int64_t others = most;
      if (rate(group) * links[group] == most) {
        others = 0;
        for (std::size_t other = 0; other < links.size(); ++other) {
          if (other != group) others = std::max(others, rate(other) * links[other]);
        }
      }
      while (links[group] > 1 && take_one(group, others)) changed = true;
    }
  }
  return links;
}

}  // namespace ebb::consolidation
