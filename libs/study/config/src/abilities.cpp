// SPDX-License-Identifier: Apache-2.0
#include "abilities.hpp"

#include "ebb/routing/scheme.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ebb::config {
namespace {

using policy::Ability;

bool has_rates(const netsim::ChannelModel& model) { return model.rate_levels.size() > 1; }
bool can_sleep(const netsim::ChannelModel& model) { return model.sleep.has_value(); }

bool has_tiers(const topology::Graph& graph, const routing::Routing& routing) {
  for (std::uint32_t channel = 0; channel < graph.channel_count(); ++channel) {
    if (routing.tier(topology::ChannelId{channel}) > 0) return true;
  }
  return false;
}

bool has_choices(const std::vector<policy::NextHopSet>& next_hops) {
  return std::any_of(next_hops.begin(), next_hops.end(),
                     [](const policy::NextHopSet& set) { return set.channels.size() > 1; });
}

// Rate tables that end at the same rate and are fit, those first that share most steps with the one
// in use: "; of 40Gb/s with one: a, b".
std::string rate_tables_with(const char* what, const Simulation& made,
                             const power::Library& library,
                             const std::function<bool(const power::RateTable&)>& fits) {
  const auto used = library.find_as<power::RateTable>(made.spec.rate_table);
  if (!used) return "";
  const DataRate full = (*used)->steps.back().rate;
  const auto has_step = [&used](const power::RateTableEntry& step) {
    const auto& own = (*used)->steps;
    return std::any_of(own.begin(), own.end(),
                       [&](const auto& one) { return one.rate == step.rate; });
  };
  auto found = library.parts_where<power::RateTable>([&](const power::RateTable& table) {
    return table.steps.back().rate == full && fits(table);
  });
  const auto order = [&](const power::Part* part) {
    const auto& steps = std::get<power::RateTable>(part->body).steps;
    return std::pair(-std::count_if(steps.begin(), steps.end(), has_step), part->name);
  };
  std::sort(found.begin(), found.end(),
            [&](const auto* a, const auto* b) { return order(a) < order(b); });
  if (found.empty())
    return fmt::format("; no rate table of {} in the parts has {}", to_text(full), what);
  return fmt::format("; rate tables of {} with {}: {}", to_text(full), what,
                     power::names_text(found));
}

std::string without_sleep(const Simulation& made, const power::Library& library) {
  return fmt::format("'{}' has no sleep state", made.spec.rate_table) +
         rate_tables_with("one", made, library,
                          [](const power::RateTable& table) { return table.sleep.has_value(); });
}

std::string without_rates(const Simulation& made, const power::Library& library) {
  const auto used = library.find_as<power::RateTable>(made.spec.rate_table);
  if (used && (*used)->steps.size() > 1) {
    return fmt::format("every link has one rate; '{}' has {} of them, leave out 'topology.rates'",
                       made.spec.rate_table, (*used)->steps.size());
  }
  return fmt::format("'{}' has one rate", made.spec.rate_table) +
         rate_tables_with("several", made, library,
                          [](const power::RateTable& table) { return table.steps.size() > 1; });
}

// Made only for the message: a routing of each kind on this graph.
std::string without_tiers(const Simulation& made) {
  std::string names;
  for (const routing::Scheme& scheme : routing::schemes()) {
    const auto routing = routing::make_routing(scheme.name, *made.graph);
    if (routing && has_tiers(*made.graph, **routing))
      names += (names.empty() ? "" : ", ") + scheme.name;
  }
  return fmt::format("with the routing '{}' all channels are of tier 0; {}", made.spec.routing,
                     names.empty() ? "no routing of this network has other tiers"
                                   : "routings of this network with other tiers: " + names);
}

std::string reason_against(Ability ability, const Simulation& made, const power::Library& library) {
  const bool sleeps = std::any_of(made.models.begin(), made.models.end(), can_sleep);
  switch (ability) {
    case Ability::set_rate:
    case Ability::slow_when_idle:
      return without_rates(made, library);
    case Ability::sleep:
      if (!sleeps) return without_sleep(made, library);
      return fmt::format("the routing '{}' has one next hop for every destination",
                         made.spec.routing);
    case Ability::sleep_of_tiers:
      return sleeps ? without_tiers(made) : without_sleep(made, library);
    case Ability::sleep_when_idle:
    case Ability::wake_when_announced:
      return without_sleep(made, library);
    case Ability::wake_when_planned:
      if (!sleeps) return without_sleep(made, library);
      return made.graph->interfaces() > 1
                 ? "with several interfaces the way of a message is not known before the message is"
                 : "hosts follow no program ('traffic.program' or 'traffic.jobs')";
  }
  return "";
}

}  // namespace

policy::Abilities abilities_of(const Simulation& made) {
  policy::Abilities abilities;
  if (std::any_of(made.models.begin(), made.models.end(), has_rates)) {
    abilities.push_back(Ability::set_rate);
    abilities.push_back(Ability::slow_when_idle);
  }
  if (!std::any_of(made.models.begin(), made.models.end(), can_sleep)) return abilities;
  abilities.push_back(Ability::sleep_when_idle);
  abilities.push_back(Ability::wake_when_announced);
  if (!made.spec.jobs.jobs.empty() && made.graph->interfaces() == 1)
    abilities.push_back(Ability::wake_when_planned);
  // Frames of a sleeping link of a fabric take its detour.
  if (made.spec.fabric || has_choices(made.next_hops)) abilities.push_back(Ability::sleep);
  if (has_tiers(*made.graph, *made.routing)) abilities.push_back(Ability::sleep_of_tiers);
  return abilities;
}

Errors validate_policy(const Simulation& made, const power::Library& library) {
  const policy::Policy& policy = *made.policy.policy;
  if (policy::can_act(policy, abilities_of(made))) return {};
  std::string message = fmt::format("'{}' can change nothing here:", made.policy.name);
  const char* joint = " it ";
  for (const Ability ability : policy.acts_by()) {
    message += fmt::format("{}{}, but {}", std::exchange(joint, "; it "), to_text(ability),
                           reason_against(ability, made, library));
  }
  return {{std::move(message), {}}};
}

}  // namespace ebb::config
