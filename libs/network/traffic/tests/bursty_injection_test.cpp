// SPDX-License-Identifier: Apache-2.0
//
// Injections with sizes or bursts of their own: flows and on-off.
#include "pattern_cases.hpp"
#include "print_message.hpp"

#include "ebb/traffic/independent_hosts.hpp"
#include "ebb/traffic/offered.hpp"
#include "ebb/units/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace ebb::traffic {
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
