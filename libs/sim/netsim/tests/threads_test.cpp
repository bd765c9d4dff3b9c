// SPDX-License-Identifier: Apache-2.0
//
// However the switches are spread over threads, the run is the same, bit for bit.
#include "same_run.hpp"

#include <gtest/gtest.h>

namespace ebb::netsim {
namespace {

using namespace same_run;

class ThreadsOf : public testing::TestWithParam<Case> {};

TEST_P(ThreadsOf, AnyNumberGivesTheSameRun) {
  const Outcome alone = simulate(GetParam(), 1);
  EXPECT_GT(alone.report.packet_latency.count(), 500U);
  EXPECT_TRUE(alone.report.ledger.check().empty());
  EXPECT_FALSE(alone.report.stall.has_value());
  for (const std::uint32_t threads : {2U, 3U, 4U, 8U}) {
    SCOPED_TRACE(threads);
    expect_same(alone, simulate(GetParam(), threads));
  }
}

TEST(Threads, MoreThanSwitchesAreNotUsed) {
  const Case one{.name = "complete",
                 .family = "complete",
                 .parameters = {{"switches", "3"}, {"hosts", "4"}},
                 .routing = "shortest-path",
                 .policy = "always-on",
                 .policy_parameters = {},
                 .output_buffer = {}};
  expect_same(simulate(one, 1), simulate(one, 8));
}

INSTANTIATE_TEST_SUITE_P(All, ThreadsOf, testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace ebb::netsim
