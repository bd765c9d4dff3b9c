// SPDX-License-Identifier: Apache-2.0
#include "played_link.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace ebb::controller {
namespace {

using std::chrono::seconds;

constexpr End kA{6};
constexpr End kB{7};
constexpr LinkTimes kTimes{.drain_idle = seconds(1),
                           .drain_limit = seconds(4),
                           .link_up_hold = seconds(1),
                           .wake_limit = seconds(5)};
// A fault of a cable is known by then: three probes, and one second to spare.
constexpr Duration kDetection = seconds(4);
// Longer than any limit of the machine: what is older looks the same.
constexpr Duration kOld = seconds(6);

std::string text(const Order& order) {
  if (const auto* group = std::get_if<SetFailoverPreference>(&order))
    return fmt::format("g{}{}", index(group->end) - index(kA), group->detour ? 'd' : 's');
  const auto& port = std::get<SetPort>(order);
  return fmt::format("p{}{}", index(port.end) - index(kA), port.up ? 'u' : 'd');
}

bool brings_back(const Order& order) {
  const auto* group = std::get_if<SetFailoverPreference>(&order);
  return group != nullptr && !group->detour;
}

std::size_t side_of(Event event) { return static_cast<std::size_t>(event) % 2; }

bool enables(const Order& order) {
  const auto* port = std::get_if<SetPort>(&order);
  return port != nullptr && port->up;
}

}  // namespace

// Everything in a machine that can matter for what it does later.
struct LinkMachineKey {
  static std::string of(const LinkMachine& machine, TimePoint now) {
    const auto age = [&](TimePoint at) { return std::min(now - at, kOld) / seconds(1); };
    std::string key =
        fmt::format("{}{}{}{}{}{}{}.{}.{}.{}", static_cast<int>(machine.state_), machine.detour_,
                    machine.up_, machine.keep_down_ + 2 * machine.half_up_ + 4 * machine.held_,
                    machine.ours_, machine.lost_probes_, machine.times_lost_, age(machine.since_),
                    age(machine.tried_), age(machine.last_lost_));
    for (const LinkMachine::Side& side : machine.sides_) {
      key += fmt::format("|{}{}{}.{}.{}.{:x}.{}{}.{}{}.{}{}{}", side.here, side.live,
                         age(side.live_since), side.probed ? age(*side.probed) : -1,
                         std::min(side.in_a_row, 24U), side.missed,
                         static_cast<int>(side.failover.step), age(side.failover.at),
                         static_cast<int>(side.port.step), age(side.port.at), side.counted,
                         age(side.quiet_since), age(side.read_at));
    }
    return key;
  }
  static std::uint64_t frames(const LinkMachine& machine, std::size_t side) {
    return machine.sides_[side].frames;
  }
};

PlayedLink::PlayedLink(const Budget& budget, Fault fault)
    : budget_(budget), fault_(fault), machine_(kA, kB, kTimes) {}

bool PlayedLink::is_live() const { return cable_ && switches_[0].enabled && switches_[1].enabled; }

bool PlayedLink::is_sound() const {
  return is_live() && switches_[0].arrives && switches_[1].arrives;
}

bool PlayedLink::goes_down() const {
  const auto disables = [](const Waiting& waiting) {
    const auto* port = std::get_if<SetPort>(&waiting.order);
    return port != nullptr && !port->up;
  };
  return std::any_of(switches_.begin(), switches_.end(), [&](const Switch& one) {
    return std::any_of(one.orders.begin(), one.orders.end(), disables);
  });
}

PlayedLink::Switch& PlayedLink::at(End end) { return switches_[end == kA ? 0 : 1]; }

