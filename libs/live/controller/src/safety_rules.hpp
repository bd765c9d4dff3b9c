// SPDX-License-Identifier: Apache-2.0
//
// The safety rules, one function each, in the order in which they are asked: what costs least
// first, because the first objection is enough to refuse.
#pragma once

#include "ebb/controller/controller.hpp"

#include <span>

namespace ebb::controller {

class SafetyRules {
 public:
  // A policy that asks again and again is told which rule objects, and nobody reads why.
  enum class Texts : std::uint8_t { made, left_out };
  SafetyRules(const Controller& controller, TimePoint now, topology::LinkId link,
              Texts texts = Texts::made)
      : controller_(controller), now_(now), link_(link), texts_(texts) {}

  // An operator may drain links of the core, and at once.
  enum class Who : std::uint8_t { policy, operator_of_it };

  [[nodiscard]] std::optional<RuleCheck> first_objection(Who who) const;
  [[nodiscard]] std::vector<RuleCheck> all() const;
  // What of these rules counts when all links of a switch go together: who is reached then, and
  // with which load, is asked of all of them at once.
  [[nodiscard]] std::optional<std::string> objection_to_drain_switch() const;
  [[nodiscard]] static std::vector<std::string_view> names();
  // Something near it has failed, or did so lately.
  [[nodiscard]] bool fails_nearby() const;

 private:
  struct Rule {
    std::string_view name;
    RuleCheck (SafetyRules::*check)() const;
  };
  // Those of a controller; null: of one that has tables.
  static std::span<const Rule> rules(Who who, const Controller* controller);
  [[nodiscard]] RuleCheck ask(const Rule& rule) const;

  // Each without its name.
  [[nodiscard]] RuleCheck not_drained() const;
  [[nodiscard]] RuleCheck not_core() const;
  [[nodiscard]] RuleCheck min_awake_time() const;
  [[nodiscard]] RuleCheck is_active() const;
  [[nodiscard]] RuleCheck probes() const;
  [[nodiscard]] RuleCheck switches_here() const;
  [[nodiscard]] RuleCheck failure_holdoff() const;
  [[nodiscard]] RuleCheck none_failed() const;
  [[nodiscard]] RuleCheck max_concurrent() const;
  [[nodiscard]] RuleCheck transitions_per_hour() const;
  [[nodiscard]] RuleCheck all_reachable() const;
  [[nodiscard]] RuleCheck min_next_hops() const;
  [[nodiscard]] RuleCheck counter_age() const;
  [[nodiscard]] RuleCheck max_detour_utilisation() const;

  struct Description {
    std::string present;
    std::string needed;
    std::string objection;  // of use where the rule objects
  };
  // Calls `describe` where somebody reads it.
  template <class Describe>
  [[nodiscard]] RuleCheck answer(bool objects, const Describe& describe) const;
  // Each link that shares a switch with it or is on a detour of it, and itself; some more than
  // once.
  template <class Call>
  void for_each_near(const Call& call) const;
  // Each channel that it sends on, and each that would carry that instead.
  template <class Call>
  void for_each_loaded(const Call& call) const;
  // Each channel to which load moves when it sleeps, and how much in bit/s, until false.
  template <class Call>
  void for_each_moved(const Call& call) const;
  [[nodiscard]] std::string channel_text(topology::ChannelId channel) const;
  [[nodiscard]] const LinkMachine& machine() const { return controller_.link(link_); }

  const Controller& controller_;
  TimePoint now_;
  topology::LinkId link_;
  Texts texts_;
};

}  // namespace ebb::controller
