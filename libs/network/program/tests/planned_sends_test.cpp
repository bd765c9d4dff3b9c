// SPDX-License-Identifier: Apache-2.0
//
// What a rank says it will send, before it does.
#include "ebb/program/goal.hpp"
#include "ebb/program/job.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>

namespace ebb::program {
namespace {

using namespace std::chrono_literals;

TimePoint at(Duration time) { return TimePoint(time); }

// Rank 0 computes for 100 ns and sends to rank 1 then; the second send also waits for a message.
Program computes_and_sends() {
  return read_goal_text(
             "num_ranks 3\n"
             "rank 0 {\nc: calc 100\nz: calc 0\ns: send 8b to 1\nr: recv 8b from 2\n"
             "t: send 8b to 2\nz requires c\ns requires z\nt requires c\nt requires r\n}\n"
             "rank 1 {\nrecv 8b from 0\n}\n"
             "rank 2 {\nsend 8b to 0\nrecv 8b from 0\n}\n",
             "test.goal")
      .value();
}

TEST(PlannedSends, AreToldSoLongBefore) {
  const Program program = computes_and_sends();
  Jobs jobs(3, {{program, {0, 1, 2}, {}, "one"}}, {});
  jobs.look_ahead(0, 30ns);
  EXPECT_EQ(jobs.advance(0, at(69ns)), at(70ns));
  EXPECT_FALSE(jobs.next_planned(0));
  EXPECT_EQ(jobs.advance(0, at(70ns)), at(100ns));
  const auto planned = jobs.next_planned(0);
  ASSERT_TRUE(planned);
  EXPECT_EQ(planned->at, at(100ns));
  EXPECT_EQ(planned->destination, 1U);
  EXPECT_FALSE(jobs.next_planned(0));  // the other may come later
}

TEST(PlannedSends, AreToldAtOnceWhereTheTimeIsShort) {
  const Program program = computes_and_sends();
  Jobs jobs(3, {{program, {0, 1, 2}, {}, "one"}}, {});
  jobs.look_ahead(0, 1us);
  (void)jobs.advance(0, at(0ns));
  const auto planned = jobs.next_planned(0);
  ASSERT_TRUE(planned);
  EXPECT_EQ(planned->at, at(100ns));
}

TEST(PlannedSends, AreNotToldToThoseWhoDoNotLookAhead) {
  const Program program = computes_and_sends();
  Jobs jobs(3, {{program, {0, 1, 2}, {}, "one"}}, {});
  (void)jobs.advance(0, at(1us));
  EXPECT_FALSE(jobs.next_planned(0));
}

}  // namespace
}  // namespace ebb::program
