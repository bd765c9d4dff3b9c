// SPDX-License-Identifier: Apache-2.0
#include "ebb/results/load.hpp"

#include <gtest/gtest.h>

namespace ebb::results {
namespace {

TEST(LoadOfARun, IsThatOfItsInjectionOrItsWorkload) {
  results::Run run;
  run.parameters = {{"policy", "epoch"}};
  EXPECT_FALSE(load_of(run));
  run.parameters = {{"policy", "epoch"}, {"traffic.injection.load", "5%"}};
  EXPECT_EQ(load_of(run), (Parameter{"traffic.injection.load", "5%"}));
  run.parameters = {{"traffic.load", "6%"}, {"traffic.workload", "search"}};
  EXPECT_EQ(load_of(run), (Parameter{"traffic.load", "6%"}));
}

}  // namespace
}  // namespace ebb::results
