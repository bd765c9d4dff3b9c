// SPDX-License-Identifier: Apache-2.0
//
// When messages are sent: loads, distributions of gaps, and closed forms of exact times.

#include "ebb/traffic/injection.hpp"

#include "cases.hpp"

#include "ebb/traffic/host_source.hpp"
#include "ebb/traffic/workload.hpp"
#include "ebb/units/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <utility>
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

// Injections with sizes or bursts of their own: flows and on-off.
namespace {

using namespace std::chrono_literals;

constexpr DataRate kRate = gigabits_per_second(40);

double load_of(const std::string& injection, const ParameterTexts& parameters, std::uint64_t seed,
               Duration time) {
  const auto pattern = must_make("uniform", {.hosts = 64});
  const auto made = make_injection(injection, kRate, parameters);
  EXPECT_TRUE(made) << to_string(made.error());
  const Offered sum = offered(IndependentHosts(*pattern, **made, 64), seed, TimePoint(time));
  return static_cast<double>(sum.total().count()) /
         (64 * static_cast<double>(kRate.count()) * static_cast<double>(time.count()) * 1e-12);
}

TEST(Flows, OfferTheirLoad) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    EXPECT_NEAR(load_of("flows", {{"load", "30%"}, {"sizes", "hadoop"}}, seed, 200ms), 0.3, 0.01);
    EXPECT_NEAR(load_of("flows", {{"load", "5%"}, {"sizes", "storage"}, {"arrivals", "periodic"}},
                        seed, 1s),
                0.05, 0.001);
  }
}

std::string refusal(const std::string& injection, const ParameterTexts& parameters,
                    DataRate rate = kRate) {
  const auto made = make_injection(injection, rate, parameters);
  return made ? "accepted" : made.error().front().message;
}

TEST(Flows, RefuseUnknownSizesAndNameAll) {
  EXPECT_EQ(refusal("flows", {{"load", "30%"}, {"sizes", "web"}}),
            "'sizes': unknown word 'web'; valid: websearch, data-mining, hadoop, cache, "
            "web-server, storage, search-rpc");
}

std::vector<Message> of_host_17(const std::string& injection, const ParameterTexts& parameters) {
  const auto pattern = must_make("uniform", {.hosts = 64});
  const auto made = make_injection(injection, kRate, parameters).value();
  const IndependentHosts workload(*pattern, *made, 64);
  const auto source = workload.start({.seed = 1, .until = TimePoint(1s)});
  return {*source->next(17), *source->next(17), *source->next(17)};
}

TEST(Flows, GiveTheSameBytesEverywhere) {
  const auto first = of_host_17("flows", {{"load", "30%"}, {"sizes", "websearch"}});
  EXPECT_EQ(first[0], (Message{TimePoint(Duration(651'630'831)), 17, 34, bits(14'827'360)}));
  EXPECT_EQ(first[2], (Message{TimePoint(Duration(2'287'667'025)), 17, 46, bits(298'376)}));
}

TEST(OnOff, OffersItsLoad) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    for (const auto& [load, peak] : {std::pair{"10%", "1"}, {"70%", "1"}, {"3%", "25%"}}) {
      const ParameterTexts parameters = {{"load", load}, {"peak", peak}, {"size", "2KiB"}};
      const double wanted = parse<Ratio>(load)->to_double();
      EXPECT_NEAR(load_of("on-off", parameters, seed, 50ms), wanted, 0.04 * wanted) << load;
    }
  }
}

// A burst is as fast as its peak says, and no burst is longer than allowed.
TEST(OnOff, SendsBurstsAtThePeak) {
  const auto pattern = must_make("uniform", {.hosts = 64});
  const auto made =
      make_injection("on-off", kRate,
                     {{"load", "5%"}, {"peak", "50%"}, {"size", "2000B"}, {"longest", "20"}})
          .value();
  const IndependentHosts workload(*pattern, *made, 64);
  const auto source = workload.start({.seed = 1, .until = TimePoint(5ms)});
  int in_row = 1;
  int longest = 1;
  TimePoint last = source->next(5)->at;
  while (const auto message = source->next(5)) {
    EXPECT_GE(message->at - last, 800ns);  // 16,000 bits at 20 Gb/s
    in_row = message->at - last == 800ns ? in_row + 1 : 1;
    longest = std::max(longest, in_row);
    last = message->at;
  }
  EXPECT_EQ(longest, 20);
}

TEST(OnOff, GivesTheSameBytesEverywhere) {
  const auto first = of_host_17("on-off", {{"load", "10%"}, {"size", "2KiB"}});
  EXPECT_EQ(first[0].at, TimePoint(Duration(1'697'632)));
  EXPECT_EQ(first[2].at, TimePoint(Duration(5'600'442)));
}

TEST(OnOff, RefusesWhatItCannotOffer) {
  EXPECT_EQ(refusal("on-off", {{"load", "50%"}, {"size", "2KiB"}, {"peak", "50%"}}),
            "'load' must be below 'peak', the load of a burst: got 0.5 and 0.5");
  EXPECT_EQ(refusal("on-off", {{"load", "0.01"}, {"size", "4000B"}}, bits_per_second(1000)),
            "pauses can be longer than a day; give a larger load or a smaller 'longest'");
}

}  // namespace
}  // namespace ebb::traffic
