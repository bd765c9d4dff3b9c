// SPDX-License-Identifier: Apache-2.0
//
// One link of a live fabric: the state machine that puts it to sleep and wakes it.
//
//   LinkMachine   make before break; rolls back when anything is not as expected
//   LinksByState  how many links are in which state
//
// Values in, orders out: no socket and no clock, time comes with the data.
#pragma once

#include "ebb/controller/order.hpp"
#include "ebb/units/time.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::controller {

// One link of a live fabric on its way to sleep and back: make before break, roll back when
// anything is not as expected.
//
//   active ----> draining ----> asleep ----> waking ----> active
//     |   divert   ^    both counters   ports up,   held live and probed both ways,
//     |            |    idle, ports down            then used again
//     +--> failed -+--> waking, as soon as both ends are live and, if probes were lost, enough of
//                       them came through again
//
// Each end has a state that is desired (diverted or not, port up or down) and one that its switch
// has confirmed. What was refused, or was asked of a switch that went, is asked again every second
// while its switch is here: nothing depends on having seen an event.
// A link that fails is diverted at both ends although its switches have done so themselves: they
// would go back the instant their own port is live, which is before the other end forwards.
enum class LinkState : std::uint8_t { active, draining, asleep, waking, failed };
[[nodiscard]] std::string_view to_text(LinkState state);

struct LinkTimes {
  Duration drain_idle = std::chrono::milliseconds(50);     // without a frame before ports go down
  Duration drain_limit = std::chrono::seconds(2);          // then it is rolled back
  Duration link_up_hold = std::chrono::milliseconds(100);  // both ends live before frames return
  Duration wake_limit = std::chrono::seconds(10);          // then it has failed

  bool operator==(const LinkTimes&) const = default;
};

class LinkMachine {
 public:
  // `a` and `b` are the two channels of the link. Begins active with both ends live, and with both
  // switches here.
  LinkMachine(End a, End b, LinkTimes times);

  // How a controller that starts finds it: with a port down at one end or both. Half asleep, it is
  // to be woken.
  void found_asleep(TimePoint now);

  // How the controller before this one left it, diverted: nothing is ordered before it is known
  // how ports are.
  void restored_asleep(TimePoint now, std::string why);

  // What the controller wants. Asking for what is so or under way does nothing.
  void sleep(TimePoint now, std::string why);
  void wake(TimePoint now, std::string why);
  // An operator has drained it: its ports stay down, or go down as soon as they can.
  void keep_down(TimePoint now, bool down);
  // It sleeps, but a port of it was found up, and is told again.
  void stay_down(TimePoint now);
  // The switch at that end is emptied, or was: only the other end is diverted, so the switch
  // forwards what still comes to it. Held until release(): its ports do not go down while other
  // links still lead frames to the switch, and are not used before the switch can forward them.
  void avoid(TimePoint now, End at);
  void release(TimePoint now);
  // Held, and nothing but that keeps it from going down, or from being used again.
  [[nodiscard]] bool is_ready(TimePoint now) const;

  // What the world says.
  void answered(TimePoint now, const Order& order, bool ok, const std::string& why = {});
  void port(TimePoint now, End end, bool live);
  void sent(TimePoint now, End end, std::uint64_t frames);  // the port's counter, as it stands
  // A probe that left by this end came in at the other; or it did not, in words for people.
  void probe_heard(TimePoint now, End end);
  void probe_missed(TimePoint now, End end, const std::string& why);
  // Frames that leave by this end come out elsewhere, or at nobody's.
  void miscabled(TimePoint now, const std::string& why);
  // Whether the switch of that end can be told something.
  void reach(TimePoint now, End end, bool here);
  void tick(TimePoint now);

  // Orders since the last call, in the order in which they are to be given.
  [[nodiscard]] std::vector<Order> take_orders();
  // False: the order was overtaken.
  [[nodiscard]] bool is_current(const Order& order) const;

  [[nodiscard]] LinkState state() const { return state_; }
  [[nodiscard]] TimePoint since() const { return since_; }
  [[nodiscard]] const std::string& why() const { return why_; }
  // It wakes, its ports are up, and no probe that left by this end has come through since.
  [[nodiscard]] bool wants_probe(End end) const;
  // Since a probe came through, the way for which it is longer ago; none: never.
  [[nodiscard]] std::optional<Duration> probe_age(TimePoint now) const;
  // What a switch that has been away is to be told.
  [[nodiscard]] bool detours() const { return detour_; }
  [[nodiscard]] bool detours(End end) const { return detour_ && avoided_ != end; }
  [[nodiscard]] bool ports_up() const { return up_; }
  // Its switches that are here have confirmed all that was ordered.
  [[nodiscard]] bool is_confirmed() const;
  // When tick() has something to do; none: nothing until something happens.
  [[nodiscard]] std::optional<TimePoint> next_tick() const;

 private:
  friend struct LinkMachineKey;  // of the search through all that can happen to a link, a test

