// SPDX-License-Identifier: Apache-2.0
#include "safety_rules.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace ebb::controller {

using topology::ChannelId;

namespace {

std::string seconds_text(Duration time) {
  return fmt::format("{:.1f} s", std::chrono::duration<double>(time).count());
}

}  // namespace

std::span<const SafetyRules::Rule> SafetyRules::rules(Who who, const Controller* controller) {
  static constexpr std::array<Rule, 13> kRules{{
      {"drained", &SafetyRules::not_drained},
      {"core", &SafetyRules::not_core},
      {"min_awake_time", &SafetyRules::min_awake_time},
      // From here on also for operators.
      {"state", &SafetyRules::is_active},
      {"max_concurrent", &SafetyRules::max_concurrent},
      {"probes", &SafetyRules::probes},
      {"switches", &SafetyRules::switches_here},
      {"failure_holdoff", &SafetyRules::failure_holdoff},
      {"failed_links", &SafetyRules::none_failed},
      {"transitions_per_hour", &SafetyRules::transitions_per_hour},
      {"all_reachable", &SafetyRules::all_reachable},
      {"max_counter_age", &SafetyRules::counter_age},
      {"max_detour_utilisation", &SafetyRules::max_detour_utilisation},
  }};
  static constexpr auto kOfEqualCost = [] {
    auto rules = kRules;
    for (Rule& rule : rules) {
      if (rule.name == "all_reachable") rule = {"min_next_hops", &SafetyRules::min_next_hops};
    }
    return rules;
  }();
  const bool equal_cost = controller != nullptr && controller->equal_cost_ != nullptr;
  constexpr std::size_t kForPoliciesAlone = 3;
  return std::span(equal_cost ? kOfEqualCost : kRules)
      .subspan(who == Who::policy ? 0 : kForPoliciesAlone);
}

std::vector<std::string_view> SafetyRules::names() {
  std::vector<std::string_view> names;
  for (const Rule& rule : rules(Who::policy, nullptr)) names.push_back(rule.name);
  return names;
}

RuleCheck SafetyRules::ask(const Rule& rule) const {
  RuleCheck check = (this->*rule.check)();
  check.rule = rule.name;
  return check;
}

std::optional<RuleCheck> SafetyRules::first_objection(Who who) const {
  for (const Rule& rule : rules(who, &controller_)) {
    if (RuleCheck check = ask(rule); check.objection) return check;
  }
  return std::nullopt;
}

std::vector<RuleCheck> SafetyRules::all() const {
  std::vector<RuleCheck> checks;
  for (const Rule& rule : rules(Who::policy, &controller_)) checks.push_back(ask(rule));
  return checks;
}

template <class Describe>
RuleCheck SafetyRules::answer(bool objects, const Describe& describe) const {
  RuleCheck check;
  if (objects) check.objection.emplace();
  if (texts_ == Texts::left_out) return check;
  Description description = describe();
  check.present = std::move(description.present);
  check.needed = std::move(description.needed);
  if (objects) check.objection = std::move(description.objection);
  return check;
}

RuleCheck SafetyRules::not_drained() const {
  const bool out = controller_.is_drained(link_);
  return answer(out, [&] {
    const std::string by = controller_.is_out(link_) ? "with its switch" : "by an operator";
    return Description{out ? by : "no", "not drained", "it is drained"};
  });
}

RuleCheck SafetyRules::not_core() const {
  const bool may = controller_.sleepable_.may_sleep[index(link_)];
  return answer(!may, [&] {
    return Description{may ? "no" : "yes", "not of the connected core",
                       "it belongs to the connected core"};
  });
}

RuleCheck SafetyRules::min_awake_time() const {
  const Duration least = controller_.safety_.min_awake_time;
  const Duration time = now_ - machine().since();
  return answer(time < least, [&] {
    const bool active = machine().state() == LinkState::active;
    return Description{active ? seconds_text(time) : "not active",
                       "at least " + seconds_text(least),
                       "it has been active for less than " + seconds_text(least)};
  });
}

RuleCheck SafetyRules::is_active() const {
  const LinkState seen = controller_.state_seen(link_);
  return answer(seen != LinkState::active, [&] {
    const std::string state(to_text(seen));
    return Description{state, "active", "it is " + state};
  });
}

