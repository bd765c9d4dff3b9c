// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/link_rate.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace ebb::controller {
namespace {

constexpr Duration kAskRateAgain = std::chrono::seconds(1);

}  // namespace

LinkRate::LinkRate(End a, End b, policy::RateLevel top)
    : ends_{a, b}, top_(top), step_(top), target_(top) {}

std::vector<Order> LinkRate::take_orders() { return std::exchange(orders_, {}); }
std::optional<std::string> LinkRate::take_change() { return std::exchange(change_, std::nullopt); }

void LinkRate::set(TimePoint now, policy::RateLevel step, std::string why) {
  if (step == target_ && (asking_ || step_ == target_)) return;
  target_ = step;
  since_ = now;
  why_ = std::move(why);
  order();
}

void LinkRate::order() {
  ++serial_;
  asking_ = true;
  again_.reset();
  told_ = {false, false};
  for (const End end : ends_) orders_.emplace_back(SetRate{end, target_, serial_});
}

void LinkRate::found(TimePoint now, policy::RateLevel a, policy::RateLevel b) {
  if (asking_) return;
  step_ = target_ = std::min(a, b);
  if (a != b) return set(now, top_, "its ends were found at two rates");
  if (a == top_) return;
  since_ = now;
  why_ = "was found so";
  change_ = why_;
}

void LinkRate::answered(TimePoint now, const SetRate& order, bool ok, const std::string& why) {
  // An answer to an order that has been overtaken says nothing about the present one.
  if (order.serial != serial_ || !asking_) return;
  if (!ok) {
    const std::string failure = "did not change its rate: " + why;
    if (failure != why_) change_ = failure;
    if (target_ != top_) return set(now, top_, failure);
    why_ = failure;
    again_ = now + kAskRateAgain;
    return;
  }
  told_[order.end == ends_[0] ? 0 : 1] = true;
  if (!told_[0] || !told_[1]) return;
  asking_ = false;
  again_.reset();
  step_ = target_;
  since_ = now;
  change_ = why_;
}

void LinkRate::tick(TimePoint now) {
  if (again_ && now >= *again_) order();
}

bool LinkRate::is_current(const SetRate& order) const { return order.serial == serial_; }

}  // namespace ebb::controller
