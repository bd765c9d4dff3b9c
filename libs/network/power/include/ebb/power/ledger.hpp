// SPDX-License-Identifier: Apache-2.0
//
// The energy account of a run: one meter per channel or component. A meter first closes the
// interval at its old power, then switches. Energy, residency and their sums are exact integers, so
// they are the same whatever the order of meters, however time is cut, and on any number of
// threads.
//
// Meters belong to classes ("channel", "switch core"), which name the states that residency is kept
// for. Sums per class and the total are accumulated beside the meters, not from them: check()
// compares the three, and every meter's residencies with the run time.
//
// Nothing is allocated after construction. A meter takes 52 bytes and 8 per state of its class.
// A ledger is used by one thread; partitions keep a ledger each and merge them at the end.
//
//   Ledger ledger({{"channel", {"asleep", "10Gb/s", "40Gb/s"}}},
//                 {{.number = 7, .power = watts(2), .state = StateIndex{2}}}, start);
//   ledger.switch_power(MeterIndex{0}, now, watts(1), StateIndex{1});
//   ledger.close(end);
//   if (const Errors errors = ledger.check(); !errors.empty()) ...
//
// Misuse (time that goes backwards, an unknown meter or state, a switch after close) can only come
// from a bug of the caller, and the call is on the hot path of a simulation: it is an EBB_CHECK, on
// in every build. Merging happens once, at the border of processes, and answers with a Result.
#pragma once

#include "ebb/core/bytes.hpp"
#include "ebb/core/result.hpp"
#include "ebb/units/energy.hpp"
#include "ebb/units/time.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ebb::power {

enum class MeterIndex : std::uint32_t {};  // position in the ledger
enum class ClassIndex : std::uint8_t {};
enum class StateIndex : std::uint8_t {};

// Time added up over meters: a thousand hours of a million channels does not fit a Duration.
using MeterTime = Quantity<struct MeterTimeTag, Int128>;  // ps

struct MeterClass {
  std::string name;
  std::vector<std::string> states;  // 1 to 256

  bool operator==(const MeterClass&) const = default;
};

// A meter at the start of the run.
struct MeterStart {
  std::uint32_t number = 0;  // the run's own number of the thing, unique in its class
  ClassIndex meter_class{};
  Power power;
  StateIndex state{};
};

class Ledger {
 public:
  // Meters ascend by (class, number).
  Ledger(std::vector<MeterClass> classes, std::span<const MeterStart> meters, TimePoint start);

  // Charges the interval since the meter's last switch at its old power, then switches. Counts a
  // transition when the state differs. `now` must not lie before the meter's last switch.
  void switch_power(MeterIndex meter, TimePoint now, Power power, StateIndex state);

  // Energy that is not power over time: per bit, per packet, per transition.
  void charge(MeterIndex meter, Energy energy);

  // Charges every meter up to `now`. Nothing may be switched or charged afterwards.
  void close(TimePoint now);

  [[nodiscard]] std::size_t meters() const { return meters_.size(); }
  [[nodiscard]] std::span<const MeterClass> classes() const { return classes_; }
  [[nodiscard]] TimePoint start() const { return start_; }
  [[nodiscard]] TimePoint end() const { return end_; }
  [[nodiscard]] bool closed() const { return closed_; }

  // Of one meter, up to its last switch or to the end.
  [[nodiscard]] std::uint32_t number(MeterIndex meter) const;
  [[nodiscard]] ClassIndex class_of(MeterIndex meter) const;
  [[nodiscard]] Energy energy(MeterIndex meter) const;
  // Of one meter, up to `now`, which is not before its last switch.
  [[nodiscard]] Energy energy_until(MeterIndex meter, TimePoint now) const;
  [[nodiscard]] Duration residency(MeterIndex meter, StateIndex state) const;
  [[nodiscard]] std::uint64_t transitions(MeterIndex meter) const;

  struct ClassTotals {
    Energy energy;
    std::uint64_t transitions = 0;
    std::vector<MeterTime> residency;  // by state

    bool operator==(const ClassTotals&) const = default;
  };
  [[nodiscard]] const ClassTotals& totals(ClassIndex meter_class) const;
  [[nodiscard]] Energy total() const { return total_; }

  // Adds a closed ledger of the same meters whose time comes after that of this one, which is
  // closed as well. Errors say why two ledgers do not belong together, and then nothing was added.
  [[nodiscard]] Errors add_time(const Ledger& later);

  // Empty when the account balances: for every meter the state times add up to the run time, and
  // the meters, the classes and the total agree. Errors name the meter or class.
  [[nodiscard]] Errors check() const;

  // Bytes held, for scale tests.
  [[nodiscard]] std::size_t memory_bytes() const;

  friend Result<Ledger> merge(const Ledger& a, const Ledger& b);
  friend Ledger scaled(const Ledger& ledger, std::uint64_t times);
  friend Bytes to_bytes(const Ledger& ledger);
  friend Ledger ledger_of(const Bytes& bytes);

  bool operator==(const Ledger&) const = default;

 private:
  friend struct LedgerSpoiler;  // tests break a ledger with it, to see check() notice

  struct Meter {
    Energy energy;
    Power power;
    TimePoint since{};
    std::uint64_t transitions = 0;
    std::uint32_t first_residency = 0;  // index into residency_
    ClassIndex meter_class{};
    StateIndex state{};

    bool operator==(const Meter&) const = default;
  };
  static_assert(sizeof(Meter) == 48);

  void add_meter(const MeterStart& start);
  void integrate(Meter& meter, TimePoint now);
  void check_meter(MeterIndex index, Errors& errors) const;
  void check_class(ClassIndex meter_class, Errors& errors) const;
  [[nodiscard]] const Meter& at(MeterIndex meter) const;
  [[nodiscard]] std::size_t states_of(const Meter& meter) const;
  [[nodiscard]] std::string name_of(MeterIndex meter) const;
  void take_meter(const Ledger& from, std::size_t index);
  // The meters of both in order; reports those that are in both.
  void take_meters(const Ledger& a, const Ledger& b, Errors& errors);
  void add_totals(const Ledger& from);

  std::vector<MeterClass> classes_;
  TimePoint start_{};
  TimePoint end_{};
  bool closed_ = false;
  std::vector<Meter> meters_;
  std::vector<std::uint32_t> numbers_;  // apart: the hot path does not need them
  std::vector<Duration> residency_;
  std::vector<ClassTotals> class_totals_;
  Energy total_;
};

// One account of two closed ledgers over disjoint meters with the same classes, start and end.
// Meters are ordered by (class, number), so neither the order of merging nor the split shows.
[[nodiscard]] Result<Ledger> merge(const Ledger& a, const Ledger& b);

// The account of a time that is so many times as long and in which everything happens so many times
// as often: energies, state times and transitions are multiplied. It is what a closed ledger of a
// sample says of the time that the sample stands for. A scaled ledger begins at time zero, and its
// meters have no present power or state, so sums by add_time are the same in any order. The ledger
// is closed and its scaled time fits a Duration.
[[nodiscard]] Ledger scaled(const Ledger& ledger, std::uint64_t times);

// From one process of a run to another.
[[nodiscard]] Bytes to_bytes(const Ledger& ledger);
[[nodiscard]] Ledger ledger_of(const Bytes& bytes);

// What a channel draws while it changes between two states: the higher of the two powers. Nobody
// has published the power of a change; this never counts a saving that has not begun.
[[nodiscard]] constexpr Power power_while_changing(Power from, Power to) {
  return from < to ? to : from;
}

}  // namespace ebb::power
