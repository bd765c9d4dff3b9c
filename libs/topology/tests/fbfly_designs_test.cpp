// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace ebb::topology {
namespace {

std::vector<ParameterTexts> designs(const Demand& demand) {
  return find_family("fbfly").value()->designs(demand);
}

TEST(FbflyDesigns, FindTheNetworksOfThePapers) {
  const ParameterTexts flat5{{"hosts", "8"}, {"dims", "8x8x8x8"}, {"parallel", "1x1x1x1"}};
  const auto small = designs({.hosts = 32'768, .ports = 36});
  EXPECT_NE(std::find(small.begin(), small.end(), flat5), small.end());
  const ParameterTexts exascale{{"hosts", "15"}, {"dims", "15x15x15x6"}, {"parallel", "1x1x1x3"}};
  const auto large = designs({.hosts = 300'000, .ports = 72});
  EXPECT_NE(std::find(large.begin(), large.end(), exascale), large.end());
}

RC_GTEST_PROP(FbflyDesigns, MeetTheDemand, ()) {
  const Demand demand{.hosts = *rc::gen::inRange<std::int64_t>(1, 20'000),
                      .ports = *rc::gen::inRange<std::int64_t>(4, 65),
                      .oversubscription = Ratio(*rc::gen::inRange(1, 5), 1)};
  for (const ParameterTexts& design : designs(demand)) {
    const auto known = figures("fbfly", design);
    RC_ASSERT(known.has_value());
    RC_ASSERT(known->hosts >= demand.hosts);
    RC_ASSERT(known->switch_ports <= demand.ports);
    RC_ASSERT(known->oversubscription <= demand.oversubscription.to_double());
  }
}

}  // namespace
}  // namespace ebb::topology