bool PlayedLink::can_happen(Event event) const {
  const Switch& one = switches_[side_of(event)];
  switch (event) {
    case Event::execute_a:
    case Event::execute_b:
      return !one.orders.empty();
    case Event::refuse_a:
    case Event::refuse_b:
      return !one.orders.empty() && budget_.refusals > 0;
    case Event::deliver_a:
    case Event::deliver_b:
      return !one.messages.empty();
    case Event::lose_a:
    case Event::lose_b:
      return one.here && budget_.absences > 0;
    case Event::finish_a:
    case Event::finish_b:
      return one.here && !one.orders.empty() && budget_.absences > 0;
    case Event::join_a:
    case Event::join_b:
      return !one.here;
    case Event::cut:
      return cable_ && budget_.faults > 0;
    case Event::mend:
      return !cable_;
    case Event::deafen_a:
    case Event::deafen_b:
      return !one.arrives || budget_.faults > 0;
    case Event::toggle_a:
    case Event::toggle_b:
      return one.touched || budget_.faults > 0;
    // Safety rules: nothing is drained whose switches are not here.
    case Event::policy_sleep:
      return !drained_ && budget_.wishes > 0 && both_here();
    case Event::policy_wake:
      return !drained_ && budget_.wishes > 0;
    case Event::drain:
      return !drained_ && budget_.wishes > 0 &&
             (both_here() || machine_.state() != LinkState::active);
    case Event::undrain:
      return drained_ && budget_.wishes > 0;
    case Event::pass:
      return true;
    case Event::pass_uncounted:
      return budget_.uncounted > 0;
    case Event::pass_straggler:
      return budget_.stragglers > 0 && is_live() && !goes_down();
  }
  return false;
}

void PlayedLink::happen(Event event) {
  Switch& one = switches_[side_of(event)];
  switch (event) {
    case Event::execute_a:
    case Event::execute_b:
      execute(one, true);
      break;
    case Event::refuse_a:
    case Event::refuse_b:
      --budget_.refusals;
      execute(one, false);
      break;
    case Event::deliver_a:
    case Event::deliver_b:
      deliver(one);
      break;
    case Event::lose_a:
    case Event::lose_b:
      disconnect(one, false);
      break;
    case Event::finish_a:
    case Event::finish_b:
      disconnect(one, true);
      break;
    case Event::join_a:
    case Event::join_b:
      join(one);
      break;
    case Event::cut:
      --budget_.faults;
      change_cable([&] { cable_ = false; });
      break;
    case Event::mend:
      change_cable([&] { cable_ = true; });
      break;
    case Event::deafen_a:
    case Event::deafen_b:
      budget_.faults -= one.arrives;
      one.arrives = !one.arrives;
      last_fault_ = now_;
      break;
    case Event::toggle_a:
    case Event::toggle_b:
      toggle(one);
      break;
    case Event::policy_sleep:
      --budget_.wishes;
      machine_.sleep(now_, "the policy asked");
      break;
    case Event::policy_wake:
      --budget_.wishes;
      machine_.wake(now_, "the policy asked");
      break;
    case Event::drain:
      --budget_.wishes;
      drain(true);
      break;
    case Event::undrain:
      --budget_.wishes;
      drain(false);
      break;
    case Event::pass:
      pass_second(true);
      break;
    case Event::pass_uncounted:
      --budget_.uncounted;
      pass_second(false);
      break;
    case Event::pass_straggler:
      --budget_.stragglers;
      pass_second(true, true);
      break;
  }
  take_orders();
}

// Both switches see at once whether the link is live, and say so.
template <class Change>
void PlayedLink::change_cable(const Change& change) {
  const bool before = is_live();
  change();
  if (is_live() == before) return;
  last_fault_ = now_;  // no probe has been sent since
  for (Switch& one : switches_) {
    if (one.here) one.messages.push_back({.is_answer = false, .ok = is_live()});
  }
}

void PlayedLink::execute(Switch& one, bool ok) {
  const Waiting waiting = one.orders.front();
  one.orders.pop_front();
  if (ok) do_order(one, waiting);
  one.messages.push_back({true, waiting.order, ok});
}

void PlayedLink::do_order(Switch& one, const Waiting& waiting) {
  if (const auto* group = std::get_if<SetFailoverPreference>(&waiting.order)) {
    one.detour = group->detour;
    return;
  }
  const bool up = std::get<SetPort>(waiting.order).up;
  // Who enables a port that has been told to go down loses frames by that.
  if (!up && is_live() && waiting.given > last_touch_) {
    const bool diverted = switches_[0].detour && switches_[1].detour;
    const TimePoint last = std::max(switches_[0].last_frame, switches_[1].last_frame);
    if (!diverted) violation_ = "a port goes down through which frames still go";
    if (diverted && now_ - last < kTimes.drain_idle)
      violation_ = "a port goes down while frames may be on the cable";
  }
  change_cable([&] { one.enabled = up; });
  one.touched = false;
}

