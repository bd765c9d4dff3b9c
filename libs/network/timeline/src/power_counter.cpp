// SPDX-License-Identifier: Apache-2.0
#include "ebb/timeline/power_counter.hpp"

#include "ebb/core/check.hpp"

namespace ebb::timeline {
namespace {

constexpr std::int64_t kPicoseconds = 1000;  // of a nanosecond

std::int64_t nanosecond_of(TimePoint at) { return at.time_since_epoch().count() / kPicoseconds; }
TimePoint beginning_of(std::int64_t nanosecond) {
  return TimePoint(Duration(nanosecond * kPicoseconds));
}

// At most a nanosecond, so 64 bits are enough for 9 MW.
std::int64_t attojoules_of(Power power, Duration time) {
  return static_cast<std::int64_t>((power * time).count());
}

}  // namespace

void PowerCounter::advance(TimePoint to) {
  EBB_CHECK(to >= at_, "time of a counter must not go backwards");
  if (nanosecond_of(at_) < nanosecond_of(to) && at_ != beginning_of(nanosecond_of(at_))) {
    const std::int64_t nanosecond = nanosecond_of(at_);
    const TimePoint end = beginning_of(nanosecond + 1);
    write(nanosecond, begun_ + attojoules_of(power_, end - at_));
    at_ = end;
    begun_ = 0;
  }
  if (nanosecond_of(at_) < nanosecond_of(to)) {
    write(nanosecond_of(at_), attojoules_of(power_, Duration(kPicoseconds)));
    at_ = beginning_of(nanosecond_of(to));
  }
  begun_ += attojoules_of(power_, to - at_);
  at_ = to;
}

void PowerCounter::finish(TimePoint end) {
  advance(end);
  if (at_ != beginning_of(nanosecond_of(at_))) write(nanosecond_of(at_), begun_);
}

void PowerCounter::write(std::int64_t at_ns, std::int64_t nanowatts) {
  if (written_ == nanowatts) return;
  written_ = nanowatts;
  timeline_.add(CounterValue{track_, at_ns, nanowatts});
}

}  // namespace ebb::timeline
