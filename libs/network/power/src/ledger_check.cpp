// SPDX-License-Identifier: Apache-2.0
//
// What is done with a ledger at the end of a run: balance it, join it with others.
#include "place.hpp"

#include "ebb/power/ledger.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace ebb::power {
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

}  // namespace ebb::power
