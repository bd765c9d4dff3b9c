// SPDX-License-Identifier: Apache-2.0
#include "injections/periodic.hpp"

#include "injections/interval.hpp"

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
