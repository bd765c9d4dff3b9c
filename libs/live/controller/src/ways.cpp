// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/ways.hpp"

#include "ebb/core/check.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace ebb::controller {

using topology::LinkId;

Ways::Ways(const Reach& reach)
    : reach_(reach),
      kinds_(host_kinds(reach)),
      asleep_(reach.graph().link_count()),
      met_by_(reach.graph().link_count()),
      changed_at_(reach.graph().link_count()),
      found_(reach.graph().link_count()) {
  const std::size_t pairs = kinds_.sources.size() * kinds_.destinations.size();
  EBB_CHECK(pairs < std::numeric_limits<Pair>::max(), "too many pairs of hosts");
  arrives_.assign(pairs, true);
  asked_.resize(pairs);
  for (Pair pair = 0; pair < pairs; ++pair) {
    if (is_walked(pair)) walk(pair);
  }
}

std::uint32_t Ways::source(Pair pair) const {
  return kinds_.sources[pair / kinds_.destinations.size()];
}

std::uint32_t Ways::destination(Pair pair) const {
  return kinds_.destinations[pair % kinds_.destinations.size()];
}

// Between hosts of one switch there is nothing but their own links.
bool Ways::is_walked(Pair pair) const {
  const std::uint32_t from = source(pair);
  const std::uint32_t to = destination(pair);
  if (!kinds_.delivered_at_home) return from != to;
  return reach_.plan().switch_of(from) != reach_.plan().switch_of(to);
}

// The link of a host that others stand for, or that stands for others: no way tells about it.
bool Ways::stands_apart(LinkId link) const {
  if (!kinds_.delivered_at_home) return false;
  const topology::Link& ends = reach_.graph().link(link);
  return reach_.graph().is_host(ends.a) || reach_.graph().is_host(ends.b);
}

void Ways::leave(LinkId link, Pair pair) {
  auto& pairs = met_by_[index(link)];
  const auto at = std::find(pairs.begin(), pairs.end(), pair);
  *at = pairs.back();
  pairs.pop_back();
  changed_at_[index(link)] = clock_;
}

void Ways::meet(LinkId link, Pair pair) {
  met_by_[index(link)].push_back(pair);
  changed_at_[index(link)] = clock_;
}

void Ways::walk(Pair pair) {
  const bool arrives = reach_.arrives(source(pair), destination(pair), {asleep_}, walked_);
  std::erase_if(walked_, [&](LinkId link) { return stands_apart(link); });
  if (arrives != arrives_[pair]) arrives ? --lost_ : ++lost_;
  arrives_[pair] = arrives;
  Links& before = asked_[pair];
  Links gone;
  Links fresh;
  std::set_difference(before.begin(), before.end(), walked_.begin(), walked_.end(),
                      std::back_inserter(gone));
  std::set_difference(walked_.begin(), walked_.end(), before.begin(), before.end(),
                      std::back_inserter(fresh));
  for (const LinkId link : gone) leave(link, pair);
  for (const LinkId link : fresh) meet(link, pair);
  before.assign(walked_.begin(), walked_.end());
}

void Ways::set(LinkId link, bool asleep) {
  if (stands_apart(link)) {
    if (asleep) cut_off_.insert(link);
    if (!asleep) cut_off_.erase(link);
    return;
  }
  if (asleep_[index(link)] == asleep) return;
  asleep_[index(link)] = asleep;
  changed_at_[index(link)] = ++clock_;
  const std::vector<Pair> pairs = met_by_[index(link)];
  for (const Pair pair : pairs) walk(pair);
}

bool Ways::everyone() const {
  const bool alone = reach_.graph().host_count() < 2;
  return lost_ == 0 && (cut_off_.empty() || alone);
}

bool Ways::everyone_without(LinkId link) const {
  if (asleep_[index(link)]) return everyone();
  const bool alone = reach_.graph().host_count() < 2;
  if (!alone && (!cut_off_.empty() || stands_apart(link))) return false;
  if (lost_ > 0) return all_lost_meet(link) && try_without(link, walked_);
  Found& found = found_[index(link)];
  if (still_holds(found, link)) return found.everyone;
  found.everyone = try_without(link, found.asked);
  found.at = clock_;
  return found.everyone;
}

bool Ways::all_lost_meet(LinkId link) const {
  const auto& pairs = met_by_[index(link)];
  return lost_ == static_cast<std::uint64_t>(std::count_if(
                      pairs.begin(), pairs.end(), [&](Pair pair) { return !arrives_[pair]; }));
}

bool Ways::still_holds(const Found& found, LinkId link) const {
  return found.at != 0 && changed_at_[index(link)] <= found.at &&
         std::all_of(found.asked.begin(), found.asked.end(),
                     [&](LinkId asked) { return changed_at_[index(asked)] <= found.at; });
}

// Whether all that meet the link arrive without it; `asked` becomes what that hangs on.
bool Ways::try_without(LinkId link, std::vector<LinkId>& asked) const {
  asked.clear();
  bool all = true;
  std::vector<LinkId> walked;
  for (const Pair pair : met_by_[index(link)]) {
    all = reach_.arrives(source(pair), destination(pair), {asleep_, link}, walked);
    asked.insert(asked.end(), walked.begin(), walked.end());
    if (!all) break;
  }
  std::sort(asked.begin(), asked.end());
  asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
  return all;
}

}  // namespace ebb::controller
