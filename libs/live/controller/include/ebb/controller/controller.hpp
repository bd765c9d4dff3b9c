// SPDX-License-Identifier: Apache-2.0
//
// Decides which links of a live fabric sleep: the policy asks, safety rules answer, a machine for
// each link carries it out. Values in, orders out: no socket, clock or log, so that a test, a fake
// fabric and real switches run the same code.
//
//   Controller controller(graph, detours, facts, safety, policy);
//   controller.counted(now, counts);            // port counters, whenever they are read
//   controller.detoured(now, end, bytes);       // and group counters, while it wants to know them
//   controller.port(now, end, live);            // a port went up or down
//   controller.probe_heard(now, end);           // a probe that left there came in at the other end
//   controller.tick(now);                       // at next_tick() or later
//   for (const Order& order : controller.take_orders()) driver.give(order);
//   controller.answered(now, order, ok, why);   // when the switch has answered
#pragma once

#include "ebb/controller/diverted_loads.hpp"
#include "ebb/controller/link_machine.hpp"
#include "ebb/controller/link_rate.hpp"
#include "ebb/controller/safety.hpp"
#include "ebb/controller/sampler.hpp"
#include "ebb/controller/switch_state.hpp"
#include "ebb/controller/triggers.hpp"
#include "ebb/forwarding/equal_cost.hpp"
#include "ebb/forwarding/reachability.hpp"
#include "ebb/policy/policy.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace ebb::controller {

// What happened to a link, and why.
struct Entry {
  TimePoint at{};
  topology::LinkId link{};
  LinkState state{};
  std::string why;
  bool dry_run = false;  // by a dry run: the link is not in that state
};

// A dry run asks the policy and applies the safety rules, writes down what it would do, and gives
// no orders. The policy is told as if it had been done; frames go where they went.
enum class RunMode : std::uint8_t { live, dry_run };

class Controller {
 public:
  // Begins with all links active. `graph`, `reach` and `policy` outlive it.
  Controller(const topology::Graph& graph, const forwarding::TableWalker& walker,
             forwarding::SleepableLinks sleepable, std::vector<ChannelFacts> facts,
             const Safety& safety, policy::Policy& policy, RunMode doing = RunMode::live);
  // The switches are routed by others, and not by tables of ebb: the rule min_next_hops stands in
  // for all_reachable, and load moves to siblings. Before anything else. `paths` outlive it.
  void use_equal_cost(const forwarding::EqualCostPaths& paths);

  void counted(TimePoint now, std::span<const PortCount> counts);
  // What the groups of an output have sent, in all. Of use while wants_detours() of it.
  void detoured(TimePoint now, End end, std::uint64_t bytes);
  void port(TimePoint now, End end, bool live);
  void answered(TimePoint now, const Order& order, bool ok, const std::string& why = {});
  void tick(TimePoint now);
  // A switch that cannot be reached is neither asked nor trusted: its links stay as they are.
  void joined(TimePoint now, std::uint32_t device);
  void left(TimePoint now, std::uint32_t device);
  // What becomes of probes, by the channel that they took. A link sleeps only if it and its detours
  // carried the last probe, both ways.
  void probe_sent(TimePoint now, End end) { triggers_.probed(now, end); }
  void probe_heard(TimePoint now, End end);
  void probe_missed(TimePoint now, End end);
  // The cable at that end leads elsewhere: its link is diverted, like one that has failed.
  void miscabled(TimePoint now, End end, const std::string& where);
  // Whether the rates of the switch's ports can be set. A link needs it of both its switches.
  void rates_at(std::uint32_t device, bool can) { sets_rates_[device] = can; }
  // The rates at which the two ends of a link were found, first of its forward channel.
  void found_steps(TimePoint now, topology::LinkId link, policy::RateLevel a, policy::RateLevel b);
  // A link whose ports are down on purpose, as it is found: `both`, or one end alone.
  void found_asleep(TimePoint now, topology::LinkId link, bool both);
  // No port of it is down on purpose.
  void found_awake(TimePoint now, topology::LinkId link);
  // What the controller before this one knew of a link, before any switch is here.
  void restore(TimePoint now, topology::LinkId link, const PersistedLink& saved);
  [[nodiscard]] PersistedLink persisted(TimePoint now, topology::LinkId link) const;
  // An operator asks, for maintenance: any link without which everyone is still reached may sleep,
  // whatever the policy thinks, until it is asked to wake. The answer is why not.
  [[nodiscard]] std::optional<std::string> drain(TimePoint now, topology::LinkId link);
  [[nodiscard]] std::optional<std::string> undrain(TimePoint now, topology::LinkId link);

