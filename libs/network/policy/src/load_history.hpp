// SPDX-License-Identifier: Apache-2.0
//
// Loads of the past by which a policy guesses those to come: the peak of the last while, so that
// what falls for a moment does not count as having fallen, and the peaks of the day before at the
// same time and a while later, so that what comes back every day is expected.
#pragma once

#include "ebb/units/time.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ebb::policy {

using Loads = std::vector<std::int64_t>;

inline void raise_to(const Loads& others, Loads& loads) {
  loads.resize(std::max(loads.size(), others.size()));
  for (std::size_t i = 0; i < others.size(); ++i) loads[i] = std::max(loads[i], others[i]);
}

// The peak of so many loads that were added last. Before there are so many, nothing is known.
class RecentPeak {
 public:
  explicit RecentPeak(std::size_t count) : last_(count) {}

  void add(Loads loads) {
    last_[added_ % last_.size()] = std::move(loads);
    ++added_;
  }
  [[nodiscard]] bool is_known() const { return added_ >= last_.size(); }
  [[nodiscard]] Loads peak() const {
    Loads peak;
    for (const Loads& loads : last_) raise_to(loads, peak);
    return peak;
  }

 private:
  std::vector<Loads> last_;
  std::size_t added_ = 0;
};

// A day is divided into slots of the length `ahead`, or a little longer where there would be too
// many of them; the load of a slot is its peak.
class DayBefore {
 public:
  DayBefore(Duration day, Duration ahead)
      : length_(std::max(ahead, day / kMostSlots)),
        in_a_day_(static_cast<std::int64_t>((day + length_ - Duration(1)) / length_)),
        slots_(static_cast<std::size_t>(in_a_day_) + 1) {}

  void add(TimePoint at, const Loads& loads) {
    const std::int64_t now = slot_of(at);
    now_ = std::max(now_, now - static_cast<std::int64_t>(slots_.size()));
    for (; now_ < now; ++now_) slot(now_ + 1).clear();
    raise_to(loads, slot(now));
  }

  // What may come until `ahead` from now, if it is as on the day before; nothing on the first.
  [[nodiscard]] Loads expected(TimePoint at) {
    Loads loads;
    for (const std::int64_t later : {0, 1}) {
      const std::int64_t number = slot_of(at) + later - in_a_day_;
      if (number >= 0) raise_to(slot(number), loads);
    }
    return loads;
  }

 private:
  [[nodiscard]] std::int64_t slot_of(TimePoint at) const {
    return static_cast<std::int64_t>(at.time_since_epoch() / length_);
  }
  [[nodiscard]] Loads& slot(std::int64_t number) {
    return slots_[static_cast<std::size_t>(number) % slots_.size()];
  }

  static constexpr int kMostSlots = 4096;

  Duration length_;
  std::int64_t in_a_day_;
  std::vector<Loads> slots_;
  std::int64_t now_ = 0;
};

}  // namespace ebb::policy