template <class Call>
void SafetyRules::for_each_loaded(const Call& call) const {
  const ChannelId forth = topology::forward(link_);
  for (const ChannelId channel : {forth, topology::reverse(forth)}) {
    call(channel);
    for (const ChannelId other : controller_.sleepable_.backup_channels[index(channel)]) {
      if (!controller_.is_out(topology::link_of(other))) call(other);
    }
  }
}

template <class Call>
void SafetyRules::for_each_moved(const Call& call) const {
  if (controller_.equal_cost_ != nullptr) {
    for (const MovedLoad& one : controller_.moved_without(link_)) {
      if (!call(one.detour, one.bit_per_s)) return;
    }
    return;
  }
  const ChannelId forth = topology::forward(link_);
  for (const ChannelId channel : {forth, topology::reverse(forth)}) {
    const double moved = controller_.load_expected(channel);
    for (const ChannelId other : controller_.sleepable_.backup_channels[index(channel)]) {
      if (!call(other, moved)) return;
    }
  }
}

template <class Call>
void SafetyRules::for_each_near(const Call& call) const {
  const topology::Graph& graph = controller_.graph_;
  const topology::Link& ends = graph.link(link_);
  for (const topology::NodeId end : {ends.a, ends.b}) {
    if (graph.is_host(end)) continue;
    for (const ChannelId output : graph.outputs(end)) {
      if (graph.connects_switches(output)) call(topology::link_of(output));
    }
  }
  for_each_loaded([&](ChannelId channel) { call(topology::link_of(channel)); });
}

std::string SafetyRules::channel_text(ChannelId channel) const {
  const topology::Graph& graph = controller_.graph_;
  return graph.name(graph.source(channel)) + " to " + graph.name(graph.target(channel));
}

// A detour that sleeps is not counted on: who reaches whom without it is another rule. A dry run
// sends no probes.
RuleCheck SafetyRules::probes() const {
  std::optional<ChannelId> lost;
  const auto look = [&](ChannelId channel) {
    const bool counts = controller_.link(topology::link_of(channel)).state() == LinkState::active;
    if (counts && !controller_.proven_[index(channel)] && !lost) lost = channel;
  };
  if (controller_.unproven_ > 0 && !controller_.dry_run()) for_each_loaded(look);
  return answer(lost.has_value(), [&] {
    const std::string which = lost ? "no probe came from " + channel_text(*lost) : "";
    return Description{lost ? which : "came through",
                       "the last probe came through, on it and its detours", which};
  });
}

RuleCheck SafetyRules::switches_here() const {
  const topology::Graph& graph = controller_.graph_;
  std::set<std::string> away;
  const auto look = [&](ChannelId channel) {
    for (const topology::NodeId end : {graph.source(channel), graph.target(channel)}) {
      if (!graph.is_host(end) && !controller_.here_[index(end)]) away.insert(graph.name(end));
    }
  };
  if (controller_.away_ > 0) for_each_loaded(look);
  return answer(!away.empty(), [&] {
    const std::string which = fmt::format("{} cannot be reached", fmt::join(away, " and "));
    return Description{away.empty() ? "all" : which, "the switches of it and of its detours",
                       which};
  });
}

RuleCheck SafetyRules::failure_holdoff() const {
  const Duration least = controller_.safety_.failure_holdoff;
  std::optional<TimePoint> last;
  const auto& newest = controller_.newest_failure_;
  if (newest && now_ - *newest < least) {
    for_each_near([&](topology::LinkId link) {
      const auto& failed = controller_.last_failure_[index(link)];
      if (failed && (!last || *failed > *last)) last = failed;
    });
  }
  return answer(last && now_ - *last < least, [&] {
    return Description{last ? seconds_text(now_ - *last) : "nothing near it has failed lately",
                       "at least " + seconds_text(least),
                       "something near it failed less than " + seconds_text(least) + " ago"};
  });
}

RuleCheck SafetyRules::none_failed() const {
  std::set<topology::LinkId> failed;
  if (controller_.count(LinkState::failed) > 0) {
    for_each_near([&](topology::LinkId link) {
      if (controller_.link(link).state() == LinkState::failed) failed.insert(link);
    });
  }
  return answer(!failed.empty(), [&] {
    const std::string first = failed.empty() ? "" : controller_.link_text(*failed.begin());
    return Description{std::to_string(failed.size()), "0 near it",
                       "a link near it has failed: " + first};
  });
}