  // Whole switches (src/controller_switches.cpp). Drained together, they are a set without which
  // all hosts must still reach each other. The answer is why not.
  void use_power(const SwitchPower& power);
  [[nodiscard]] std::optional<std::string> drain_switches(TimePoint now,
                                                          const std::set<std::uint32_t>& devices);
  [[nodiscard]] std::optional<std::string> undrain_switches(TimePoint now,
                                                            const std::set<std::uint32_t>& devices);
  // Switches that the policy wants to be without: it wants each link of them asleep. Those of which
  // it drains none until something else has changed have the reason.
  [[nodiscard]] bool wants_off(std::uint32_t device) const { return wanted_off_.contains(device); }
  [[nodiscard]] std::optional<std::string> objection_to_off(std::uint32_t device) const;
  // The policy may drain it.
  [[nodiscard]] bool is_of_policy(std::uint32_t device) const { return whole_.contains(device); }
  [[nodiscard]] const SwitchPower& power_limits() const { return power_; }
  // Some switch that the policy has drained is out of use, or on its way back.
  [[nodiscard]] bool has_drained_by_policy() const;
  // With a switch of it.
  [[nodiscard]] bool is_drained_by_policy(topology::LinkId link) const {
    return !drained_at(link).empty();
  }
  // What a power driver is to be told, and what it answered.
  [[nodiscard]] std::vector<PowerOrder> take_power_orders();
  void power_answered(TimePoint now, const PowerOrder& order, bool ok, const std::string& why);
  void restore(TimePoint now, std::uint32_t device, const PersistedSwitch& saved);
  [[nodiscard]] SwitchState switch_state(std::uint32_t device) const;
  [[nodiscard]] const std::map<std::uint32_t, SwitchEntry>& switches_out() const { return out_; }
  [[nodiscard]] std::vector<SwitchEntry> take_switch_journal();
  // Its absence is no failure: it is off, or about to be.
  [[nodiscard]] bool is_absent_by_order(std::uint32_t device) const;
  // It comes back from being off: its rules are to be read back before it counts as here.
  [[nodiscard]] bool is_starting(std::uint32_t device) const;

  // The controller is about to go: everything is woken and runs at its full rate, and nothing
  // sleeps any more.
  void shut_down(TimePoint now);

  [[nodiscard]] std::vector<Order> take_orders();
  // False: a later order to the same link has overtaken it, and it is not to be sent.
  [[nodiscard]] bool is_current(const Order& order) const;
  [[nodiscard]] std::vector<Entry> take_journal();
  [[nodiscard]] TimePoint next_tick() const;

