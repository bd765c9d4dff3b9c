// SPDX-License-Identifier: Apache-2.0
//
// Injections whose load or sizes vary: on-off, jump, flows.

#include "injections/draws.hpp"
#include "kinds.hpp"

#include "ebb/traffic/size_distribution.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

// Bursts with heavy tails. ON: N messages at the slots of size / (peak * rate), N from ParetoCount.
// OFF: (K - 1/2 + u) * (peak / load - 1) slots, K like N, u uniform in (0, 1]. Both have the mean
// of the count, so the share of ON time is load / peak, exactly in the mean. The first burst of a
// host begins at a uniform share of an OFF time.
namespace ebb::traffic::on_off {
namespace {

// Time holds 106 days, of which a run may take 100.
constexpr Duration kLongestPause = std::chrono::hours(24);

class OnOff final : public Injection {
 public:
  OnOff(DataSize size, Interval slot, double off_picoseconds, ParetoCount count)
      : Injection(size), slot_(slot), off_picoseconds_(off_picoseconds), count_(std::move(count)) {}

  Progress first(RandomStream& stream) const override {
    const Duration begin = rounded(stream.unit() * off(stream));
    return {.at = TimePoint(begin), .left = count_.draw(stream)};
  }

  void advance(Progress& progress, RandomStream& stream) const override {
    slot_.step(progress);
    if (--progress.left > 0) return;
    progress.at += rounded(off(stream));
    progress.left = count_.draw(stream);
  }

 private:
  // In picoseconds.
  [[nodiscard]] double off(RandomStream& stream) const {
    const double slots = count_.draw(stream) - 0.5 + stream.unit();
    return slots * off_picoseconds_;
  }

