// SPDX-License-Identifier: Apache-2.0
#include "safety_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ebb::controller {

using topology::ChannelId;

namespace {

std::string seconds_text(Duration time) {
  return fmt::format("{:.1f} s", std::chrono::duration<double>(time).count());
}

std::optional<std::string> objection_if(bool objects, std::string why) {
  return objects ? std::optional(std::move(why)) : std::nullopt;
}

}  // namespace

std::span<const SafetyRules::Rule> SafetyRules::rules(Who who) {
  static constexpr std::array<Rule, 12> kRules{{
      {"drained", &SafetyRules::not_drained},
      {"core", &SafetyRules::not_core},
      {"min_awake_time", &SafetyRules::min_awake_time},
      // From here on also for operators.
      {"state", &SafetyRules::is_active},
      {"cabling", &SafetyRules::cabling_known},
      {"reachable", &SafetyRules::ends_here},
      {"failure_holdoff", &SafetyRules::failure_holdoff},
      {"failed_links", &SafetyRules::nothing_failed},
      {"max_concurrent", &SafetyRules::max_concurrent},
      {"transitions_per_hour", &SafetyRules::transitions_per_hour},
      {"all_reachable", &SafetyRules::all_reachable},
      {"max_detour_utilisation", &SafetyRules::max_detour_utilisation},
  }};
  constexpr std::size_t kForPoliciesAlone = 3;
  return std::span(kRules).subspan(who == Who::policy ? 0 : kForPoliciesAlone);
}

std::vector<std::string_view> SafetyRules::names() {
  std::vector<std::string_view> names;
  for (const Rule& rule : rules(Who::policy)) names.push_back(rule.name);
  return names;
}

RuleCheck SafetyRules::ask(const Rule& rule) const {
  RuleCheck check = (this->*rule.check)();
  check.rule = rule.name;
  return check;
}

std::optional<RuleCheck> SafetyRules::first_objection(Who who) const {
  for (const Rule& rule : rules(who)) {
    if (RuleCheck check = ask(rule); check.objection) return check;
  }
  return std::nullopt;
}

std::vector<RuleCheck> SafetyRules::all() const {
  std::vector<RuleCheck> checks;
  for (const Rule& rule : rules(Who::policy)) checks.push_back(ask(rule));
  return checks;
}

RuleCheck SafetyRules::not_drained() const {
  const bool out = controller_.drained_[index(link_)];
  return {{}, out ? "by an operator" : "no", "not drained", objection_if(out, "it is drained")};
}

RuleCheck SafetyRules::not_core() const {
  const bool may = controller_.sleepable_.may_sleep[index(link_)];
  return {{},
          may ? "no" : "yes",
          "not of the connected core",
          objection_if(!may, "it belongs to the connected core")};
}

RuleCheck SafetyRules::min_awake_time() const {
  const Duration least = controller_.safety_.min_awake_time;
  const Duration time = now_ - machine().since();
  const bool active = machine().state() == LinkState::active;
  return {{},
          active ? seconds_text(time) : "not active",
          "at least " + seconds_text(least),
          objection_if(time < least, "it has been active for less than " + seconds_text(least))};
}

RuleCheck SafetyRules::is_active() const {
  const LinkState seen = controller_.state_seen(link_);
  const std::string state(to_text(seen));
  return {{}, state, "active", objection_if(seen != LinkState::active, "it is " + state)};
}

RuleCheck SafetyRules::cabling_known() const {
  const bool known = controller_.cabling_known_;
  return {{},
          known ? "as described" : "not known",
          "every switch here, cables as described",
          objection_if(!known, "the cables have not been checked yet")};
}

RuleCheck SafetyRules::ends_here() const {
  const topology::Graph& graph = controller_.graph_;
  const topology::Link& ends = graph.link(link_);
  std::string away;
  for (const topology::NodeId end : {ends.a, ends.b}) {
    if (!graph.is_host(end) && !controller_.here_[index(end)])
      away += (away.empty() ? "" : " and ") + graph.name(end);
  }
  return {{},
          away.empty() ? "both ends" : away + " cannot be reached",
          "both switches",
          objection_if(!away.empty(), "a switch cannot be reached")};
}

RuleCheck SafetyRules::failure_holdoff() const {
  const auto& last = controller_.last_failure_;
  const Duration least = controller_.safety_.failure_holdoff;
  return {{},
          last ? seconds_text(now_ - *last) : "nothing has failed",
          "at least " + seconds_text(least),
          objection_if(last && now_ - *last < least,
                       "something failed less than " + seconds_text(least) + " ago")};
}

RuleCheck SafetyRules::nothing_failed() const {
  const std::uint32_t failed = controller_.count(LinkState::failed);
  return {{}, std::to_string(failed), "0", objection_if(failed > 0, "a link has failed")};
}

RuleCheck SafetyRules::max_concurrent() const {
  const std::size_t moving =
      controller_.count(LinkState::draining) + controller_.count(LinkState::waking);
  const std::uint32_t most = controller_.safety_.max_concurrent;
  return {{},
          std::to_string(moving),
          fmt::format("fewer than {}", most),
          objection_if(moving >= most, "enough links are changing")};
}

RuleCheck SafetyRules::transitions_per_hour() const {
  const auto& transitions = controller_.transitions_[index(link_)];
  const auto recent = std::count_if(transitions.begin(), transitions.end(), [&](TimePoint at) {
    return now_ - at <= std::chrono::hours(1);
  });
  const std::uint32_t most = controller_.safety_.transitions_per_hour;
  return {{},
          std::to_string(recent),
          fmt::format("fewer than {}", most),
          objection_if(recent >= most, "it changed too often within an hour")};
}

RuleCheck SafetyRules::all_reachable() const {
  const bool reached = controller_.reachability_.all_reachable_without(link_);
  return {{},
          reached ? "yes" : "no",
          "all hosts reach each other without it",
          objection_if(!reached, "hosts would not reach each other")};
}

// Share of its rate that a channel would be used with what another sends.
double SafetyRules::used_with(ChannelId moved, ChannelId other) const {
  const topology::LinkId taken = topology::link_of(other);
  const DataRate rate = controller_.rate_at(taken, controller_.rates_[index(taken)].least());
  return (controller_.sampler_.load(moved) + controller_.sampler_.load(other)) /
         static_cast<double>(rate.count());
}

// All that the link sends may take the same detour, at the rate that it has now. The busiest
// counts.
RuleCheck SafetyRules::max_detour_utilisation() const {
  const double most = controller_.safety_.max_detour_utilisation;
  RuleCheck check{{}, "no detour", fmt::format("at most {:.0f} %", 100 * most), std::nullopt};
  double highest = -1;
  const ChannelId forth = topology::forward(link_);
  for (const ChannelId channel : {forth, topology::reverse(forth)}) {
    for (const ChannelId other : controller_.sleepable_.backup_channels[index(channel)]) {
      const double then = used_with(channel, other);
      if (then <= highest) continue;
      highest = then;
      const topology::Graph& graph = controller_.graph_;
      check.present =
          fmt::format("{} to {} would be used {:.0f} %", graph.name(graph.source(other)),
                      graph.name(graph.target(other)), 100 * then);
    }
  }
  check.objection = objection_if(highest > most, check.present);
  return check;
}

}  // namespace ebb::controller