  [[nodiscard]] const LinkMachine& link(topology::LinkId link) const {
    return machines_[index(link)];
  }
  [[nodiscard]] const LinkRate& rate(topology::LinkId link) const { return rates_[index(link)]; }
  [[nodiscard]] bool all_at_full_rate() const;
  // Asleep; in a dry run: would be, if what was said had been done.
  [[nodiscard]] bool sleeps(topology::LinkId link) const {
    return state_seen(link) == LinkState::asleep;
  }
  // The level that it runs at; in a dry run: that it would run at.
  [[nodiscard]] policy::RateLevel rate_level(topology::LinkId link) const {
    return dry_run() ? would_run_[index(link)] : rates_[index(link)].step();
  }
  [[nodiscard]] std::uint32_t count(LinkState state) const { return links_.count(state); }
  [[nodiscard]] double utilisation(topology::ChannelId channel) const {
    return sampler_.utilisation(channel);
  }
  // How long ago the counter of a channel was read; none: never.
  [[nodiscard]] std::optional<Duration> counter_age(TimePoint now,
                                                    topology::ChannelId channel) const {
    return sampler_.age(now, channel);
  }
  // Whether the last probe that took the channel came through.
  [[nodiscard]] bool is_proven(topology::ChannelId channel) const {
    return proven_[index(channel)];
  }
  // Calls for each link that is on its way to sleep or back, has failed, or waits for a switch.
  template <class Call>
  void for_each_moving(const Call& call) const {
    links_.for_each_moving(call);
  }
  // Its link sleeps, or is on its way, until something takes the detour.
  [[nodiscard]] bool wants_detours(topology::ChannelId channel) const {
    return triggers_.has(channel) && links_.is_not_active(topology::link_of(channel));
  }
  [[nodiscard]] bool has_triggers() const { return triggers_.any(); }
  // Nothing: the policy has not armed it to sleep when it is idle.
  [[nodiscard]] std::optional<Triggers::Idle> idle(TimePoint now,
                                                   topology::ChannelId channel) const {
    return triggers_.idle(now, channel);
  }
  // Why the link may not go to sleep now; nothing: it may.
  [[nodiscard]] std::optional<std::string> objection(TimePoint now, topology::LinkId link) const;
  // Every safety rule with what it looks at, whether it objects or not.
  [[nodiscard]] std::vector<RuleCheck> checks(TimePoint now, topology::LinkId link) const;
  // What the policy asked for last, whether or not it was done.
  [[nodiscard]] bool wants_asleep(topology::ChannelId channel) const {
    return wishes_[index(channel)];
  }
  // By itself, or with one of its switches.
  [[nodiscard]] bool is_drained(topology::LinkId link) const {
    return drained_[index(link)] || is_out(link);
  }
  [[nodiscard]] bool dry_run() const { return mode_ == RunMode::dry_run; }
  [[nodiscard]] const Safety& safety() const { return safety_; }
  [[nodiscard]] const DecisionCounts& decision_counts() const { return counts_; }
  // Why the policy is asked no more, and every link stays awake; nothing: it decides.
  [[nodiscard]] const std::optional<std::string>& policy_failure() const { return policy_failure_; }

 private:
  friend class SafetyRules;

