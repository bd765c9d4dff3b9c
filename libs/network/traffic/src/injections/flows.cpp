// SPDX-License-Identifier: Apache-2.0
#include "injections/flows.hpp"

#include "injections/interval.hpp"

#include "ebb/traffic/size_distribution.hpp"

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
