// SPDX-License-Identifier: Apache-2.0
#include "ebb/power/ledger.hpp"

#include "place.hpp"

#include "ebb/core/check.hpp"

#include <limits>
#include <utility>

namespace ebb::power {
namespace {

constexpr std::size_t kMostStates = 256;
constexpr std::size_t kMostClasses = 256;

}  // namespace

Ledger::Ledger(std::vector<MeterClass> classes, std::span<const MeterStart> meters, TimePoint start)
    : classes_(std::move(classes)), start_(start), end_(start) {
  EBB_CHECK(classes_.size() <= kMostClasses, "a ledger has at most 256 classes");
  for (const MeterClass& meter_class : classes_) {
    EBB_CHECK(!meter_class.states.empty() && meter_class.states.size() <= kMostStates,
              "a class of meters has 1 to 256 states");
    class_totals_.push_back({{}, 0, std::vector<MeterTime>(meter_class.states.size())});
  }
  meters_.reserve(meters.size());
  numbers_.reserve(meters.size());
  for (const MeterStart& meter : meters) add_meter(meter);
}

void Ledger::add_meter(const MeterStart& start) {
  EBB_CHECK(place(start.meter_class) < classes_.size(), "unknown class of meters");
  EBB_CHECK(place(start.state) < classes_[place(start.meter_class)].states.size(),
            "unknown state of the meter's class");
  EBB_CHECK(start.power >= Power{}, "power must not be negative");
  if (!meters_.empty()) {
    const auto last = std::pair(meters_.back().meter_class, numbers_.back());
    EBB_CHECK(last < std::pair(start.meter_class, start.number),
              "meters ascend by (class, number)");
  }
  EBB_CHECK(residency_.size() <= std::numeric_limits<std::uint32_t>::max() - kMostStates,
            "too many meters");
  meters_.push_back({.energy = {},
                     .power = start.power,
                     .since = start_,
                     .transitions = 0,
                     .first_residency = static_cast<std::uint32_t>(residency_.size()),
                     .meter_class = start.meter_class,
                     .state = start.state});
  numbers_.push_back(start.number);
  residency_.resize(residency_.size() + states_of(meters_.back()));
}

const Ledger::Meter& Ledger::at(MeterIndex meter) const {
  EBB_CHECK(place(meter) < meters_.size(), "unknown meter");
  return meters_[place(meter)];
}

std::size_t Ledger::states_of(const Meter& meter) const {
  return classes_[place(meter.meter_class)].states.size();
}

void Ledger::integrate(Meter& meter, TimePoint now) {
  EBB_CHECK(now >= meter.since, "time of a meter must not go backwards");
  const Duration span = now - meter.since;
  const Energy energy = meter.power * span;
  ClassTotals& sums = class_totals_[place(meter.meter_class)];
  meter.energy += energy;
  sums.energy += energy;
  total_ += energy;
  residency_[meter.first_residency + place(meter.state)] += span;
  sums.residency[place(meter.state)] += MeterTime::from_count(span.count());
  meter.since = now;
}

void Ledger::switch_power(MeterIndex index, TimePoint now, Power power, StateIndex state) {
  EBB_CHECK(!closed_, "the ledger is closed");
  EBB_CHECK(place(index) < meters_.size(), "unknown meter");
  Meter& meter = meters_[place(index)];
  EBB_CHECK(place(state) < states_of(meter), "unknown state of the meter's class");
  EBB_CHECK(power >= Power{}, "power must not be negative");
  integrate(meter, now);
  if (state != meter.state) {
    ++meter.transitions;
    ++class_totals_[place(meter.meter_class)].transitions;
  }
  meter.power = power;
  meter.state = state;
}

void Ledger::charge(MeterIndex index, Energy energy) {
  EBB_CHECK(!closed_, "the ledger is closed");
  EBB_CHECK(place(index) < meters_.size(), "unknown meter");
  EBB_CHECK(energy >= Energy{}, "energy must not be negative");
  Meter& meter = meters_[place(index)];
  meter.energy += energy;
  class_totals_[place(meter.meter_class)].energy += energy;
  total_ += energy;
}

void Ledger::close(TimePoint now) {
  EBB_CHECK(!closed_, "the ledger is closed");
  for (Meter& meter : meters_) integrate(meter, now);
  end_ = now;
  closed_ = true;
}

std::uint32_t Ledger::number(MeterIndex meter) const {
  EBB_CHECK(place(meter) < numbers_.size(), "unknown meter");
  return numbers_[place(meter)];
}

ClassIndex Ledger::class_of(MeterIndex meter) const { return at(meter).meter_class; }
Energy Ledger::energy(MeterIndex meter) const { return at(meter).energy; }
std::uint64_t Ledger::transitions(MeterIndex meter) const { return at(meter).transitions; }

Energy Ledger::energy_until(MeterIndex index, TimePoint now) const {
  const Meter& meter = at(index);
  EBB_CHECK(now >= meter.since, "time of a meter must not go backwards");
  return meter.energy + meter.power * (now - meter.since);
}

Duration Ledger::residency(MeterIndex index, StateIndex state) const {
  const Meter& meter = at(index);
  EBB_CHECK(place(state) < states_of(meter), "unknown state of the meter's class");
  return residency_[meter.first_residency + place(state)];
}

const Ledger::ClassTotals& Ledger::totals(ClassIndex meter_class) const {
  EBB_CHECK(place(meter_class) < class_totals_.size(), "unknown class of meters");
  return class_totals_[place(meter_class)];
}

std::size_t Ledger::memory_bytes() const {
  return meters_.capacity() * sizeof(Meter) + numbers_.capacity() * sizeof(std::uint32_t) +
         residency_.capacity() * sizeof(Duration);
}

}  // namespace ebb::power