  // The scope of a failure: links that share a switch with the one that failed, and links whose
  // detours meet it (src/failure_scope.cpp).
  [[nodiscard]] bool is_near(topology::LinkId link, topology::LinkId other) const;
  [[nodiscard]] std::function<bool(topology::LinkId)> detours_over(
      const std::vector<topology::LinkId>& links) const;
  void link_failed(TimePoint now, topology::LinkId failed);
  void switch_gone(TimePoint now, std::uint32_t device);
  void wake_near(TimePoint now, const std::function<bool(topology::LinkId)>& near,
                 const std::string& why);
  [[nodiscard]] std::vector<topology::LinkId> needed_to_reach();
  void wake_now(TimePoint now, topology::LinkId link, const std::string& why);
  void wake_waiting(TimePoint now);
  // Everything that sleeps and is not drained; orders to a switch that is away would only fail.
  void wake_all(TimePoint now, const std::string& why);
  void full_rates(TimePoint now, const std::string& why,
                  const std::function<bool(topology::LinkId)>& where);
  [[nodiscard]] bool may_wake(topology::LinkId link) const;
  [[nodiscard]] bool both_here(topology::LinkId link) const;
  [[nodiscard]] std::string link_text(topology::LinkId link) const;
  void set_proven(End end, bool proven);
  void set_here(TimePoint now, std::uint32_t device, bool here);
  void found_drained(TimePoint now, topology::LinkId link);
  // Whole switches.
  [[nodiscard]] bool keeps_links_down(std::uint32_t device) const;
  [[nodiscard]] bool is_out(topology::LinkId link) const;
  [[nodiscard]] bool is_leaving(topology::LinkId link) const;
  [[nodiscard]] bool carries(std::uint32_t device) const;
  [[nodiscard]] bool reached_with(const std::vector<topology::LinkId>& links);
  [[nodiscard]] std::vector<topology::LinkId> links_of(std::uint32_t device) const;
  [[nodiscard]] std::uint32_t other_end(topology::LinkId link, std::uint32_t device) const;
  [[nodiscard]] End end_at(topology::LinkId link, std::uint32_t device) const;
  [[nodiscard]] std::optional<std::string> switches_needed(TimePoint now,
                                                           const std::set<std::uint32_t>& devices);
  [[nodiscard]] std::optional<std::string> links_cannot_go(TimePoint now,
                                                           std::uint32_t device) const;
  [[nodiscard]] std::optional<std::string> pair_cut_off(const std::set<topology::LinkId>& links);
  [[nodiscard]] std::optional<std::string> neighbours_overloaded(
      const std::set<std::uint32_t>& devices) const;
  void enter(TimePoint now, std::uint32_t device, SwitchState state, const std::string& why);
  void tick_switches(TimePoint now);
  void drain_on(TimePoint now);
  void go_down(TimePoint now, std::uint32_t device);
  void start(TimePoint now, std::uint32_t device, const std::string& why);
  void bring_back(TimePoint now, std::uint32_t device, const std::string& why);
  void return_on(TimePoint now, std::uint32_t device);
  void hold_link(TimePoint now, topology::LinkId link);
  void begin_drain(TimePoint now, const std::set<std::uint32_t>& devices, DrainedBy who,
                   const std::string& why);
  // Whole switches by the policy (src/controller_switch_policy.cpp).
  [[nodiscard]] bool is_drained_by_policy(std::uint32_t device) const;
  [[nodiscard]] bool is_on_its_way_back(std::uint32_t device) const;
  void drain_what_policy_wants(TimePoint now, std::span<const policy::Action> actions);
  [[nodiscard]] std::optional<std::string> cannot_go_off(TimePoint now, std::uint32_t device);
  [[nodiscard]] bool goes_whole(topology::LinkId link) const;
  [[nodiscard]] std::vector<std::uint32_t> drained_at(topology::LinkId link) const;
  [[nodiscard]] policy::Reason wake_switches_of(TimePoint now, topology::ChannelId channel);
  void wake_switch(std::uint32_t device, const std::string& why);
  void wake_all_switches(const std::string& why);
  void wake_switches_around(const std::set<std::uint32_t>& devices, const std::string& why);
  void relieve_by_switch(topology::ChannelId detour);
  void wake_waiting_switches(TimePoint now);
  void record_dry_run(TimePoint now, topology::LinkId link, bool asleep, const std::string& why);
  [[nodiscard]] LinkState state_seen(topology::LinkId link) const;
  void decide(TimePoint now);
  void go_on_without_policy(TimePoint now);
  void keep_drained(TimePoint now);
  [[nodiscard]] policy::Outcome apply(TimePoint now, const policy::Action& action);
  [[nodiscard]] policy::Reason sleep(TimePoint now, topology::ChannelId channel);
  [[nodiscard]] policy::Reason wake(TimePoint now, topology::ChannelId channel);
  [[nodiscard]] policy::Reason set_step(TimePoint now, topology::ChannelId channel);
  // Triggers (src/controller_triggers.cpp).
  [[nodiscard]] policy::Reason arm(TimePoint now, topology::ChannelId channel,
                                   const policy::Order& order);
  void pull_triggers(TimePoint now, topology::LinkId link);
  void sleep_idle(TimePoint now, topology::LinkId link);
  void wake_wanted(TimePoint now, topology::LinkId link);
  void change_idle_rate(TimePoint now, topology::LinkId link);
  void reset_triggers(TimePoint now, topology::LinkId link);
  [[nodiscard]] std::optional<std::string> too_slow(TimePoint now, topology::LinkId link,
                                                    policy::RateLevel step) const;
  [[nodiscard]] DataRate rate_at(topology::LinkId link, policy::RateLevel step) const;
  void say_would_run(TimePoint now, topology::LinkId link, policy::RateLevel step);
  void change_rate(TimePoint now, topology::LinkId link,
                   const std::function<void(LinkRate&)>& change);
  [[nodiscard]] policy::State state_of(topology::ChannelId channel) const;
  [[nodiscard]] std::vector<policy::State> states() const;
  void see(topology::LinkId link);
  // Its frames take detours from now on, or take the link again.
  void divert_load(topology::LinkId link);
  // Where paths are of equal cost: what would come to each channel if the link slept.
  [[nodiscard]] std::vector<MovedLoad> moved_without(topology::LinkId link) const;
  void settle_load(TimePoint now, topology::LinkId link);
  void restore_load(topology::LinkId link);
  [[nodiscard]] double detour_utilisation(topology::ChannelId channel) const;
  // Active channels that are used more than safety.wake_detour_utilisation.
  [[nodiscard]] std::vector<topology::ChannelId> full_detours() const;
  [[nodiscard]] bool may_take(topology::LinkId link, topology::ChannelId detour) const;
  [[nodiscard]] std::optional<topology::LinkId> relief_of(topology::ChannelId detour) const;
  void relieve_detours(TimePoint now);
  // Of a channel in bit/s, with what is about to take it as a detour.
  [[nodiscard]] double load_expected(topology::ChannelId channel) const {
    return sampler_.load(channel) + diverted_loads_.on(channel);
  }
  void after(TimePoint now, topology::LinkId link, LinkState before);
  template <class Change>
  void change(TimePoint now, topology::LinkId link, const Change& change);