std::optional<std::string> SafetyRules::objection_to_drain_switch() const {
  for (const auto rule :
       {&SafetyRules::probes, &SafetyRules::switches_here, &SafetyRules::failure_holdoff,
        &SafetyRules::none_failed, &SafetyRules::transitions_per_hour, &SafetyRules::counter_age}) {
    if (RuleCheck check = (this->*rule)(); check.objection) return check.objection;
  }
  return std::nullopt;
}

bool SafetyRules::fails_nearby() const {
  return failure_holdoff().objection || none_failed().objection;
}

RuleCheck SafetyRules::max_concurrent() const {
  const std::size_t moving =
      controller_.count(LinkState::draining) + controller_.count(LinkState::waking);
  const std::uint32_t most = controller_.safety_.max_concurrent;
  return answer(moving >= most, [&] {
    return Description{std::to_string(moving), fmt::format("fewer than {}", most),
                       "enough links are changing"};
  });
}

RuleCheck SafetyRules::transitions_per_hour() const {
  const auto& transitions = controller_.transitions_[index(link_)];
  const auto recent = std::count_if(transitions.begin(), transitions.end(), [&](TimePoint at) {
    return now_ - at <= std::chrono::hours(1);
  });
  const std::uint32_t most = controller_.safety_.transitions_per_hour;
  return answer(recent >= most, [&] {
    return Description{std::to_string(recent), fmt::format("fewer than {}", most),
                       "it changed too often within an hour"};
  });
}

RuleCheck SafetyRules::all_reachable() const {
  const bool reached = controller_.reachability_.all_reachable_without(link_);
  return answer(!reached, [&] {
    return Description{reached ? "yes" : "no", "all hosts reach each other without it",
                       "hosts would not reach each other"};
  });
}

// Of routed networks: OSPF and BGP find a path as long as there is one, and a switch that has one
// next hop left cannot lose another.
RuleCheck SafetyRules::min_next_hops() const {
  const forwarding::EqualCostPaths& paths = *controller_.equal_cost_;
  const std::uint32_t least = paths.options().min_next_hops;
  const auto left = paths.next_hops_without(link_, controller_.reachability_.asleep());
  return answer(left.fewest < least, [&] {
    const topology::Graph& graph = controller_.graph_;
    const std::string text = fmt::format("{} would have {} next hops to {}", graph.name(left.from),
                                         left.fewest, graph.name(left.to));
    return Description{text, fmt::format("at least {}", least), text};
  });
}

RuleCheck SafetyRules::counter_age() const {
  const Duration most = controller_.safety_.max_counter_age;
  std::optional<ChannelId> oldest;
  std::optional<Duration> age;
  for_each_loaded([&](ChannelId channel) {
    if (controller_.graph_.is_host(controller_.graph_.source(channel))) return;
    const auto one = controller_.counter_age(now_, channel);
    if (!oldest || (age && (!one || *one > *age))) {
      oldest = channel;
      age = one;
    }
  });
  const bool known = oldest && age && *age <= most;
  return answer(oldest && !known, [&] {
    const std::string what =
        !oldest ? "none is needed"
        : age   ? fmt::format("{} ago, {}", seconds_text(*age), channel_text(*oldest))
                : "never, " + channel_text(*oldest);
    return Description{what, fmt::format("read at most {} ago", seconds_text(most)),
                       "its load is not known: counters were read " + what};
  });
}

// All that the link sends may take the same detour, at the rate that the detour has now; siblings
// of equal cost share it. The busiest counts. Links that went to sleep a moment ago have moved
// theirs as well, and counters do not show it yet.
RuleCheck SafetyRules::max_detour_utilisation() const {
  const double most = controller_.safety_.max_detour_utilisation;
  std::optional<ChannelId> busiest;
  double highest = -1;
  // False: one is enough where nobody reads which one it is.
  const auto look = [&](ChannelId other, double moved) {
    const topology::LinkId taken = topology::link_of(other);
    const DataRate rate = controller_.rate_at(taken, controller_.rates_[index(taken)].least());
    const double then =
        (moved + controller_.load_expected(other)) / static_cast<double>(rate.count());
    if (then > highest) {
      highest = then;
      busiest = other;
    }
    return texts_ == Texts::made || highest <= most;
  };
  for_each_moved(look);
  return answer(highest > most, [&] {
    const std::string used =
        busiest ? fmt::format("{} would be used {:.0f} %", channel_text(*busiest), 100 * highest)
                : "no detour";
    return Description{used, fmt::format("at most {:.0f} %", 100 * most), used};
  });
}

}  // namespace ebb::controller