  // Whether the switch has confirmed what is desired of an end.
  struct Progress {
    enum class Step : std::uint8_t { confirmed, asked, refused };
    Step step = Step::confirmed;
    TimePoint at{};
  };
  struct Side {
    End end{};
    bool here = true;  // its switch
    bool live = true;
    TimePoint live_since{};
    std::optional<TimePoint> probed;  // the last probe that left here and came through
    std::uint32_t in_a_row = 0;       // probes that came through, since the link failed
    std::uint16_t missed = 0;         // of the last 16 probes, a bit each
    Progress failover;
    Progress port;
    std::uint64_t frames = 0;
    TimePoint quiet_since{};  // the first reading of `frames` ...
    TimePoint read_at{};      // ... and the last: what was sent after it is not known
    bool counted = false;     // since the divert was confirmed
  };

  void enter(TimePoint now, LinkState state, std::string why);
  void set_failover(TimePoint now, bool detour);
  void set_ports(TimePoint now, bool up);
  void order_failover(TimePoint now, Side& side);
  void order_port(TimePoint now, Side& side);
  void ask_again(TimePoint now);
  void roll_back(TimePoint now, std::string why);
  void come_up(TimePoint now, std::string why);
  void fail(TimePoint now, std::string why);
  void fail_by_probes(TimePoint now, const std::string& why);
  void lie_down(TimePoint now, std::string why);
  [[nodiscard]] TimePoint live_since() const;  // both ends, and since it wakes
  [[nodiscard]] bool both_live() const { return sides_[0].live && sides_[1].live; }
  [[nodiscard]] bool ports_are_asked() const;  // and have not answered
  [[nodiscard]] bool both_diverted() const;
  [[nodiscard]] bool both_quiet() const;
  [[nodiscard]] bool both_probed(TimePoint since) const;
  [[nodiscard]] bool may_carry(TimePoint now) const;
  [[nodiscard]] bool both_sound() const;
  [[nodiscard]] static bool has_lost_probes(const Side& side);
  [[nodiscard]] Side& side(End end) { return sides_[0].end == end ? sides_[0] : sides_[1]; }
  void drain_on(TimePoint now);
  void sleep_on(TimePoint now);
  void wake_on(TimePoint now);
  void become_active(TimePoint now);
  void try_again(TimePoint now);

  std::array<Side, 2> sides_;
  LinkTimes times_;
  LinkState state_ = LinkState::active;
  TimePoint since_{};
  std::string why_ = "begins so";
  bool detour_ = false;         // desired
  bool up_ = true;              // desired
  bool keep_down_ = false;      // drained by an operator
  std::optional<End> avoided_;  // at that end the switch itself is not to be used
  bool held_ = false;           // until the other links of that switch are as far
  bool half_up_ = false;  // it sleeps, but a port of it is up: told again once both ends divert
  bool ours_ = false;     // ports went down by our order, and the link has not been active since
  bool lost_probes_ = false;  // that is why it has failed
  std::uint32_t failover_serial_ = 0;
  std::uint32_t port_serial_ = 0;
  std::uint32_t times_lost_ = 0;  // it lost probes, without a long time in between
  TimePoint last_lost_{};
  TimePoint tried_{};  // the last order to come up, of a link that has failed
  std::vector<Order> orders_;
};

// How many links are in which state, and which are not at rest: what the controller needs at every
// tick, without looking at every link.
class LinksByState {
 public:
  // All active.
  explicit LinksByState(std::uint32_t links);

  void moved(topology::LinkId link, LinkState from, LinkState to);

  [[nodiscard]] std::uint32_t count(LinkState state) const {
    return counts_[static_cast<std::size_t>(state)];
  }
  // A link has something to do at a time, or no longer.
  void ticks(topology::LinkId link, bool has_next);
  [[nodiscard]] bool is_not_active(topology::LinkId link) const {
    return not_active_.contains(link);
  }
  // On their way to sleep or back, failed, or waiting to ask a switch again.
  [[nodiscard]] const std::set<topology::LinkId>& moving() const { return moving_; }

  // Calls for each link that is moving, or not active, ascending. What it calls may move links:
  // those behind are not seen, those ahead are as they are by then.
  template <class Call>
  void for_each_moving(const Call& call) const {
    for_each(moving_, call);
  }
  template <class Call>
  void for_each_not_active(const Call& call) const {
    for_each(not_active_, call);
  }

 private:
  template <class Call>
  static void for_each(const std::set<topology::LinkId>& links, const Call& call) {
    for (auto at = links.begin(); at != links.end();) {
      const topology::LinkId link = *at;
      call(link);
      at = links.upper_bound(link);
    }
  }

  std::array<std::uint32_t, 5> counts_{};
  std::vector<bool> ticks_;  // by link
  std::set<topology::LinkId> moving_;
  std::set<topology::LinkId> not_active_;
};

// What a controller persists of a link for the next one, beside what switches say.
struct PersistedLink {
  LinkState state = LinkState::active;
  std::string why;                // it is so
  bool drained = false;           // by an operator
  std::vector<Duration> changed;  // how long ago it went to sleep or woke, in the last hour

  bool operator==(const PersistedLink&) const = default;
};

}  // namespace ebb::controller