  const topology::Graph& graph_;
  const forwarding::TableWalker& walker_;
  forwarding::ReachabilityIndex reachability_;
  forwarding::SleepableLinks sleepable_;
  const forwarding::EqualCostPaths* equal_cost_ = nullptr;  // null: by tables
  Safety safety_;
  policy::Policy& policy_;
  RunMode mode_;
  Sampler sampler_;
  DivertedLoads diverted_loads_;
  Triggers triggers_;
  std::map<topology::LinkId, TimePoint> try_again_;  // trigger that a safety rule objected to
  std::vector<LinkMachine> machines_;                // by link
  std::vector<LinkRate> rates_;                      // by link
  std::set<topology::LinkId> slowed_;                // not at their full rate, or changing
  std::vector<bool> sets_rates_;                     // by switch
  std::vector<bool> wishes_;                         // by channel: the policy wants it asleep
  // By channel, in the decision that is being carried out. A policy that says nothing of a channel
  // wants it as it is now, whatever it wanted before.
  std::vector<std::optional<policy::RateLevel>> step_wishes_;
  std::vector<policy::RateLevel> would_run_;         // by link: what a dry run has said last
  std::vector<std::vector<TimePoint>> transitions_;  // by link, of the last hour
  std::vector<bool> drained_;                        // by link
  std::vector<bool> unseen_;       // by link: restored, and how its ports are is not known
  std::vector<bool> would_sleep_;  // by link, in a dry run
  std::vector<bool> here_;         // by switch
  std::uint32_t away_ = 0;         // switches that are not here
  LinksByState links_;
  std::vector<bool> proven_;                            // by channel: its last probe came through
  std::vector<std::optional<TimePoint>> last_failure_;  // by link, or of a switch of it
  std::optional<TimePoint> newest_failure_;
  std::uint32_t unproven_ = 0;  // channels between switches
  // Links that a failure touches and that are to wake, few at a time, with the reason.
  std::map<topology::LinkId, std::string> to_wake_;
  SwitchPower power_;
  std::map<std::uint32_t, SwitchEntry> out_;  // switches that are not in use
  std::set<std::uint32_t> whole_;             // switches that the policy may drain
  std::set<std::uint32_t> wanted_off_;        // of these, by the last decision
  std::map<std::uint32_t, std::string> objections_to_off_;
  std::map<std::uint32_t, TimePoint> used_since_;  // switches that came back
  // Switches that the policy has drained and that are to come back, with the reason.
  std::map<std::uint32_t, std::string> switches_to_wake_;
  std::vector<PowerOrder> power_orders_;
  std::vector<SwitchEntry> switch_journal_;
  std::optional<std::string> policy_failure_;
  bool shutting_down_ = false;
  TimePoint next_sample_{};
  std::vector<Order> orders_;
  std::vector<Entry> journal_;
  DecisionCounts counts_;
};

// Every change of a machine goes through here: its orders are collected, its moves written down.
template <class Change>
void Controller::change(TimePoint now, topology::LinkId link, const Change& change) {
  LinkMachine& machine = machines_[index(link)];
  const LinkState before = machine.state();
  change(machine);
  for (const Order& order : machine.take_orders()) {
    if (mode_ == RunMode::live) orders_.push_back(order);
  }
  links_.ticks(link, machine.next_tick().has_value());
  if (machine.state() != before) after(now, link, before);
}

}  // namespace ebb::controller