void PlayedLink::deliver(Switch& one) {
  const Message message = one.messages.front();
  one.messages.pop_front();
  const End end = &one == &switches_[0] ? kA : kB;
  if (!message.is_answer) return machine_.port(now_, end, message.ok);
  Order order = message.order;
  if (fault_ == Fault::old_answers_count && !machine_.is_current(order)) {
    for (std::uint32_t serial = 0; serial < 64 && !machine_.is_current(order); ++serial)
      std::visit([&](auto& which) { which.serial = serial; }, order);
  }
  if (fault_ == Fault::answers_dropped && !message.ok) return;
  machine_.answered(now_, order, message.ok || fault_ == Fault::refusals_count, "no");
}

void PlayedLink::disconnect(Switch& one, bool finishes) {
  --budget_.absences;
  one.here = false;
  for (const Waiting& waiting : one.orders) {
    if (finishes) do_order(one, waiting);
  }
  one.orders.clear();
  one.messages.clear();
  if (fault_ != Fault::absence_not_told)
    machine_.reach(now_, &one == &switches_[0] ? kA : kB, false);
}

// Its groups are written anew, then the controller looks at the ports of both ends, as
// Controller::found_asleep and found_awake have it.
void PlayedLink::join(Switch& one) {
  one.here = true;
  last_fault_ = now_;  // nobody could see any
  one.detour = machine_.detours();
  machine_.reach(now_, &one == &switches_[0] ? kA : kB, true);
  if (both_here()) look_at_ports();
}

void PlayedLink::look_at_ports() {
  const int disabled = !switches_[0].enabled + !switches_[1].enabled;
  const bool asleep = machine_.state() == LinkState::asleep;
  if (disabled < 2 && drained_ && (asleep || disabled > 0)) {
    if (!asleep) machine_.found_asleep(now_);
    machine_.stay_down(now_);
  } else if (disabled > 0 && !(asleep && disabled == 2)) {
    machine_.found_asleep(now_);
    if (disabled < 2) machine_.wake(now_, "was left half asleep");
  } else if (disabled == 0) {
    machine_.wake(now_, "was found awake");
  }
  if (disabled > 0) return;
  machine_.port(now_, kA, is_live());
  machine_.port(now_, kB, is_live());
}

void PlayedLink::toggle(Switch& one) {
  budget_.faults -= !one.touched;
  last_fault_ = last_touch_ = now_;
  change_cable([&] { one.enabled = !one.enabled; });
  one.touched = true;
}

void PlayedLink::drain(bool drained) {
  drained_ = drained;
  const bool kept = drained && fault_ != Fault::drain_forgotten;
  if (drained) machine_.sleep(now_, "drained by an operator");
  machine_.keep_down(now_, kept);
  if (!drained) machine_.wake(now_, "undrained by an operator");
}

void PlayedLink::pass_second(bool counted, bool straggler) {
  now_ += seconds(1);
  for (Switch& one : switches_) {
    const bool straggles = straggler && &one == &switches_[0];
    if ((one.detour && !straggles) || !is_live()) continue;
    ++one.frames;  // there is always somebody who sends
    one.last_frame = now_;
  }
  for (std::size_t s = 0; counted && s < switches_.size(); ++s) {
    const bool made_up = fault_ == Fault::counters_made_up;
    if (switches_[s].here) machine_.sent(now_, s == 0 ? kA : kB, made_up ? 1 : switches_[s].frames);
  }
  send_probes();
  for (Switch& one : switches_) {
    // What a switch said is lost at times, so its ports are looked at again.
    if (one.here && one.messages.empty())
      machine_.port(now_, &one == &switches_[0] ? kA : kB, is_live());
  }
  if (drained_ && machine_.state() == LinkState::active && both_here())
    machine_.sleep(now_, "was drained before");
  machine_.tick(now_);
}

