// SPDX-License-Identifier: Apache-2.0
//
// One link of a live fabric: the orders that change it, the state machine that puts it to sleep and
// wakes it, and its rate.
//
//   Order         what the controller asks of a switch, whatever driver carries it there
//   LinkMachine   make before break; rolls back when anything is not as expected
//   LinkRate      the rate, the same at both ends
//   LinksByState  how many links are in which state
//
// Values in, orders out: no socket and no clock, time comes with the data.
#pragma once

#include "ebb/policy/action.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/units/time.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ebb::controller {

// One end of a link: the channel that leaves the switch there. `index(source(channel))` is the
// switch, and its port has the number that ebb rules gives it.
using End = topology::ChannelId;

// Which bucket of the fast-failover group of this end's output comes first: the output itself, or
// its detour.
struct SetFailoverPreference {
  End end{};
  bool detour = false;
  std::uint32_t serial = 0;  // tells the answer to this order from that to an earlier one

  bool operator==(const SetFailoverPreference&) const = default;
};

// Administratively: a port that is down draws what a sleeping port draws and carries nothing.
struct SetPort {
  End end{};
  bool up = false;

  bool operator==(const SetPort&) const = default;
};

// The end sends at the rate of that step of its link's rate table from now on. What waits stays.
struct SetRate {
  End end{};
  policy::RateLevel rate_level{};
  std::uint32_t serial = 0;  // as above

  bool operator==(const SetRate&) const = default;
};

using Order = std::variant<SetFailoverPreference, SetPort, SetRate>;

[[nodiscard]] End end_of(const Order& order);

// One link of a live fabric on its way to sleep and back: make before break, roll back when
// anything is not as expected.
//
//   active ----> draining ----> asleep ----> waking ----> active
//     |   divert   ^    both counters   ports up,   held live, then used again
//     |            |    idle, ports down
//     +--> failed -+--> waking, as soon as both ends are live
//
// A link that sleeps and does not wake is told to again and again.
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
  // `a` and `b` are the two channels of the link. Begins active with both ends live.
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

  // What the world says.
  void answered(TimePoint now, const Order& order, bool ok, const std::string& why = {});
  void port(TimePoint now, End end, bool live);
  void sent(TimePoint now, End end, std::uint64_t frames);  // the port's counter, as it stands
  void tick(TimePoint now);

  // Orders since the last call, in the order in which they are to be given.
  [[nodiscard]] std::vector<Order> take_orders();

  [[nodiscard]] LinkState state() const { return state_; }
  [[nodiscard]] TimePoint since() const { return since_; }
  [[nodiscard]] const std::string& why() const { return why_; }
  // What a switch that has been away is to be told.
  [[nodiscard]] bool detours() const { return detour_; }
  [[nodiscard]] bool ports_up() const { return up_; }
  // When tick() has something to do; none: nothing until something happens.
  [[nodiscard]] std::optional<TimePoint> next_tick() const;

 private:
  struct Side {
    End end{};
    bool live = true;
    TimePoint live_since{};
    bool told = true;  // the last SetFailoverPreference has been answered
    std::uint64_t frames = 0;
    TimePoint quiet_since{};  // the first reading of `frames` ...
    TimePoint read_at{};      // ... and the last: what was sent after it is not known
    bool counted = false;     // since the divert was answered
  };

  void enter(TimePoint now, LinkState state, std::string why);
  void set_failover(bool detour);
  void set_ports(bool up);
  void roll_back(TimePoint now, std::string why);
  void come_up(TimePoint now, std::string why);
  void fail(TimePoint now, std::string why);
  [[nodiscard]] bool both_live() const { return sides_[0].live && sides_[1].live; }
  [[nodiscard]] bool both_told() const { return sides_[0].told && sides_[1].told; }
  [[nodiscard]] bool both_quiet() const;
  [[nodiscard]] Side& side(End end) { return sides_[0].end == end ? sides_[0] : sides_[1]; }
  void drain_on(TimePoint now);
  void wake_on(TimePoint now);
  void try_again(TimePoint now);

  std::array<Side, 2> sides_;
  LinkTimes times_;
  LinkState state_ = LinkState::active;
  TimePoint since_{};
  std::string why_ = "begins so";
  bool detour_ = false;  // what was last asked
  std::uint32_t serial_ = 0;
  bool up_ = true;
  bool ours_ = false;  // ports went down by our order, and the link has not been active since
  TimePoint tried_{};  // the last order to come up, of a link that has failed
  std::vector<Order> orders_;
};

// The rate of one link of a live fabric. Both ends have the same: an Ethernet link has one speed,
// whatever a software switch could do. Values in, orders out, as LinkMachine.
//
//   settled at a step --set--> both ends ordered --both answered--> settled at the new one
//                                    | an end refused
//                                    +--> full rate, asked for again until both ends have it
class LinkRate {
 public:
  // `a` and `b` are the two channels of the link. Begins at the full rate, `top`.
  LinkRate(End a, End b, policy::RateLevel top);

  // Orders both ends, unless they have it or are about to. A later wish overtakes an earlier one.
  void set(TimePoint now, policy::RateLevel step, std::string why);
  // How a controller finds the link. Ends that differ get the full rate.
  void found(TimePoint now, policy::RateLevel a, policy::RateLevel b);
  void answered(TimePoint now, const SetRate& order, bool ok, const std::string& why);
  void tick(TimePoint now);

  [[nodiscard]] std::vector<Order> take_orders();
  // Once for every change that both ends have made, and for every one that failed: what to tell.
  [[nodiscard]] std::optional<std::string> take_change();

  // What both ends were last known to send at; while they change, what they did before.
  [[nodiscard]] policy::RateLevel step() const { return step_; }
  [[nodiscard]] policy::RateLevel target() const { return target_; }
  // That can be relied on: the slower of the two.
  [[nodiscard]] policy::RateLevel least() const { return step_ < target_ ? step_ : target_; }
  [[nodiscard]] policy::RateLevel top() const { return top_; }
  [[nodiscard]] bool is_full() const { return step_ == top_ && target_ == top_ && !asking_; }
  [[nodiscard]] TimePoint since() const { return since_; }
  [[nodiscard]] const std::string& why() const { return why_; }

 private:
  void order();

  std::array<End, 2> ends_;
  std::array<bool, 2> told_{true, true};
  policy::RateLevel top_;
  policy::RateLevel step_;
  policy::RateLevel target_;
  bool asking_ = false;
  std::uint32_t serial_ = 0;
  TimePoint since_{};
  std::string why_ = "begins so";
  std::optional<TimePoint> again_;  // after a refusal of the full rate
  std::optional<std::string> change_;
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
  // On their way to sleep or back, or failed and perhaps to be told again.
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
