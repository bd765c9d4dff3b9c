// SPDX-License-Identifier: Apache-2.0
//
// The rate of one link, the same at both ends.
#pragma once

#include "ebb/controller/order.hpp"
#include "ebb/units/time.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace ebb::controller {

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
  // False: the order was overtaken.
  [[nodiscard]] bool is_current(const SetRate& order) const;
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

}  // namespace ebb::controller
