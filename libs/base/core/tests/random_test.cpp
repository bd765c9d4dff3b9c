// SPDX-License-Identifier: Apache-2.0
#include "ebb/core/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace ebb {
namespace {

// Golden values: the contract that a stream is the same bits on every compiler and machine.
TEST(RandomStream, GivesTheSameBitsEverywhere) {
  RandomStream stream(1, "golden");
  EXPECT_EQ(stream.next(), 0xf1c9955aeeca701aULL);
  EXPECT_EQ(stream.next(), 0x590d02ab60396535ULL);
  EXPECT_EQ(stream.below(1000), 131U);
  EXPECT_EQ(stream.unit(), 0x1.906d47f6aed62p-2);
  EXPECT_EQ(stream.exponential(), 0x1.20a90399a6f3ep+1);
}

TEST(RandomStream, NamesAndSeedsGiveUnrelatedStreams) {
  EXPECT_NE(RandomStream(1, "a").next(), RandomStream(1, "b").next());
  EXPECT_NE(RandomStream(1, "a").next(), RandomStream(2, "a").next());
  EXPECT_EQ(RandomStream(7, "a").next(), RandomStream(7, "a").next());
}

TEST(RandomStream, BelowIsUniform) {
  RandomStream stream(3, "uniform");
  std::array<int, 7> seen{};
  constexpr int kDraws = 70000;
  for (int i = 0; i < kDraws; ++i) ++seen[stream.below(7)];
  double chi_square = 0;
  for (const int count : seen) chi_square += (count - 10000.0) * (count - 10000.0) / 10000.0;
  EXPECT_LT(chi_square, 22.46);  // 6 degrees of freedom, p = 0.001
}

TEST(RandomStream, ExponentialHasMeanOneAndVarianceOne) {
  RandomStream stream(5, "exponential");
  double sum = 0;
  double squares = 0;
  constexpr int kDraws = 200000;
  for (int i = 0; i < kDraws; ++i) {
    const double x = stream.exponential();
    EXPECT_GE(x, 0);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / kDraws, 1.0, 0.01);
  EXPECT_NEAR(squares / kDraws - 1.0, 1.0, 0.04);
}

TEST(PortableLog, AgreesWithTheLibrary) {
  for (double x = 1e-300; x < 1e300; x *= 1.7) {
    EXPECT_NEAR(portable_log(x), std::log(x), 1e-14 * std::abs(std::log(x)) + 1e-15) << x;
  }
  EXPECT_EQ(portable_log(1.0), 0.0);
}

TEST(PortableExp, AgreesWithTheLibraryOnItsRange) {
  for (double x = -700; x <= 700; x += 0.37) {
    EXPECT_NEAR(portable_exp(x) / std::exp(x), 1, 1e-14) << x;
  }
  EXPECT_EQ(portable_exp(0.0), 1.0);
  EXPECT_EQ(portable_exp(-1.0), 0x1.78b56362cef38p-2) << "the same bits everywhere";
}

}  // namespace
}  // namespace ebb
