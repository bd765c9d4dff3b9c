// SPDX-License-Identifier: Apache-2.0
#include "injections/poisson.hpp"

#include "injections/interval.hpp"

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
