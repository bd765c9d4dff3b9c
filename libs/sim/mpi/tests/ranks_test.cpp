// SPDX-License-Identifier: Apache-2.0
#include "ebb/mpi/ranks.hpp"

#include "ebb/core/bytes.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace ebb::mpi {
namespace {

TEST(Alone, HasOnlyItself) {
  Ranks& ranks = alone();
  EXPECT_TRUE(ranks.alone());
  EXPECT_TRUE(ranks.first());
  EXPECT_EQ(total(ranks, 7), 7);
  Bytes mine;
  append(mine, 5);
  ASSERT_EQ(ranks.share(mine).size(), 1U);
  EXPECT_EQ(ranks.collect(mine).front(), mine);
  EXPECT_EQ(ranks.exchange({}, {}, {}, 42), 42);
}

}  // namespace
}  // namespace ebb::mpi
