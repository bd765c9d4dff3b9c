// SPDX-License-Identifier: Apache-2.0
//
// The scope of a failure. A link that fails moves its frames to the links at its two switches and
// to its detours, and may be the detour of others itself. Links that share a switch with it, and
// links whose detours meet it, are woken, a few at a time; the others may go on sleeping. Those
// without which hosts do not reach each other come first, all at once, wherever they are.

#include "ebb/controller/controller.hpp"

#include <algorithm>

namespace ebb::controller {

using topology::ChannelId;
using topology::LinkId;

std::string Controller::link_text(LinkId link) const {
  return graph_.name(graph_.link(link).a) + " to " + graph_.name(graph_.link(link).b);
}

bool Controller::both_here(LinkId link) const {
  const topology::Link& ends = graph_.link(link);
  return here_[index(ends.a)] && here_[index(ends.b)];
}

bool Controller::may_wake(LinkId link) const {
  return !is_drained(link) && !unseen_[index(link)] && both_here(link);
}

bool Controller::is_near(LinkId link, LinkId other) const {
  const topology::Link& one = graph_.link(link);
  const topology::Link& two = graph_.link(other);
  if (one.a == two.a || one.a == two.b || one.b == two.a || one.b == two.b) return true;
  const ChannelId forth = topology::forward(other);
  for (const ChannelId channel :
       {topology::forward(link), topology::reverse(topology::forward(link))}) {
    const auto& backups = sleepable_.backup_channels[index(channel)];
    if (std::binary_search(backups.begin(), backups.end(), forth) ||
        std::binary_search(backups.begin(), backups.end(), topology::reverse(forth)))
      return true;
  }
  return false;
}

// Whether a link has one of these on a detour. Marks them, because a switch has many links.
std::function<bool(LinkId)> Controller::detours_over(const std::vector<LinkId>& links) const {
  std::vector<bool> marked(graph_.link_count());
  for (const LinkId link : links) marked[index(link)] = true;
  return [this, marked = std::move(marked)](LinkId link) {
    const ChannelId forth = topology::forward(link);
    for (const ChannelId channel : {forth, topology::reverse(forth)}) {
      const auto& backups = sleepable_.backup_channels[index(channel)];
      if (std::any_of(backups.begin(), backups.end(),
                      [&](ChannelId one) { return marked[index(topology::link_of(one))]; }))
        return true;
    }
    return false;
  };
}

void Controller::link_failed(TimePoint now, LinkId failed) {
  last_failure_[index(failed)] = newest_failure_ = now;
  const std::string why = "a link has failed: " + link_text(failed);
  const topology::Link& ends = graph_.link(failed);
  wake_switches_around({index(ends.a), index(ends.b)}, why);
  wake_near(
      now, [&](LinkId link) { return is_near(link, failed); }, why);
}

// Its neighbours see that their ports go down, if they do: only what was diverted over it counts.
void Controller::switch_gone(TimePoint now, std::uint32_t device) {
  std::vector<LinkId> links;
  for (const ChannelId end : graph_.outputs(graph_.switch_node(device))) {
    if (!graph_.connects_switches(end)) continue;
    links.push_back(topology::link_of(end));
    last_failure_[index(links.back())] = newest_failure_ = now;
  }
  const std::string why = "a switch has gone: " + graph_.name(graph_.switch_node(device));
  std::set<std::uint32_t> neighbours{device};
  for (const LinkId link : links) neighbours.insert(other_end(link, device));
  wake_switches_around(neighbours, why);
  wake_near(now, detours_over(links), why);
}

void Controller::wake_near(TimePoint now, const std::function<bool(LinkId)>& near,
                           const std::string& why) {
  if (mode_ == RunMode::dry_run) {
    for (std::uint32_t link = 0; link < machines_.size(); ++link) {
      if (would_sleep_[link] && near(LinkId{link})) record_dry_run(now, LinkId{link}, false, why);
    }
    return;
  }
  full_rates(now, why, near);
  std::vector<LinkId> touched;
  links_.for_each_not_active([&](LinkId link) {
    const LinkState state = machines_[index(link)].state();
    if ((state == LinkState::asleep || state == LinkState::draining) && near(link))
      touched.push_back(link);
  });
  const std::vector<LinkId> urgent = needed_to_reach();
  for (const LinkId link : touched) to_wake_.emplace(link, why);
  for (const LinkId link : urgent) wake_now(now, link, why);
  // One that is being drained only goes back: it is not one more that changes.
  for (const LinkId link : touched) {
    if (machines_[index(link)].state() == LinkState::draining && may_wake(link))
      wake_now(now, link, why);
  }
  wake_waiting(now);
}

// Links that must wake so that all hosts reach each other, together with those that wake already.
// Only links that the lost pairs depend on are tried, again and again, as a path that is free at
// one place may be cut at the next. None where that is not enough: it would help nobody.
std::vector<LinkId> Controller::needed_to_reach() {
  std::vector<LinkId> tried;
  const auto try_awake = [&](LinkId link) {
    reachability_.set(link, false);
    tried.push_back(link);
  };
  if (reachability_.all_reachable()) return {};
  links_.for_each_not_active([&](LinkId link) {
    if (machines_[index(link)].state() == LinkState::waking) try_awake(link);
  });
  const std::size_t waking = tried.size();
  for (std::size_t before = tried.size() + 1; before != tried.size();) {
    before = tried.size();
    for (const LinkId link : reachability_.asked_by_lost()) {
      const LinkState state = machines_[index(link)].state();
      const bool sleeps = state == LinkState::asleep || state == LinkState::draining;
      if (sleeps && may_wake(link) && reachability_.asleep()[index(link)]) try_awake(link);
    }
  }
  const bool is_enough = reachability_.all_reachable();
  for (const LinkId link : tried) see(link);
  if (!is_enough) return {};
  return {tried.begin() + static_cast<std::ptrdiff_t>(waking), tried.end()};
}

void Controller::wake_now(TimePoint now, LinkId link, const std::string& why) {
  to_wake_.erase(link);
  change(now, link, [&](LinkMachine& machine) { machine.wake(now, why); });
}

// What a link carried that failed, others carry now.
void Controller::full_rates(TimePoint now, const std::string& why,
                            const std::function<bool(LinkId)>& where) {
  for (const LinkId link : std::set(slowed_)) {
    if (where(link))
      change_rate(now, link, [&](LinkRate& rate) { rate.set(now, rate.top(), why); });
  }
}

void Controller::wake_waiting(TimePoint now) {
  for (auto at = to_wake_.begin();
       at != to_wake_.end() && count(LinkState::waking) < safety_.max_concurrent;) {
    const LinkId link = at->first;
    const std::string why = at->second;
    if (may_wake(link)) {
      wake_now(now, link, why);
    } else if (!unseen_[index(link)]) {
      to_wake_.erase(link);  // it is drained, or a switch of it has gone
    }
    at = to_wake_.upper_bound(link);
  }
}

void Controller::wake_all(TimePoint now, const std::string& why) {
  to_wake_.clear();
  if (mode_ == RunMode::dry_run) {
    for (std::uint32_t link = 0; link < machines_.size(); ++link)
      record_dry_run(now, LinkId{link}, false, why);
    return;
  }
  full_rates(now, why, [](LinkId) { return true; });
  wake_all_switches(why);
  links_.for_each_not_active([&](LinkId link) {
    if (may_wake(link)) change(now, link, [&](LinkMachine& machine) { machine.wake(now, why); });
  });
}

void Controller::shut_down(TimePoint now) {
  shutting_down_ = true;
  wake_all(now, "the controller goes");
}

}  // namespace ebb::controller
