// SPDX-License-Identifier: Apache-2.0
//
// One link of a live fabric on its way to sleep and back: make before break, roll back when
// anything is not as expected. Values in, orders out; time comes with the data.
//
//   active ----> draining ----> asleep ----> waking ----> active
//     |   divert   ^    both counters   ports up,   held live, straight again
//     |            |    quiet, ports down
//     +--> failed -+--> waking, as soon as both ends are live
//
// A link that sleeps and does not wake is told to again and again: nobody else would.
// A link that fails is diverted at both ends although its switches have done so themselves: they
// would go back the instant their own port is live, which is before the other end forwards.
#pragma once

#include "ebb/controller/order.hpp"
#include "ebb/units/time.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::controller {

enum class LinkState : std::uint8_t { active, draining, asleep, waking, failed };
[[nodiscard]] std::string_view to_text(LinkState state);

struct LinkTimes {
  Duration quiet = std::chrono::milliseconds(50);  // without a frame before ports go down
  Duration drain_limit = std::chrono::seconds(2);  // then it is rolled back
  Duration hold = std::chrono::milliseconds(100);  // both ends live before frames return
  Duration wake_limit = std::chrono::seconds(10);  // then it has failed

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
  void recalled_asleep(TimePoint now, std::string why);

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
    bool told = true;  // the last Prefer has been answered
    std::uint64_t frames = 0;
    TimePoint quiet_since{};  // the first reading of `frames` ...
    TimePoint read_at{};      // ... and the last: what was sent after it is not known
    bool counted = false;     // since the divert was answered
  };

  void enter(TimePoint now, LinkState state, std::string why);
  void prefer(bool detour);
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

}  // namespace ebb::controller
