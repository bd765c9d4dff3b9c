// SPDX-License-Identifier: Apache-2.0
//
// Ledgers of longer times made of those of shorter ones: a sample scaled to the time that it stands
// for, and the ledgers of consecutive times added up. Meters and sums are treated apart from each
// other, so that check() still compares them.
#include "ebb/core/check.hpp"
#include "ebb/power/ledger.hpp"

#include <algorithm>
#include <limits>

namespace ebb::power {

Ledger scaled(const Ledger& ledger, std::uint64_t times) {
  EBB_CHECK(ledger.closed_, "only closed ledgers can be scaled");
  const Int128 length = static_cast<Int128>((ledger.end_ - ledger.start_).count()) * times;
  EBB_CHECK(length <= std::numeric_limits<std::int64_t>::max(), "the scaled time does not fit");
  const auto factor = static_cast<std::int64_t>(times);
  Ledger made = ledger;
  made.start_ = {};
  made.end_ = TimePoint(Duration(static_cast<std::int64_t>(length)));
  for (Ledger::Meter& meter : made.meters_) {
    meter.energy = meter.energy * factor;
    meter.transitions *= times;
    meter.since = made.end_;
    meter.power = {};
    meter.state = {};
  }
  for (Duration& time : made.residency_) time *= factor;
  for (Ledger::ClassTotals& sums : made.class_totals_) {
    sums.energy = sums.energy * factor;
    sums.transitions *= times;
    for (MeterTime& time : sums.residency) time = time * factor;
  }
  made.total_ = made.total_ * factor;
  return made;
}

Errors Ledger::add_time(const Ledger& later) {
  Errors errors;
  if (!closed_ || !later.closed_) errors.push_back({"only closed ledgers can be added", {}});
  if (classes_ != later.classes_) errors.push_back({"the ledgers have different classes", {}});
  const auto class_of_meter = [](const Meter& meter) { return meter.meter_class; };
  if (numbers_ != later.numbers_ ||
      !std::ranges::equal(meters_, later.meters_, {}, class_of_meter, class_of_meter))
    errors.push_back({"the ledgers have different meters", {}});
  if (!errors.empty()) return errors;

  end_ += later.end_ - later.start_;
  for (std::size_t i = 0; i < meters_.size(); ++i) {
    Meter& meter = meters_[i];
    const Meter& more = later.meters_[i];
    meter.energy += more.energy;
    meter.transitions += more.transitions;
    meter.power = more.power;
    meter.state = more.state;
    meter.since = end_;
  }
  for (std::size_t i = 0; i < residency_.size(); ++i) residency_[i] += later.residency_[i];
  add_totals(later);
  return {};
}

}  // namespace ebb::power
