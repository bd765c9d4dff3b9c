// SPDX-License-Identifier: Apache-2.0
#include "ebb/power/ledger.hpp"

#include "ebb/core/check.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace ebb::power {
namespace {

// Where the meter, class or state of that index is kept.
template <class Index>
constexpr std::size_t place(Index index) {
  return static_cast<std::size_t>(index);
}

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

// What is done with a ledger at the end of a run: balance it, join it with others, send it.
namespace {

// Large integers as text; quantities of 128 bits have no unit to print them in.
std::string digits(MeterTime time) { return fmt::format("{}ps", time.count()); }

}  // namespace

std::string Ledger::name_of(MeterIndex meter) const {
  return fmt::format("{} {}", classes_[place(at(meter).meter_class)].name, numbers_[place(meter)]);
}

void Ledger::check_meter(MeterIndex index, Errors& errors) const {
  const Meter& meter = meters_[place(index)];
  Int128 sum = 0;
  for (std::size_t s = 0; s < states_of(meter); ++s)
    sum += residency_[meter.first_residency + s].count();
  const Duration expected = meter.since - start_;
  if (sum != expected.count()) {
    errors.push_back({fmt::format("{}: its state times add up to {}, but it ran for {}",
                                  name_of(index), digits(MeterTime::from_count(sum)),
                                  digits(MeterTime::from_count(expected.count()))),
                      {}});
  }
  if (closed_ && meter.since != end_)
    errors.push_back({fmt::format("{}: was not charged to the end", name_of(index)), {}});
}

void Ledger::check_class(ClassIndex meter_class, Errors& errors) const {
  ClassTotals sums{{}, 0, std::vector<MeterTime>(classes_[place(meter_class)].states.size())};
  for (const Meter& meter : meters_) {
    if (meter.meter_class != meter_class) continue;
    sums.energy += meter.energy;
    sums.transitions += meter.transitions;
    for (std::size_t s = 0; s < sums.residency.size(); ++s)
      sums.residency[s] += MeterTime::from_count(residency_[meter.first_residency + s].count());
  }
  const MeterClass& about = classes_[place(meter_class)];
  const ClassTotals& kept = class_totals_[place(meter_class)];
  const auto report = [&](const std::string& what, const std::string& meters,
                          const std::string& total) {
    errors.push_back({fmt::format("class {}: {} of its meters is {}, of the class {}", about.name,
                                  what, meters, total),
                      {}});
  };
  if (sums.energy != kept.energy) report("energy", to_text(sums.energy), to_text(kept.energy));
  if (sums.transitions != kept.transitions) {
    report("number of transitions", std::to_string(sums.transitions),
           std::to_string(kept.transitions));
  }
  for (std::size_t s = 0; s < sums.residency.size(); ++s) {
    if (sums.residency[s] != kept.residency[s]) {
      report(fmt::format("time in state {}", about.states[s]), digits(sums.residency[s]),
             digits(kept.residency[s]));
    }
  }
}

Errors Ledger::check() const {
  Errors errors;
  for (std::size_t i = 0; i < meters_.size(); ++i)
    check_meter(MeterIndex{static_cast<std::uint32_t>(i)}, errors);
  Energy sum;
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    check_class(ClassIndex{static_cast<std::uint8_t>(i)}, errors);
    sum += class_totals_[i].energy;
  }
  if (sum != total_) {
    errors.push_back({fmt::format("the classes add up to {}, but the total is {}", to_text(sum),
                                  to_text(total_)),
                      {}});
  }
  return errors;
}

void Ledger::take_meter(const Ledger& from, std::size_t index) {
  Meter meter = from.meters_[index];
  const auto first = from.residency_.begin() + static_cast<std::ptrdiff_t>(meter.first_residency);
  meter.first_residency = static_cast<std::uint32_t>(residency_.size());
  residency_.insert(residency_.end(), first,
                    first + static_cast<std::ptrdiff_t>(from.states_of(meter)));
  meters_.push_back(meter);
  numbers_.push_back(from.numbers_[index]);
}

