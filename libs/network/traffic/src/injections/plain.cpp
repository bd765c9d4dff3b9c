// SPDX-License-Identifier: Apache-2.0
//
// Injections of messages of one size at one load: poisson, bernoulli, periodic.

#include "injections/draws.hpp"
#include "kinds.hpp"

// Messages as a Poisson process: gaps are exponential with mean size / (load * rate), each rounded
// to the nearest picosecond. The first message is one gap after time 0.
namespace ebb::traffic::poisson {
namespace {

class Poisson final : public Injection {
 public:
  Poisson(DataSize size, double mean_picoseconds)
      : Injection(size), mean_picoseconds_(mean_picoseconds) {}

  Progress first(RandomStream& stream) const override { return {.at = TimePoint(gap(stream))}; }

  void advance(Progress& progress, RandomStream& stream) const override {
    progress.at += gap(stream);
  }

 private:
  // Floating point from -, * and portable_log alone: the same bits everywhere.
  [[nodiscard]] Duration gap(RandomStream& stream) const {
    return rounded(stream.exponential() * mean_picoseconds_);
  }

  double mean_picoseconds_;
};

Result<std::unique_ptr<Injection>> make(DataRate host_rate, const Parameters& parameters) {
  const DataSize size = parameters.size("size");
  const auto gap = Interval::mean_gap(size, parameters.ratio("load"), host_rate);
  if (!gap) return fail(gap.error());
  return std::make_unique<Poisson>(size, gap->picoseconds());
}

}  // namespace

InjectionKind kind() {
  return {.name = "poisson",
          .summary = "messages of one size at random times, independent of each other",
          .parameters = {load_parameter(Ratio(1, 1'000'000)), size_parameter("of each message")},
          .make = make};
}

}  // namespace ebb::traffic::poisson

// Time is cut into slots of one packet time, size / rate. In each slot a packet starts with
// probability `load`, decided by integers, so the expected load is exact. The slots of a host begin
// at a phase drawn from the first `spread` of a slot.
namespace ebb::traffic::bernoulli {
namespace {

class Bernoulli final : public Injection {
 public:
  Bernoulli(DataSize size, Ratio load, Interval slot, Ratio spread)
      : Injection(size), load_(load), slot_(slot), spread_(spread) {}

  Progress first(RandomStream& stream) const override {
    Progress progress = slot_.phase(spread_, stream);
    while (!used(stream)) slot_.step(progress);
    return progress;
  }

  void advance(Progress& progress, RandomStream& stream) const override {
    do {
      slot_.step(progress);
    } while (!used(stream));
  }

 private:
  // Whether a packet starts in the slot.
  [[nodiscard]] bool used(RandomStream& stream) const {
    return stream.below(static_cast<std::uint64_t>(load_.den())) <
           static_cast<std::uint64_t>(load_.num());
  }

  Ratio load_;
  Interval slot_;
  Ratio spread_;
};

Result<std::unique_ptr<Injection>> make(DataRate host_rate, const Parameters& parameters) {
  const DataSize size = parameters.size("size");
  const Ratio load = parameters.ratio("load");
  // Only slots are needed later, but packets must not be too far apart either.
  if (const auto gap = Interval::mean_gap(size, load, host_rate); !gap) return fail(gap.error());
  const auto slot = Interval::mean_gap(size, Ratio(1, 1), host_rate);
  if (!slot) return fail(slot.error());
  return std::make_unique<Bernoulli>(size, load, *slot, parameters.ratio("spread"));
}

}  // namespace

// One draw per slot: below a load of 1/10,000 a packet would cost more than 10,000 draws, and
// `poisson`, the limit of small loads, serves as well.
InjectionKind kind() {
  return {.name = "bernoulli",
          .summary = "in each slot of one packet time a packet with probability `load`",
          .parameters = {load_parameter(Ratio(1, 10'000)), size_parameter("of each packet"),
                         spread_parameter()},
          .make = make};
}

}  // namespace ebb::traffic::bernoulli

// Message n is sent at phase + n * size / (load * rate), rounded down and without drift. The phase
// is drawn from the first `spread` of the interval; with spread 0 all hosts send in step.
namespace ebb::traffic::periodic {
namespace {

class Periodic final : public Injection {
 public:
  Periodic(DataSize size, Interval interval, Ratio spread)
      : Injection(size), interval_(interval), spread_(spread) {}

  Progress first(RandomStream& stream) const override { return interval_.phase(spread_, stream); }

  void advance(Progress& progress, RandomStream& /*stream*/) const override {
    interval_.step(progress);
  }

 private:
  Interval interval_;
  Ratio spread_;
};

Result<std::unique_ptr<Injection>> make(DataRate host_rate, const Parameters& parameters) {
  const DataSize size = parameters.size("size");
  const auto interval = Interval::mean_gap(size, parameters.ratio("load"), host_rate);
  if (!interval) return fail(interval.error());
  return std::make_unique<Periodic>(size, *interval, parameters.ratio("spread"));
}

}  // namespace

InjectionKind kind() {
  return {.name = "periodic",
          .summary = "messages of one size at equal intervals",
          .parameters = {load_parameter(Ratio(1, 1'000'000)), size_parameter("of each message"),
                         spread_parameter()},
          .make = make};
}

}  // namespace ebb::traffic::periodic
