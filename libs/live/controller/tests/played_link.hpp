// SPDX-License-Identifier: Apache-2.0
//
// All that can happen to one link between two switches, played on a LinkMachine: in any order,
// orders are executed, refused or lost, answers come late, switches go and come back, cables fail,
// lose frames one way and are mended, counters stop, somebody else takes a port down, and policy
// and operators want this or that.
//
//   PlayedLink link;
//   for (const Event event : kEvents)
//     if (link.can_happen(event)) { PlayedLink next = link; next.happen(event); next.violation(); }
//
// A second passes at a time, and all limits of the machine are a few seconds, so that few states
// differ. `key()` tells states apart as far as that can matter for what comes later.
#pragma once

#include "ebb/controller/link_machine.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace ebb::controller {

// Those of one end come in pairs, that of `a` first.
enum class Event : std::uint8_t {
  // The switch does the first order that waits there, or says no.
  execute_a,
  execute_b,
  refuse_a,
  refuse_b,
  // The controller reads the first message of the switch.
  deliver_a,
  deliver_b,
  // The connection ends: what waits is lost, or is executed and nobody hears of it.
  lose_a,
  lose_b,
  finish_a,
  finish_b,
  // The switch is here again.
  join_a,
  join_b,
  // The cable.
  cut,
  mend,
  // Frames that leave here no longer arrive, although ports stay up; or do again.
  deafen_a,
  deafen_b,
  // Somebody else disables the port, or enables it.
  toggle_a,
  toggle_b,
  // What policy and operator want.
  policy_sleep,
  policy_wake,
  drain,
  undrain,
  // A second: counters are read and probes sent; counters are not read; a frame that was diverted
  // elsewhere leaves by `a`, diverted or not.
  pass,
  pass_uncounted,
  pass_straggler,
};
inline constexpr std::uint8_t kEvents = static_cast<std::uint8_t>(Event::pass_straggler) + 1;

// What a broken controller or driver would do; the search must find each of them.
enum class Fault : std::uint8_t {
  none,
  old_answers_count,  // the answer to an overtaken order is taken for that to the present one
  refusals_count,     // a refusal is taken for a confirmation
  absence_not_told,   // the machine is not told that a switch went
  probes_made_up,     // every probe is said to come through
  counters_made_up,   // counters are said to stand still
  drain_forgotten,    // an operator's drain is not kept
  answers_dropped,    // refusals never reach the machine
};

class PlayedLink {
 public:
  // How often what seldom happens may: faults of cables, refusals, lost connections, wishes.
  struct Budget {
    std::uint8_t faults = 2;
    std::uint8_t refusals = 1;
    std::uint8_t absences = 1;
    std::uint8_t wishes = 3;
    std::uint8_t uncounted = 1;
    std::uint8_t stragglers = 1;
  };

  PlayedLink(const Budget& budget, Fault fault);

  [[nodiscard]] bool can_happen(Event event) const;
  void happen(Event event);

  // What was broken by the last event; empty: nothing.
  [[nodiscard]] const std::string& violation() const { return violation_; }
  // Nothing seldom happens from now on, and everything is executed and delivered: what is wrong
  // then, for ever; empty: nothing.
  [[nodiscard]] std::string wrong_when_quiet() const;

  [[nodiscard]] std::string key() const;

 private:
  struct Message {
    bool is_answer = false;
    Order order{};   // of an answer
    bool ok = true;  // of an answer; or whether the port is live
  };
  struct Waiting {
    Order order;
    TimePoint given{};
  };
  struct Switch {
    bool here = true;
    bool detour = false;   // which bucket its group has first
    bool enabled = true;   // its port, administratively
    bool touched = false;  // the last to change that was somebody else
    bool arrives = true;   // what leaves here
    std::uint64_t frames = 0;
    TimePoint last_frame{};
    std::deque<Waiting> orders;    // that wait there
    std::deque<Message> messages;  // that wait for the controller
  };

  [[nodiscard]] bool is_live() const;
  [[nodiscard]] bool is_sound() const;
  [[nodiscard]] bool both_here() const { return switches_[0].here && switches_[1].here; }
  [[nodiscard]] bool goes_down() const;  // a switch has been told to, and will
  [[nodiscard]] Switch& at(End end);
  void execute(Switch& one, bool ok);
  void do_order(Switch& one, const Waiting& waiting);
  void check_order(const Order& order);
  void deliver(Switch& one);
  void disconnect(Switch& one, bool finishes);
  void join(Switch& one);
  void look_at_ports();
  void toggle(Switch& one);
  void drain(bool drained);
  void pass_second(bool counted, bool straggler = false);
  void send_probes();
  void take_orders();
  template <class Change>
  void change_cable(const Change& change);
  [[nodiscard]] std::string state_text() const;

  Budget budget_;
  Fault fault_;
  LinkMachine machine_;
  std::array<Switch, 2> switches_;
  bool cable_ = true;
  bool drained_ = false;
  TimePoint now_{std::chrono::seconds(1000)};
  TimePoint last_fault_{};
  TimePoint last_touch_{};  // of a port, by somebody else
  std::string violation_;
};

}  // namespace ebb::controller