void Ledger::take_meters(const Ledger& a, const Ledger& b, Errors& errors) {
  meters_.reserve(a.meters_.size() + b.meters_.size());
  numbers_.reserve(a.numbers_.size() + b.numbers_.size());
  residency_.reserve(a.residency_.size() + b.residency_.size());
  const auto key = [](const Ledger& ledger, std::size_t i) {
    return std::pair(ledger.meters_[i].meter_class, ledger.numbers_[i]);
  };
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.meters() || j < b.meters()) {
    const bool either = i < a.meters() && j < b.meters();
    if (either && key(a, i) == key(b, j)) {
      const auto twice = MeterIndex{static_cast<std::uint32_t>(i)};
      errors.push_back({fmt::format("{}: is in both ledgers", a.name_of(twice)), {}});
    }
    if (j == b.meters() || (either && key(a, i) < key(b, j))) {
      take_meter(a, i++);
    } else {
      take_meter(b, j++);
    }
  }
}

void Ledger::add_totals(const Ledger& from) {
  for (std::size_t c = 0; c < class_totals_.size(); ++c) {
    ClassTotals& sums = class_totals_[c];
    const ClassTotals& more = from.class_totals_[c];
    sums.energy += more.energy;
    sums.transitions += more.transitions;
    for (std::size_t s = 0; s < sums.residency.size(); ++s) sums.residency[s] += more.residency[s];
  }
  total_ += from.total_;
}

Result<Ledger> merge(const Ledger& a, const Ledger& b) {
  Errors errors;
  if (!a.closed_ || !b.closed_) errors.push_back({"only closed ledgers can be merged", {}});
  if (a.classes_ != b.classes_) errors.push_back({"the ledgers have different classes", {}});
  if (std::tie(a.start_, a.end_) != std::tie(b.start_, b.end_))
    errors.push_back({"the ledgers are of different times", {}});
  if (!errors.empty()) return fail(std::move(errors));

  Ledger both(a.classes_, {}, a.start_);
  both.take_meters(a, b, errors);
  if (!errors.empty()) return fail(std::move(errors));
  both.add_totals(a);
  both.add_totals(b);
  both.end_ = a.end_;
  both.closed_ = true;
  return both;
}

namespace {

void append_class(Bytes& bytes, const MeterClass& meter_class) {
  append_text(bytes, meter_class.name);
  append(bytes, static_cast<std::uint64_t>(meter_class.states.size()));
  for (const std::string& state : meter_class.states) append_text(bytes, state);
}

MeterClass take_class(ByteReader& reader) {
  MeterClass meter_class{reader.take_text(), {}};
  for (auto states = reader.take<std::uint64_t>(); states > 0; --states) {
    meter_class.states.push_back(reader.take_text());
  }
  return meter_class;
}

}  // namespace

Bytes to_bytes(const Ledger& ledger) {
  Bytes bytes;
  append(bytes, static_cast<std::uint64_t>(ledger.classes_.size()));
  for (std::size_t i = 0; i < ledger.classes_.size(); ++i) {
    const Ledger::ClassTotals& totals = ledger.class_totals_[i];
    append_class(bytes, ledger.classes_[i]);
    append(bytes, totals.energy);
    append(bytes, totals.transitions);
    append_list(bytes, totals.residency);
  }
  append(bytes, ledger.start_);
  append(bytes, ledger.end_);
  append(bytes, ledger.closed_);
  append_list(bytes, ledger.meters_);
  append_list(bytes, ledger.numbers_);
  append_list(bytes, ledger.residency_);
  append(bytes, ledger.total_);
  return bytes;
}

Ledger ledger_of(const Bytes& bytes) {
  ByteReader reader(bytes);
  Ledger ledger({}, {}, {});
  for (auto classes = reader.take<std::uint64_t>(); classes > 0; --classes) {
    ledger.classes_.push_back(take_class(reader));
    Ledger::ClassTotals totals;
    totals.energy = reader.take<Energy>();
    totals.transitions = reader.take<std::uint64_t>();
    totals.residency = reader.take_list<MeterTime>();
    ledger.class_totals_.push_back(std::move(totals));
  }
  ledger.start_ = reader.take<TimePoint>();
  ledger.end_ = reader.take<TimePoint>();
  ledger.closed_ = reader.take<bool>();
  ledger.meters_ = reader.take_list<Ledger::Meter>();
  ledger.numbers_ = reader.take_list<std::uint32_t>();
  ledger.residency_ = reader.take_list<Duration>();
  ledger.total_ = reader.take<Energy>();
  return ledger;
}

}  // namespace ebb::power
