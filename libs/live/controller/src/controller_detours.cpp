// SPDX-License-Identifier: Apache-2.0
//
// The part of the controller that looks after detours: what links have moved to them, and which
// links wake because a detour of theirs has become too full since.
#include "ebb/controller/controller.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace ebb::controller {

using topology::ChannelId;
using topology::LinkId;

namespace {

bool ends_at(const topology::Graph& graph, LinkId link, topology::NodeId node) {
  const ChannelId forth = topology::forward(link);
  return graph.source(forth) == node || graph.target(forth) == node;
}

}  // namespace

// What counters show of links that are diverted has gone to others, where it is about to come.
std::vector<MovedLoad> Controller::moved_without(LinkId link) const {
  std::vector<double> loads(wishes_.size());
  for (std::uint32_t which = 0; which < wishes_.size(); ++which) {
    const LinkId of = topology::link_of(ChannelId{which});
    if (of == link || !reachability_.asleep()[index(of)])
      loads[which] = load_expected(ChannelId{which});
  }
  const std::vector<double> before = loads;
  equal_cost_->take_off(link, reachability_.asleep(), loads);
  std::vector<MovedLoad> moved;
  for (std::uint32_t which = 0; which < wishes_.size(); ++which) {
    if (loads[which] > before[which])
      moved.push_back({ChannelId{which}, loads[which] - before[which]});
  }
  return moved;
}

void Controller::divert_load(LinkId link) {
  const ChannelId forth = topology::forward(link);
  if (equal_cost_ != nullptr) return diverted_loads_.divert(forth, moved_without(link));
  for (const ChannelId channel : {forth, topology::reverse(forth)}) {
    diverted_loads_.divert(channel, sampler_.load(channel),
                           sleepable_.backup_channels[index(channel)]);
  }
}

void Controller::settle_load(TimePoint now, LinkId link) {
  const ChannelId forth = topology::forward(link);
  for (const ChannelId channel : {forth, topology::reverse(forth)})
    diverted_loads_.settle(now, channel);
}

void Controller::restore_load(LinkId link) {
  const ChannelId forth = topology::forward(link);
  for (const ChannelId channel : {forth, topology::reverse(forth)})
    diverted_loads_.restore(channel);
}

// Share of its full rate: a slow link is sped up, which is another rule. As counters show it:
// together with what they may show in part already, a link would wake that has only just slept. In
// a dry run they never show it.
double Controller::detour_utilisation(ChannelId channel) const {
  const DataRate full = graph_.rate_table(graph_.link(topology::link_of(channel))).back();
  const double load = dry_run() ? load_expected(channel) : sampler_.load(channel);
  return load / static_cast<double>(full.count());
}

std::vector<ChannelId> Controller::full_detours() const {
  std::vector<ChannelId> full;
  for (std::uint32_t which = 0; which < wishes_.size(); ++which) {
    const ChannelId channel{which};
    if (detour_utilisation(channel) > safety_.wake_detour_utilisation &&
        graph_.connects_switches(channel) &&
        state_seen(topology::link_of(channel)) == LinkState::active)
      full.push_back(channel);
  }
  return full;
}

bool Controller::may_take(LinkId link, ChannelId detour) const {
  const ChannelId forth = topology::forward(link);
  for (const ChannelId channel : {forth, topology::reverse(forth)}) {
    const auto& backups = sleepable_.backup_channels[index(channel)];
    if (std::binary_search(backups.begin(), backups.end(), detour)) return true;
  }
  return false;
}

// Of the links whose frames may take it: one that shares a switch with it, as it has moved most,
// and of several the one that slept last.
std::optional<LinkId> Controller::relief_of(ChannelId detour) const {
  std::optional<LinkId> best;
  std::pair<bool, TimePoint> rank;
  for (std::uint32_t which = 0; which < machines_.size(); ++which) {
    const LinkId link{which};
    if (!sleeps(link) || !may_wake(link) || !may_take(link, detour)) continue;
    const std::pair its{ends_at(graph_, link, graph_.source(detour)) ||
                            ends_at(graph_, link, graph_.target(detour)),
                        machines_[which].since()};
    if (best && its <= rank) continue;
    best = link;
    rank = its;
  }
  return best;
}

// One link for every full detour at each decision: the next counters show whether that was enough.
void Controller::relieve_detours(TimePoint now) {
  if (shutting_down_) return;
  std::map<LinkId, ChannelId> to_wake;  // with the detour that is too full
  for (const ChannelId detour : full_detours()) {
    if (const auto link = relief_of(detour)) {
      to_wake.emplace(*link, detour);
    } else {
      relieve_by_switch(detour);
    }
  }
  for (const auto& [link, detour] : to_wake) {
    const std::string why =
        fmt::format("its detour from {} to {} is used {:.0f} %", graph_.name(graph_.source(detour)),
                    graph_.name(graph_.target(detour)), 100 * detour_utilisation(detour));
    ++counts_.woken_by_full_detours;
    if (mode_ == RunMode::dry_run) {
      record_dry_run(now, link, false, why);
    } else {
      wake_now(now, link, why);
    }
  }
}

}  // namespace ebb::controller
