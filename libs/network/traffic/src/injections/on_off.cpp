// SPDX-License-Identifier: Apache-2.0
#include "injections/on_off.hpp"

#include "injections/interval.hpp"
#include "pareto_count.hpp"

#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

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
