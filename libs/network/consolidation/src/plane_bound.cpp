// SPDX-License-Identifier: Apache-2.0
//
// What the groups and links of a plane must take at least. Every leaf alone gives bounds of the
// groups: by counting, so many of them that even those that give it most are enough, and by a
// linear program of one row, which takes groups by their price and the last in part. The largest of
// all leaves' bounds counts. Links are counted beside it: every group has one to each leaf, and a
// leaf needs so many that even its fastest are enough.
#include "plane_cover.hpp"

#include <algorithm>
#include <functional>

namespace ebb::consolidation {
namespace {

constexpr std::size_t kRanges = 8;

// The least number of values, the largest first, that satisfies both needs: their sum, and their
// sum without the first. All of them, if that is not enough.
std::size_t fewest(std::vector<std::int64_t> values, std::int64_t whole, std::int64_t without) {
  std::sort(values.begin(), values.end(), std::greater<>());
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (sum >= whole && sum - (i > 0 ? values[0] : 0) >= without) return i;
    sum += values[i];
  }
  return values.size();
}

}  // namespace

std::size_t PlaneCover::fewest_groups(std::size_t leaf) const {
  std::vector<std::int64_t> values;
  for (std::size_t group = 0; group < plane_.groups.size(); ++group)
    values.push_back(row(group)[leaf]);
  const std::int64_t fixed = plane_.to_leaves[leaf].count();
  return fewest(std::move(values), needs_[leaf].whole.count() - fixed,
                needs_[leaf].without_a_group.count() - fixed);
}

// A group that fails takes at least one link with it.
std::uint32_t PlaneCover::fewest_links(std::size_t leaf) const {
  std::vector<std::int64_t> values;
  for (const Group& group : plane_.groups) {
    const Bundle& bundle = group.to_leaf[leaf];
    values.insert(values.end(), bundle.links, bundle.rate.count());
  }
  const std::int64_t fixed = plane_.to_leaves[leaf].count();
  return static_cast<std::uint32_t>(fewest(std::move(values), needs_[leaf].whole.count() - fixed,
                                           needs_[leaf].without_a_group.count() - fixed));
}

// Groups that give the leaf no more than `at_most`, cheapest capacity first, until they give
// `need`. More than any choice of them takes, when they do not.
Power PlaneCover::fractional(const Groups& by_price, std::size_t leaf, std::int64_t at_most,
                             std::int64_t need) const {
  Int128 power = 0;
  for (const std::size_t group : by_price) {
    if (need <= 0) return microwatts(static_cast<std::int64_t>(power));
    const std::int64_t gives = row(group)[leaf];
    if (gives > at_most) continue;
    const Int128 takes = plane_.groups[group].switches.count();
    power += gives <= need ? takes : takes * need / gives;
    need -= gives;
  }
  return microwatts(need <= 0 ? static_cast<std::int64_t>(power) : INT64_MAX);
}

// If the largest group that is on gives the leaf `most`, all of them give what must remain without
// it, and `most`; none gives more. The cases of `most` are divided into a few ranges.
Power PlaneCover::least_for(std::size_t leaf) const {
  const std::int64_t fixed = plane_.to_leaves[leaf].count();
  const std::int64_t whole = needs_[leaf].whole.count() - fixed;
  const std::int64_t without = needs_[leaf].without_a_group.count() - fixed;
  if (whole <= 0 && without <= 0) return {};
  Groups by_price(plane_.groups.size());
  std::vector<std::int64_t> values;
  for (std::size_t group = 0; group < by_price.size(); ++group) {
    by_price[group] = group;
    values.push_back(row(group)[leaf]);
  }
  std::stable_sort(by_price.begin(), by_price.end(), [&](std::size_t a, std::size_t b) {
    return static_cast<Int128>(plane_.groups[a].switches.count()) * row(b)[leaf] <
           static_cast<Int128>(plane_.groups[b].switches.count()) * row(a)[leaf];
  });
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  const std::size_t in_range = (values.size() + kRanges - 1) / kRanges;
  Power least = microwatts(INT64_MAX);
  for (std::size_t first = 0; first < values.size(); first += in_range) {
    const std::int64_t last = values[std::min(first + in_range, values.size()) - 1];
    const std::int64_t need = std::max(whole, without + values[first]);
    least = std::min(least, fractional(by_price, leaf, last, need));
  }
  return least;
}

Power PlaneCover::bound() const {
  std::vector<Power> switches;
  Power link = microwatts(INT64_MAX);
  for (const Group& group : plane_.groups) {
    switches.push_back(group.switches);
    link = std::min(link, group.link);
  }
  if (switches.empty()) return {};
  std::sort(switches.begin(), switches.end());
  std::size_t groups = 0;
  Power least;
  for (std::size_t leaf = 0; leaf < leaves_; ++leaf) {
    groups = std::max(groups, fewest_groups(leaf));
    least = std::max(least, least_for(leaf));
  }
  Power counted;
  for (std::size_t group = 0; group < groups; ++group) counted += switches[group];
  Power power = std::max(least, counted);
  for (std::size_t leaf = 0; leaf < leaves_; ++leaf) {
    const std::size_t links = std::max<std::size_t>(groups, fewest_links(leaf));
    power += link * static_cast<std::int64_t>(links);
  }
  return power;
}

}  // namespace ebb::consolidation
