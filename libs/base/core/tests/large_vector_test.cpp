// SPDX-License-Identifier: Apache-2.0
#include "ebb/core/large_vector.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>

namespace ebb {
namespace {

template <class T>
std::uintptr_t offset(const LargeVector<T>& values, std::uintptr_t of) {
  return reinterpret_cast<std::uintptr_t>(values.data()) % of;
}

TEST(LargeVector, BeginsWithACacheLineOrALargePage) {
  const LargeVector<std::uint32_t> few(3);
  EXPECT_EQ(offset(few, 64), 0U);
  const LargeVector<std::uint32_t> many(4 << 20);
  EXPECT_EQ(offset(many, std::uintptr_t{2} << 20U), 0U);
}

TEST(LargeVector, KeepsWhatItHoldsWhenItGrows) {
  LargeVector<std::uint64_t> values;
  for (std::uint64_t i = 0; i < (2 << 20); ++i) values.push_back(i);
  LargeVector<std::uint64_t> expected(values.size());
  std::iota(expected.begin(), expected.end(), 0U);
  EXPECT_TRUE(values == expected);
}

}  // namespace
}  // namespace ebb
