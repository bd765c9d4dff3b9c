// SPDX-License-Identifier: Apache-2.0
#include "injections/jump.hpp"

#include "injections/interval.hpp"

#include <chrono>

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
