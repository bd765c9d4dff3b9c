// SPDX-License-Identifier: Apache-2.0
#include "ebb/units/data.hpp"
#include "ebb/units/energy.hpp"
#include "ebb/units/quantity.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

namespace ebb {
namespace {

using namespace std::chrono_literals;

TEST(SerializationTime, RoundsUpOnTheWholePacket) {
  EXPECT_EQ(serialization_time(bytes(2048), gigabits_per_second(40)), Duration(409'600));
  EXPECT_EQ(serialization_time(bits(1), gigabits_per_second(3)), Duration(334));
  EXPECT_EQ(serialization_time(bytes(1'000'000'000'000), bits_per_second(10'000'000'000)), 800s);
}

RC_GTEST_PROP(SerializationTime, CarriesThePacketAndNotAPicosecondMore, ()) {
  const auto size = bits(*rc::gen::inRange<std::int64_t>(1, 1'000'000'000));
  const auto rate = bits_per_second(*rc::gen::inRange<std::int64_t>(1'000'000, 2'000'000'000'000));
  const Duration time = serialization_time(size, rate);
  const auto picobits = [&](Duration t) { return static_cast<Int128>(rate.count()) * t.count(); };
  const Int128 needed = static_cast<Int128>(size.count()) * 1'000'000'000'000;
  RC_ASSERT(picobits(time) >= needed);
  RC_ASSERT(picobits(time - Duration(1)) < needed);
}

TEST(Energy, IsExactForPicosecondsAndForYears) {
  EXPECT_EQ(microwatts(1) * Duration(1), attojoules(1));
  EXPECT_EQ(watts(9) * 1s, joules(9));
  EXPECT_EQ((watts(1) * std::chrono::hours(35'040)).count(), joules(35'040LL * 3600).count());
}

RC_GTEST_PROP(Energy, SumsAreTheSameInAnyOrder, (std::vector<std::uint32_t> parts)) {
  Energy forward;
  Energy backward;
  for (const auto p : parts) forward += microwatts(p) * Duration(p / 3 + 1);
  std::reverse(parts.begin(), parts.end());
  for (const auto p : parts) backward += microwatts(p) * Duration(p / 3 + 1);
  RC_ASSERT(forward == backward);
}

TEST(Energy, PowerOfAStream) {
  // 11.4 pJ/b at 100 Gb/s = 1.14 W
  EXPECT_EQ(power_of_stream(attojoules(11'400'000), gigabits_per_second(100)), milliwatts(1'140));
}

TEST(Money, PricesEnergyOverYears) {
  // 409,600 W x 4 years x $0.07/kWh = 14,352.384 MWh x $70
  const Energy energy = watts(409'600) * std::chrono::hours(4 * 8760);
  EXPECT_EQ(cost(energy, cents_per_kwh(7)).count(), 1'004'666'880'000);
  // A gigawatt for a century does not overflow on the way.
  const Energy century = watts(1'000'000'000) * std::chrono::hours(876'000);
  EXPECT_EQ(cost(century, cents_per_kwh(10)), dollars(87'600'000'000));
}

TEST(Ratio, ComparesExactlyAndScalesDown) {
  EXPECT_EQ(Ratio(2, 4), Ratio(1, 2));
  EXPECT_LT(Ratio(1, 3), Ratio(334, 1000));
  EXPECT_EQ(scale(watts(100), Ratio(42, 100)), watts(42));
  EXPECT_EQ(scale(microwatts(-10), Ratio(1, 3)), microwatts(-4));
}

}  // namespace
}  // namespace ebb