  Interval slot_;
  double off_picoseconds_;  // for each slot of ON time, on average
  ParetoCount count_;
};

Result<std::unique_ptr<Injection>> make(DataRate host_rate, const Parameters& parameters) {
  const DataSize size = parameters.size("size");
  const Ratio load = parameters.ratio("load");
  const Ratio peak = parameters.ratio("peak");
  if (load >= peak) {
    return fail(fmt::format("'load' must be below 'peak', the load of a burst: got {} and {}",
                            to_text(load), to_text(peak)),
                {.path = "load"});
  }
  const auto most = static_cast<std::uint32_t>(parameters.integer("longest"));
  const auto gap = Interval::mean_gap(size, load, host_rate);
  const auto slot = Interval::mean_gap(size, peak, host_rate);
  if (!gap) return fail(gap.error());
  if (!slot) return fail(slot.error());
  const double off = slot->picoseconds() * (peak.to_double() / load.to_double() - 1);
  if (off * (most + 1.0) > static_cast<double>(kLongestPause.count())) {
    return fail("pauses can be longer than a day; give a larger load or a smaller 'longest'");
  }
  return std::make_unique<OnOff>(size, *slot, off, ParetoCount(parameters.ratio("shape"), most));
}

}  // namespace

InjectionKind kind() {
  return {.name = "on-off",
          .summary = "bursts of messages and pauses between them, both with heavy tails (Pareto)",
          .parameters = {load_parameter(Ratio(1, 10'000)),
                         size_parameter("of each message"),
                         {"peak", Range<Ratio>{Ratio(1, 1'000), Ratio(1, 1)}, "1",
                          "load while a burst lasts"},
                         {"shape", Range<Ratio>{Ratio(1, 10), Ratio(10, 1)}, "1.5",
                          "of the Pareto distribution; below 2 bursts are of all lengths"},
                         {"longest", Range<std::int64_t>{1, 10'000}, "1000",
                          "most messages of a burst"}},
          .make = make};
}

}  // namespace ebb::traffic::on_off

// A Poisson process of one load until `at` and of another from then on: what a network and its
// policy do when the load changes suddenly. Exponential gaps have no memory, so a gap that would
// reach beyond `at` is drawn anew from there.
namespace ebb::traffic::jump {
namespace {

class Jump final : public Injection {
 public:
  Jump(DataSize size, TimePoint at, double before, double after)
      : Injection(size), at_(at), before_(before), after_(after) {}

  Progress first(RandomStream& stream) const override { return {.at = next({}, stream)}; }

  void advance(Progress& progress, RandomStream& stream) const override {
    progress.at = next(progress.at, stream);
  }

 private:
  [[nodiscard]] TimePoint next(TimePoint from, RandomStream& stream) const {
    if (from < at_) {
      const TimePoint then = from + rounded(stream.exponential() * before_);
      if (then < at_) return then;
      from = at_;
    }
    return from + rounded(stream.exponential() * after_);
  }

  TimePoint at_;
  double before_;  // mean gaps in picoseconds
  double after_;
};

Result<std::unique_ptr<Injection>> make(DataRate host_rate, const Parameters& parameters) {
  const DataSize size = parameters.size("size");
  const auto before = Interval::mean_gap(size, parameters.ratio("before"), host_rate);
  if (!before) return fail(before.error());
  const auto after = Interval::mean_gap(size, parameters.ratio("load"), host_rate);
  if (!after) return fail(after.error());
  return std::make_unique<Jump>(size, TimePoint(parameters.duration("at")), before->picoseconds(),
                                after->picoseconds());
}

}  // namespace

InjectionKind kind() {
  const Ratio least(1, 1'000'000);
  return {.name = "jump",
          .summary = "poisson of one load, and suddenly of another",
          .parameters = {load_parameter(least),
                         {"before", Range<Ratio>{least, Ratio(1, 1)}, "1%",
                          "load until then, of the host links"},
                         {"at", Range<Duration>{Duration{}, std::chrono::hours(1)}, "1ms", "when"},
                         size_parameter("of each message")},
          .make = make};
}

}  // namespace ebb::traffic::jump

// Messages whose sizes follow a published distribution, each drawn by itself. The mean gap is
// mean size / (load * rate); gaps are exponential, or all equal with a phase of the host's own.
namespace ebb::traffic::flows {
namespace {

class Flows final : public Injection {
 public:
  Flows(const SizeDistribution& sizes, Interval gap, bool random)
      : Injection(sizes.mean()), sizes_(sizes), gap_(gap), random_(random) {}

  Progress first(RandomStream& stream) const override {
    if (!random_) return gap_.phase(Ratio(1, 1), stream);
    return {.at = TimePoint(gap_.exponential(stream))};
  }
  void advance(Progress& progress, RandomStream& stream) const override {
    if (!random_) return gap_.step(progress);
    progress.at += gap_.exponential(stream);
  }
  DataSize size(RandomStream& stream) const override { return sizes_.draw(stream); }
  MessageSizes sizes() const override { return sizes_.extent(); }

 private:
  const SizeDistribution& sizes_;
  Interval gap_;
  bool random_;
};

Result<std::unique_ptr<Injection>> make(DataRate host_rate, const Parameters& parameters) {
  const SizeDistribution* sizes = *find_size_distribution(parameters.choice("sizes"));
  const auto gap = Interval::mean_gap(sizes->mean(), parameters.ratio("load"), host_rate);
  if (!gap) return fail(gap.error());
  return std::make_unique<Flows>(*sizes, *gap, parameters.choice("arrivals") == "poisson");
}

Choice size_names() {
  Choice choice;
  for (const SizeDistribution& one : size_distributions()) choice.words.push_back(one.name());
  return choice;
}

}  // namespace

InjectionKind kind() {
  return {.name = "flows",
          .summary = "messages whose sizes follow a published distribution",
          .parameters = {load_parameter(Ratio(1, 1'000'000)),
                         {"sizes", size_names(), std::nullopt, "distribution of the sizes"},
                         {"arrivals", Choice{{"poisson", "periodic"}}, "poisson",
                          "gaps: exponential, or all equal"}},
          .make = make};
}

}  // namespace ebb::traffic::flows
