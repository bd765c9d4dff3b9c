// SPDX-License-Identifier: Apache-2.0
#include "ebb/drivers/notice_limit.hpp"

#include <gtest/gtest.h>

namespace ebb::drivers {
namespace {

using namespace std::chrono_literals;

const transport::Clock::time_point kStart{1000s};

std::int64_t passed(NoticeLimit& limit, int times, transport::Clock::time_point at,
                    const char* device = "s0") {
  std::int64_t count = 0;
  for (int i = 0; i < times; ++i)
    count += limit.pass({"stranger", device, "somebody"}, at).has_value() ? 1 : 0;
  return count;
}

TEST(NoticeLimit, SoManyAtOnceThenOneASecond) {
  NoticeLimit limit;
  EXPECT_EQ(passed(limit, 1000, kStart), NoticeLimit::kAtOnce);
  EXPECT_EQ(passed(limit, 1000, kStart + 999ms), 0);
  EXPECT_EQ(passed(limit, 1000, kStart + 1s), 1);
  EXPECT_EQ(passed(limit, 1000, kStart + 3s), 2);
  EXPECT_EQ(passed(limit, 1000, kStart + 10h), NoticeLimit::kAtOnce);
}

TEST(NoticeLimit, OthersAreNotSilenced) {
  NoticeLimit limit;
  passed(limit, 1000, kStart);
  EXPECT_EQ(passed(limit, 1, kStart, "s1"), 1);
  EXPECT_TRUE(limit.pass({"switch_gone", "s0", "s0 has gone"}, kStart));
}

TEST(NoticeLimit, SaysHowManyWereKeptBack) {
  NoticeLimit limit;
  passed(limit, 107, kStart);
  EXPECT_EQ(limit.pass({"stranger", "s0", "somebody"}, kStart + 1s)->text,
            "somebody (7 more like it were not told)");
  EXPECT_EQ(limit.pass({"stranger", "s0", "somebody"}, kStart + 2s)->text, "somebody");
}

}  // namespace
}  // namespace ebb::drivers
