// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ebb::topology {
namespace {

bool proposes(const std::string& family, const Demand& demand, const ParameterTexts& shape) {
  const auto found = find_family(family).value()->designs(demand);
  return std::find(found.begin(), found.end(), shape) != found.end();
}

TEST(Designs, FindTheNetworksOfThePapers) {
  const Demand isca{.hosts = 32'768, .ports = 36};
  EXPECT_TRUE(proposes("fbfly", isca, {{"hosts", "8"}, {"dims", "8x8x8x8"}, {"parallel", "1"}}));
  EXPECT_TRUE(proposes("clos_chassis", isca, {{"hosts", "32768"}, {"chip_ports", "36"}}));
  const Demand exascale{.hosts = 300'000, .ports = 72};
  EXPECT_TRUE(proposes("fbfly", exascale,
                       {{"hosts", "15"}, {"dims", "15x15x15x6"}, {"parallel", "1x1x1x3"}}));
  EXPECT_TRUE(
      proposes("dragonfly", exascale, {{"p", "18"}, {"a", "36"}, {"h", "18"}, {"g", "463"}}));
}

// Whatever a family proposes for a demand is a shape that it builds and that meets the demand.
RC_GTEST_PROP(Designs, MeetTheDemand, ()) {
  const Demand demand{.hosts = *rc::gen::inRange<std::int64_t>(2, 20'000),
                      .ports = *rc::gen::inRange<std::int64_t>(4, 65),
                      .oversubscription = Ratio(*rc::gen::inRange(1, 5), 1)};
  for (const Family& family : families()) {
    if (family.designs == nullptr) continue;
    for (const ParameterTexts& design : family.designs(demand)) {
      const auto known = figures(family.name, design);
      if (family.name == "clos_chassis" && !known) continue;  // takes the demand as it is
      RC_ASSERT(known.has_value());
      RC_ASSERT(known->hosts >= demand.hosts);
      RC_ASSERT(known->switch_ports <= demand.ports);
      RC_ASSERT(known->oversubscription <= demand.oversubscription.to_double());
    }
  }
}

}  // namespace
}  // namespace ebb::topology
