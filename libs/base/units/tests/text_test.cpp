// SPDX-License-Identifier: Apache-2.0
#include "ebb/units/text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <string>

namespace ebb {
namespace {

TEST(Parse, ReadsEveryKind) {
  EXPECT_EQ(parse<DataRate>("40Gb/s"), gigabits_per_second(40));
  EXPECT_EQ(parse<DataRate>("2.5 Gb/s"), megabits_per_second(2500));
  EXPECT_EQ(parse<DataRate>("5GB/s"), gigabits_per_second(40));
  EXPECT_EQ(parse<Duration>("1us"), Duration(1'000'000));
  EXPECT_EQ(parse<Duration>("1.5h"), Duration(5'400'000'000'000'000));
  EXPECT_EQ(parse<DataSize>("2KiB"), bytes(2048));
  EXPECT_EQ(parse<DataSize>("512kB"), bytes(512'000));
  EXPECT_EQ(parse<Power>("9W"), watts(9));
  EXPECT_EQ(parse<Power>("-0.07W"), milliwatts(-70));
  EXPECT_EQ(parse<Energy>("11.4pJ"), attojoules(11'400'000));
  EXPECT_EQ(parse<Energy>("1kWh"), joules(3'600'000));
  EXPECT_EQ(parse<Money>("$1.50"), Money::from_count(1'500'000));
  EXPECT_EQ(parse<EnergyPrice>("$0.07/kWh"), cents_per_kwh(7));
  EXPECT_EQ(parse<EnergyPrice>("$70/MWh"), cents_per_kwh(7));
  EXPECT_EQ(parse<CarbonIntensity>("0.366kg/kWh"), grams_per_kwh(366));
  EXPECT_EQ(parse<Length>("5m"), metres(5));
  EXPECT_EQ(parse<Voltage>("808mV"), millivolts(808));
  EXPECT_EQ(parse<Voltage>("1.8V"), millivolts(1800));
  EXPECT_EQ(parse<Ratio>("23%"), Ratio(23, 100));
  EXPECT_EQ(parse<Ratio>("1.6"), Ratio(8, 5));
}

std::string message(const auto& result) {
  return result ? "accepted" : result.error().front().message;
}

TEST(Parse, RefusesWhatIsNotExactlyRight) {
  EXPECT_EQ(message(parse<DataRate>("40")),
            "'40' has no unit; a data rate is written like '10Gb/s'");
  EXPECT_EQ(message(parse<DataRate>("40Gbps")),
            "in '40Gbps': unknown unit of data rate 'Gbps'; did you mean 'Gb/s'?");
  EXPECT_EQ(message(parse<DataRate>("40gb/s")),
            "in '40gb/s': unknown unit of data rate 'gb/s'; did you mean 'Gb/s' or 'GB/s'?");
  EXPECT_EQ(message(parse<Duration>("0.5ps")), "'0.5ps' is finer than ebb's ps or too large");
  EXPECT_EQ(message(parse<Duration>("200d")), "'200d' is too large");
  EXPECT_EQ(message(parse<Power>("W")), "'W' is not a power");
  EXPECT_EQ(message(parse<Power>("9 watts")).substr(0, 40),
            "in '9 watts': unknown unit of power 'wat");
  EXPECT_EQ(message(parse<Power>("1e3W")).substr(0, 9), "in '1e3W'");
  EXPECT_EQ(message(parse<Voltage>("1.8")), "'1.8' has no unit; a voltage is written like '0.8V'");
  EXPECT_EQ(message(parse<Voltage>("0.8085V")), "'0.8085V' is finer than ebb's mV or too large");
  EXPECT_EQ(message(parse<Money>("1.50")),
            "'1.50' is not an amount of money; write it like '$1.50'");
  EXPECT_EQ(message(parse<Ratio>("23 percent")),
            "'23 percent' is not a ratio; write it like '0.23' or '23%'");
  EXPECT_NE(message(parse<Power>(std::string(5000, '9') + "W")), "accepted");
  EXPECT_EQ(message(parse<Ratio>("2.22222222222222%")), "'2.22222222222222%' has too many digits");
  EXPECT_NE(message(parse<Duration>("")), "accepted");
  EXPECT_NE(message(parse<Duration>(".5s")), "accepted");
  EXPECT_NE(message(parse<Duration>("5.s")), "accepted");
}

// A proposal is the unit that was meant, or there is none: 'm' is not nearly 's', and nobody who
// writes 400 says which unit.
TEST(Parse, ProposesNoUnitThatMayBeWrong) {
  const std::string rate = "unknown unit of data rate ";
  EXPECT_EQ(message(parse<DataRate>("400G")), "in '400G': " + rate + "'G'; did you mean 'Gb/s'?");
  EXPECT_EQ(message(parse<DataRate>("400GbE")),
            "in '400GbE': " + rate + "'GbE'; did you mean 'Gb/s'?");
  EXPECT_EQ(message(parse<DataRate>("400Gbit/s")),
            "in '400Gbit/s': " + rate + "'Gbit/s'; did you mean 'Gb/s'?");
  EXPECT_EQ(message(parse<DataRate>("50GBps")),
            "in '50GBps': " + rate + "'GBps'; did you mean 'GB/s'?");
  EXPECT_EQ(message(parse<DataRate>("400gbps")),
            "in '400gbps': " + rate + "'gbps'; did you mean 'Gb/s' or 'GB/s'?");
  EXPECT_EQ(message(parse<DataRate>("400")).find("400Mb"), std::string::npos);
  EXPECT_EQ(message(parse<Duration>("5m")),
            "in '5m': unknown unit of time 'm'; valid: ps, ns, us, ms, s, min, h, d");
  EXPECT_EQ(message(parse<Duration>("5 seconds")),
            "in '5 seconds': unknown unit of time 'seconds'; did you mean 's'?");
  EXPECT_EQ(message(parse<DataSize>("9kib")),
            "in '9kib': unknown unit of data size 'kib'; did you mean 'KiB'?");
  EXPECT_EQ(message(parse<Power>("9 watts")),
            "in '9 watts': unknown unit of power 'watts'; did you mean 'W'?");
}

TEST(ToText, IsShortAndHasAUnit) {
  EXPECT_EQ(to_text(gigabits_per_second(40)), "40Gb/s");
  EXPECT_EQ(to_text(megabits_per_second(2500)), "2.5Gb/s");
  EXPECT_EQ(to_text(Duration(409'600)), "409.6ns");
  EXPECT_EQ(to_text(bytes(2048)), "2KiB");
  EXPECT_EQ(to_text(bytes(1000)), "1kB");
  EXPECT_EQ(to_text(bits(12)), "12b");
  EXPECT_EQ(to_text(watts(1'146'880)), "1.14688MW");
  EXPECT_EQ(to_text(Power{}), "0uW");
  EXPECT_EQ(to_text(millivolts(808)), "808mV");
  EXPECT_EQ(to_text(millivolts(1800)), "1.8V");
  EXPECT_EQ(to_text(cents_per_kwh(7)), "$0.07/kWh");
  EXPECT_EQ(to_text(Ratio(1, 3)), "1/3");
  EXPECT_EQ(to_text(Ratio(8, 5)), "1.6");
}

TEST(ToText, KeepsEveryDigitOfTheLargestValues) {
  const DataSize odd_size = bits(92'232'036'854'775'808);  // a multiple of 2 KiB, not of more
  EXPECT_EQ(parse<DataSize>(to_text(odd_size)), odd_size);
  const Energy most = attojoules((static_cast<Int128>(1) << 120) - 1);
  EXPECT_EQ(parse<Energy>(to_text(most)), most);
}

template <class T>
void expect_round_trip(std::int64_t count) {
  const T value = T::from_count(count);
  RC_ASSERT(parse<T>(to_text(value)) == value);
}

RC_GTEST_PROP(ToText, RoundTripsExactly, (std::int64_t raw)) {
  const std::int64_t count = raw == INT64_MIN ? 0 : raw;
  expect_round_trip<DataRate>(count);
  expect_round_trip<DataSize>(count / 8 * 8);
  expect_round_trip<DataSize>(count);
  expect_round_trip<Power>(count);
  expect_round_trip<Money>(count);
  expect_round_trip<EnergyPrice>(count);
  expect_round_trip<CarbonIntensity>(count);
  expect_round_trip<Length>(count);
  expect_round_trip<Voltage>(count);
  RC_ASSERT(parse<Duration>(to_text(Duration(count))) == Duration(count));
  const Energy energy = attojoules(static_cast<Int128>(count) * 1'234'567'891);
  RC_ASSERT(parse<Energy>(to_text(energy)) == energy);
}

}  // namespace
}  // namespace ebb
