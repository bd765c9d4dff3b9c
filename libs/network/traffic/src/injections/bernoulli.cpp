// SPDX-License-Identifier: Apache-2.0
#include "injections/bernoulli.hpp"

#include "injections/interval.hpp"

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
