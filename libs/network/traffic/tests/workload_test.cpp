// SPDX-License-Identifier: Apache-2.0
//
// What holds for every workload, whoever asks for which of its hosts.
#include "ebb/traffic/workload.hpp"

#include "cases.hpp"

#include "ebb/traffic/host_source.hpp"
#include "ebb/traffic/workload_kind.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <set>

namespace ebb::traffic {
namespace {

using namespace std::chrono_literals;

constexpr DataRate kRate = gigabits_per_second(40);
constexpr std::uint32_t kHosts = 64;

std::unique_ptr<Workload> must_make_workload(const std::string& name,
                                             const ParameterTexts& parameters = {},
                                             std::uint32_t hosts = kHosts) {
  auto made = make_workload(name, {.hosts = hosts}, kRate, parameters);
  EXPECT_TRUE(made) << to_string(made.error());
  return made ? std::move(*made) : nullptr;
}

std::vector<Message> drain(MessageSource& source, std::uint32_t host) {
  std::vector<Message> messages;
  while (const auto message = source.next(host)) messages.push_back(*message);
  return messages;
}

// Each named workload, and pattern x injection.
void for_each_workload(const std::function<void(const std::string&, const Workload&)>& check) {
  for (const WorkloadKind& kind : workload_kinds())
    check(kind.name, *must_make_workload(kind.name));
  const auto pattern = must_make("uniform", grid_of_64());
  const auto injection =
      make_injection("poisson", kRate, {{"load", "10%"}, {"size", "9KiB"}}).value();
  check("uniform, poisson", IndependentHosts(*pattern, *injection, kHosts));
}

TEST(EveryWorkload, AscendsInTimeAndStaysInRange) {
  for_each_workload([](const std::string& name, const Workload& workload) {
    const auto source = workload.start({.seed = 3, .until = TimePoint(5ms)});
    for (std::uint32_t host = 0; host < kHosts; ++host) {
      TimePoint last{};
      for (const Message& message : drain(*source, host)) {
        ASSERT_GE(message.at, last) << name;
        ASSERT_LT(message.at, TimePoint(5ms)) << name;
        ASSERT_EQ(message.source, host) << name;
        ASSERT_LT(message.destination, kHosts) << name;
        ASSERT_NE(message.destination, host) << name;
        ASSERT_GT(message.size, DataSize()) << name;
        last = message.at;
      }
    }
  });
}

// As under several ranks: each asks for its own hosts.
TEST(EveryWorkload, GivesAHostTheSameMessagesWhoeverElseIsAskedFor) {
  for_each_workload([](const std::string& name, const Workload& workload) {
    const auto whole = workload.start({.seed = 3, .until = TimePoint(5ms)});
    std::vector<std::unique_ptr<MessageSource>> parts;
    for (std::uint32_t rank = 0; rank < 3; ++rank) {
      std::vector<bool> own(kHosts);
      for (std::uint32_t host = rank; host < kHosts; host += 3) own[host] = true;
      parts.push_back(
          workload.start({.seed = 3, .until = TimePoint(5ms), .hosts = HostSet(std::move(own))}));
    }
    for (std::uint32_t host = 0; host < kHosts; ++host)
      EXPECT_EQ(drain(*whole, host), drain(*parts[host % 3], host)) << name << " host " << host;
  });
}

TEST(EveryWorkload, GivesMoreOfTheSameMessagesUpToALaterEnd) {
  for_each_workload([](const std::string& name, const Workload& workload) {
    const auto sooner = workload.start({.seed = 3, .until = TimePoint(2ms)});
    const auto later = workload.start({.seed = 3, .until = TimePoint(7ms)});
    for (std::uint32_t host = 0; host < kHosts; ++host) {
      auto all = drain(*later, host);
      std::erase_if(all, [](const Message& message) { return message.at >= TimePoint(2ms); });
      EXPECT_EQ(drain(*sooner, host), all) << name << " host " << host;
    }
  });
}

TEST(EveryWorkload, DiffersFromSeedToSeed) {
  for_each_workload([](const std::string& name, const Workload& workload) {
    EXPECT_EQ(offered(workload, 1, TimePoint(2ms)), offered(workload, 1, TimePoint(2ms))) << name;
    EXPECT_NE(offered(workload, 1, TimePoint(2ms)), offered(workload, 2, TimePoint(2ms))) << name;
  });
}

TEST(EveryNamedWorkload, HasANameASummaryAndHelp) {
  std::set<std::string> names;
  for (const WorkloadKind& kind : workload_kinds()) {
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name << " is listed twice";
    EXPECT_FALSE(kind.summary.empty()) << kind.name;
    for (const Parameter& parameter : kind.parameters) EXPECT_FALSE(parameter.help.empty());
    EXPECT_EQ(*find_workload_kind(kind.name), &kind);
  }
}

// Share of what the host links carry between two times.
double load_between(const Workload& workload, std::uint64_t seed, Duration from, Duration to) {
  const DataSize data = offered(workload, seed, TimePoint(to)).total() -
                        offered(workload, seed, TimePoint(from)).total();
  return static_cast<double>(data.count()) /
         (static_cast<double>(workload.hosts()) * static_cast<double>(kRate.count()) *
          static_cast<double>((to - from).count()) * 1e-12);
}

TEST(EveryNamedWorkload, OffersItsLoad) {
  for (const WorkloadKind& kind : workload_kinds()) {
    const auto workload = must_make_workload(kind.name, {{"load", "8%"}}, 256);
    for (const std::uint64_t seed : {1, 2, 3})
      EXPECT_NEAR(load_between(*workload, seed, 0ms, 400ms), 0.08, 0.05 * 0.08) << kind.name;
  }
}

// Jobs that began before time 0 are under way then: 60 short runs offer what a long one does.
TEST(EveryNamedWorkload, OffersItsLoadFromTheStart) {
  for (const WorkloadKind& kind : workload_kinds()) {
    const auto workload = must_make_workload(kind.name, {{"load", "8%"}}, 256);
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) sum += load_between(*workload, seed, 0ms, 1ms);
    EXPECT_NEAR(sum / 60, 0.08, 0.1 * 0.08) << kind.name;
  }
}

TEST(MakeWorkload, ReportsMistakes) {
  const auto refusal = [](const std::string& name, std::uint32_t hosts, DataRate rate,
                          const ParameterTexts& parameters) {
    const auto made = make_workload(name, {.hosts = hosts}, rate, parameters);
    return made ? "accepted" : made.error().front().message;
  };
  EXPECT_NE(refusal("serch", 64, kRate, {}).find("did you mean 'search'"), std::string::npos);
  EXPECT_EQ(refusal("search", 7, kRate, {}),
            "a service needs 8 hosts or more to give out its parts, got 7");
  EXPECT_EQ(refusal("search", 8, kRate, {}), "accepted");
  EXPECT_EQ(refusal("search", 64, DataRate(), {}),
            "hosts need a positive rate to send at, got 0b/s");
  EXPECT_EQ(refusal("search", 64, kRate, {{"reads", "60%"}, {"writes", "41%"}}),
            "'reads' and 'writes' are shares of all data: together at most 1");
  EXPECT_EQ(refusal("search", 64, kRate, {{"answer", "12b"}}),
            "'answer' must be whole bytes, got 12b");
  EXPECT_EQ(refusal("search", 64, megabits_per_second(4), {}),
            "a chunk of 512KiB or the answers to a query take longer than a second at 4Mb/s");
  EXPECT_EQ(refusal("search", 8, megabits_per_second(10), {{"load", "0.000001"}}),
            "jobs are more than an hour apart; give a larger load");
}

TEST(Search, RefusesARunThatMemoryCannotHold) {
  const auto workload = must_make_workload("search", {}, 300'000);
  EXPECT_TRUE(workload->validate(TimePoint(10ms)).empty());
  const Errors errors = workload->validate(TimePoint(100ms));
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].message,
            "477 million messages up to 100ms are too many to keep in memory, which takes at most "
            "100 million; shorten the schedule or give a smaller load");
}

}  // namespace
}  // namespace ebb::traffic
