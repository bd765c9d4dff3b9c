// SPDX-License-Identifier: Apache-2.0
//
// When messages are sent: loads, distributions of gaps, and closed forms of exact times.
#include "ebb/traffic/injection.hpp"

#include "pattern_cases.hpp"
#include "plain_injections.hpp"

#include "ebb/traffic/host_source.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace ebb::traffic {
namespace {

using std::chrono::milliseconds;

std::unique_ptr<Injection> must_inject(const std::string& name, DataRate rate,
                                       const ParameterTexts& parameters) {
  auto made = make_injection(name, rate, parameters);
  EXPECT_TRUE(made) << to_string(made.error());
  return made ? std::move(*made) : nullptr;
}

// The first `count` arrival times of a host, in picoseconds.
std::vector<std::int64_t> times(const Injection& injection, std::size_t count,
                                std::uint64_t seed = 1) {
  RandomStream stream(seed, "test/arrivals");
  std::vector<std::int64_t> result;
  Progress progress = injection.first(stream);
  while (result.size() < count) {
    result.push_back(progress.at.time_since_epoch().count());
    injection.advance(progress, stream);
  }
  return result;
}

std::vector<double> gaps_of(const std::vector<std::int64_t>& at) {
  std::vector<double> gaps;
  for (std::size_t i = 1; i < at.size(); ++i)
    gaps.push_back(static_cast<double>(at[i] - at[i - 1]));
  return gaps;
}

// Variance over mean of the number of arrivals in windows of equal length: 1 for Poisson.
double dispersion_of_counts(const std::vector<std::int64_t>& at, std::int64_t window) {
  std::vector<double> counts(static_cast<std::size_t>(at.back() / window));
  for (const std::int64_t t : at) {
    if (const auto w = static_cast<std::size_t>(t / window); w < counts.size()) ++counts[w];
  }
  double sum = 0;
  double squares = 0;
  for (const double c : counts) {
    sum += c;
    squares += c * c;
  }
  const double n = static_cast<double>(counts.size());
  return (squares / n - sum / n * sum / n) / (sum / n);
}

TEST(EveryPlainInjection, OffersItsLoadAndNeverGoesBack) {
  for (const std::string& name : kPlainInjections) {
    for (const char* load : {"0.05", "0.7", "1"}) {
      const auto injection =
          must_inject(name, gigabits_per_second(40), {{"load", load}, {"size", "1500B"}});
      const auto at = times(*injection, 400'000);
      for (std::size_t i = 1; i < at.size(); ++i) ASSERT_GE(at[i], at[i - 1]);
      ASSERT_GE(at.front(), 0);
      const double sent = 12'000.0 * static_cast<double>(at.size());
      const double carried = 40e9 * static_cast<double>(at.back()) * 1e-12;
      EXPECT_NEAR(sent / carried, std::stod(load), 0.01 * std::stod(load)) << name;
    }
  }
}

TEST(EveryInjection, HasANameASummaryAndHelp) {
  std::set<std::string> names;
  for (const InjectionKind& kind : injection_kinds()) {
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name << " is listed twice";
    EXPECT_FALSE(kind.summary.empty()) << kind.name;
    for (const Parameter& parameter : kind.parameters) EXPECT_FALSE(parameter.help.empty());
    EXPECT_EQ(*find_injection_kind(kind.name), &kind);
  }
}

// Mean gap 1500 B / (0.3 * 40 Gb/s) = 1 us.
TEST(Poisson, GapsAreExponential) {
  const auto injection =
      must_inject("poisson", gigabits_per_second(40), {{"load", "0.3"}, {"size", "1500B"}});
  const auto gaps = gaps_of(times(*injection, 200'001));
  std::vector<std::int64_t> seen(10);
  double sum = 0;
  double squares = 0;
  for (const double gap : gaps) {
    ++seen[static_cast<std::size_t>(10 * (1 - std::exp(-gap / 1e6)))];
    sum += gap;
    squares += gap * gap;
  }
  const double mean = sum / 200'000;
  EXPECT_NEAR(mean, 1e6, 0.01 * 1e6);
  EXPECT_NEAR((squares / 200'000 - mean * mean) / (mean * mean), 1.0, 0.02);
  EXPECT_LT(chi_square(seen, std::vector<double>(10, 20'000)), 27.88);  // 9 degrees, p = 0.001
}

TEST(Poisson, CountsInWindowsHaveDispersionOne) {
  const auto injection =
      must_inject("poisson", gigabits_per_second(40), {{"load", "0.3"}, {"size", "1500B"}});
  const auto at = times(*injection, 400'000);
  EXPECT_NEAR(dispersion_of_counts(at, 5'000'000), 1.0, 0.03);
  EXPECT_NEAR(dispersion_of_counts(at, 50'000'000), 1.0, 0.06);
}

// 1500 B at 40 Gb/s are 300 ns: mean gaps of 30 us until 10 ms and of 600 ns after.
TEST(Jump, ChangesItsLoadAtOnce) {
  const auto injection =
      must_inject("jump", gigabits_per_second(40),
                  {{"before", "1%"}, {"load", "50%"}, {"at", "10ms"}, {"size", "1500B"}});
  const auto at = times(*injection, 40'000);
  const auto then = std::lower_bound(at.begin(), at.end(), 10'000'000'000);
  EXPECT_NEAR(static_cast<double>(then - at.begin()), 333, 4 * std::sqrt(333));
  const auto later = std::lower_bound(at.begin(), at.end(), 20'000'000'000);
  EXPECT_NEAR(static_cast<double>(later - then), 16'667, 4 * std::sqrt(16'667));
}

// Gaps of k slots have probability p (1-p)^(k-1).
TEST(Bernoulli, GapsAreGeometricInWholeSlots) {
  const auto injection =
      must_inject("bernoulli", gigabits_per_second(40), {{"load", "0.25"}, {"size", "1500B"}});
  constexpr std::int64_t kSlot = 300'000;
  const auto at = times(*injection, 200'001);
  std::vector<std::int64_t> seen(10);
  for (std::size_t i = 1; i < at.size(); ++i) {
    ASSERT_EQ((at[i] - at[i - 1]) % kSlot, 0);
    ASSERT_GT(at[i], at[i - 1]);
    ++seen[static_cast<std::size_t>(std::min<std::int64_t>((at[i] - at[i - 1]) / kSlot, 10) - 1)];
  }
  std::vector<double> expected;
  for (int k = 1; k < 10; ++k) expected.push_back(200'000 * 0.25 * std::pow(0.75, k - 1));
  expected.push_back(200'000 * std::pow(0.75, 9));
  EXPECT_LT(chi_square(seen, expected), 27.88);  // 9 degrees of freedom, p = 0.001
}

// Every slot of a million is decided with the same probability: the number of packets is binomial.
TEST(Bernoulli, TheExpectedLoadIsExact) {
  for (const auto& [load, p] : {std::pair("0.001", 0.001), std::pair("0.5", 0.5)}) {
    const auto injection = must_inject("bernoulli", gigabits_per_second(40),
                                       {{"load", load}, {"size", "1500B"}, {"spread", "0"}});
    std::int64_t packets = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      RandomStream stream(seed, "test/arrivals");
      Progress progress = injection->first(stream);
      for (; progress.at < TimePoint(Duration(300'000LL * 10'000)); ++packets)
        injection->advance(progress, stream);
    }
    EXPECT_NEAR(static_cast<double>(packets), 1e6 * p, 3 * std::sqrt(1e6 * p * (1 - p))) << load;
  }
}

TEST(Bernoulli, FullLoadUsesEverySlot) {
  const auto injection = must_inject("bernoulli", gigabits_per_second(100),
                                     {{"load", "1"}, {"size", "1500B"}, {"spread", "0"}});
  const auto at = times(*injection, 1000);
  for (std::size_t n = 0; n < at.size(); ++n)
    EXPECT_EQ(at[n], 120'000 * static_cast<std::int64_t>(n));
}

// n * size / (load * rate): here a gap of 8 * 10^12 / (0.7 * 3 * 10^9) = 3809 + 11/21 ps.
TEST(Periodic, HasNoDrift) {
  const auto injection = must_inject("periodic", gigabits_per_second(3),
                                     {{"load", "0.7"}, {"size", "1B"}, {"spread", "0"}});
  const auto at = times(*injection, 100'000);
  for (std::int64_t n = 0; n < 100'000; ++n)
    ASSERT_EQ(at[static_cast<std::size_t>(n)], n * 80'000 / 21);
}

// Gaps below a picosecond, and a denominator that needs more than 64 bits.
TEST(Periodic, IsExactAtTheEdgesOfItsRange) {
  const auto fast = must_inject("periodic", bits_per_second(3'000'000'000'000'000'001),
                                {{"load", "0.999999999"}, {"size", "1b"}});
  const auto at = times(*fast, 3'000'001);
  EXPECT_EQ(at.front(), 0);
  EXPECT_EQ(at.back(), 1);  // 3,000,000 / 3,000,000.0 * 1.000000001
  EXPECT_EQ(at[at.size() - 2], 0);
}

TEST(Periodic, HostsStartWithinTheSpread) {
  const auto injection = must_inject("periodic", gigabits_per_second(40),
                                     {{"load", "0.3"}, {"size", "1500B"}, {"spread", "0.5"}});
  std::vector<std::int64_t> seen(10);
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
    const std::int64_t phase = times(*injection, 1, seed).front();
    ASSERT_LT(phase, 500'000);
    ++seen[static_cast<std::size_t>(phase / 50'000)];
  }
  EXPECT_LT(chi_square(seen, std::vector<double>(10, 1000)), 27.88);  // 9 degrees, p = 0.001
}

TEST(MakeInjection, ReportsAllMistakesAtOnce) {
  const auto made =
      make_injection("bernoulli", DataRate(), {{"load", "0"}, {"speed", "1"}, {"spread", "-1"}});
  ASSERT_FALSE(made);
  ASSERT_EQ(made.error().size(), 5U) << to_string(made.error());
  EXPECT_EQ(made.error()[0].message, "hosts need a positive rate to send at, got 0b/s");
  EXPECT_EQ(made.error()[1].where.path, "speed");
  EXPECT_EQ(made.error()[2].message, "'load' must be between 0.0001 and 1, got 0");
  EXPECT_EQ(made.error()[3].message, "missing parameter 'size' (of each packet)");
  EXPECT_EQ(made.error()[4].message, "'spread' must be between 0 and 1, got -1");
}

TEST(MakeInjection, RefusesWhatTimeCannotHold) {
  for (const std::string& name : kPlainInjections) {
    const auto slow = make_injection(name, bits_per_second(1), {{"load", "1"}, {"size", "1TiB"}});
    ASSERT_FALSE(slow);
    EXPECT_EQ(slow.error().front().message,
              "messages of 1TiB at load 1 of 1b/s are an hour or more apart; give a larger load or "
              "a smaller size");
    const DataRate slowest = bits_per_second(1000);
    EXPECT_TRUE(make_injection(name, slowest, {{"load", "0.001"}, {"size", "3599b"}}));
    EXPECT_FALSE(make_injection(name, slowest, {{"load", "0.001"}, {"size", "3600b"}}));
    const auto fine = make_injection(name, gigabits_per_second(40),
                                     {{"load", "0.1234567891"}, {"size", "1500B"}});
    ASSERT_FALSE(fine);
    EXPECT_EQ(fine.error().front().message,
              "'load' may be given to nine decimals, got 0.1234567891");
    EXPECT_FALSE(make_injection(name, gigabits_per_second(1), {{"load", "1.01"}, {"size", "1B"}}));
  }
  EXPECT_FALSE(make_injection("poison", gigabits_per_second(1), {}));
}

}  // namespace
}  // namespace ebb::traffic