void PlayedLink::send_probes() {
  if (!both_here() || !is_live()) return;
  for (std::size_t s = 0; s < switches_.size(); ++s) {
    const End end = s == 0 ? kA : kB;
    if (switches_[s].arrives || fault_ == Fault::probes_made_up) {
      machine_.probe_heard(now_, end);
    } else {
      machine_.probe_missed(now_, end, "probes are lost");
    }
  }
}

void PlayedLink::take_orders() {
  for (const Order& order : machine_.take_orders()) {
    check_order(order);
    at(end_of(order)).orders.push_back({order, now_});
  }
}

void PlayedLink::check_order(const Order& order) {
  const bool known = both_here() && now_ - last_fault_ > kDetection &&
                     switches_[0].messages.empty() && switches_[1].messages.empty();
  if (brings_back(order) && known && !is_sound())
    violation_ = "frames are sent back onto a link that does not carry them";
  if (!at(end_of(order)).here && fault_ != Fault::absence_not_told)
    violation_ = "an order is given to a switch that is away";
  if (enables(order) && drained_ && machine_.state() != LinkState::waking)
    violation_ = "a link that was drained comes up again";
}

std::string PlayedLink::state_text() const {
  return fmt::format("{}: {}", to_text(machine_.state()), machine_.why());
}

std::string PlayedLink::wrong_when_quiet() const {
  PlayedLink link = *this;
  link.budget_ = {0, 0, 0, 0, 0, 0};
  for (int second = 0; second < 120; ++second) {
    link.happen(Event::pass);
    for (const Event event : {Event::join_a, Event::join_b}) {
      if (link.can_happen(event)) link.happen(event);
    }
    for (const Event event :
         {Event::execute_a, Event::execute_b, Event::deliver_a, Event::deliver_b}) {
      while (link.can_happen(event)) link.happen(event);
    }
    if (!link.violation_.empty()) return link.violation_;
  }
  const LinkState state = link.machine_.state();
  if (!link.machine_.is_confirmed()) return "orders are open for ever";
  for (const Switch& one : link.switches_) {
    if (one.detour != link.machine_.detours())
      return "a group is not as it is believed to be, " + link.state_text();
    if (one.enabled != link.machine_.ports_up() && !one.touched)
      return "a port is not as it is believed to be, " + link.state_text();
    if (!one.detour && !link.is_sound())
      return "frames are sent onto a link that does not carry them, " + link.state_text();
  }
  if (state == LinkState::draining || state == LinkState::waking)
    return "it is under way for ever, " + link.state_text();
  if (link.drained_ && link.is_sound()) return "what was drained is not down, " + link.state_text();
  const bool mended = link.is_sound();
  if (mended && state == LinkState::failed && !link.drained_)
    return "a link that is whole is not used, " + link.state_text();
  return "";
}

std::string PlayedLink::key() const {
  std::string key = LinkMachineKey::of(machine_, now_);
  key += fmt::format("#{}{}{}{}{}{}{}{}{}", cable_, drained_, budget_.faults, budget_.refusals,
                     budget_.absences, budget_.wishes, budget_.uncounted, budget_.stragglers,
                     std::min(now_ - last_fault_, kOld) / seconds(1));
  key += now_ > last_touch_ ? '.' : 't';
  for (std::size_t s = 0; s < switches_.size(); ++s) {
    const Switch& one = switches_[s];
    key += fmt::format("|{}{}{}{}{}{}{}", one.here, one.detour, one.enabled, one.touched,
                       one.arrives, one.frames == LinkMachineKey::frames(machine_, s),
                       std::min(now_ - one.last_frame, kOld) / seconds(1));
    for (const auto& [order, given] : one.orders) {
      key += text(order) + (machine_.is_current(order) ? "c" : "o");
      key += given > last_touch_ ? '.' : 't';
    }
    for (const Message& message : one.messages) {
      key += message.is_answer
                 ? text(message.order) + (machine_.is_current(message.order) ? "C" : "O")
                 : "L";
      key += message.ok ? '1' : '0';
    }
  }
  return key;
}

}  // namespace ebb::controller
