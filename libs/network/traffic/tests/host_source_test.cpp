// SPDX-License-Identifier: Apache-2.0
//
// The messages of a host: reproducible, independent of other hosts, and the same bytes with every
// compiler.
#include "ebb/traffic/host_source.hpp"

#include "cases.hpp"

#include "ebb/traffic/workload.hpp"

#include <gtest/gtest.h>

#include <map>

namespace ebb::traffic {

namespace {

using std::chrono::microseconds;

constexpr TimePoint kForever = kLatestEnd;

TimePoint after(Duration time) { return TimePoint(time); }

std::unique_ptr<Injection> inject(const std::string& name, const char* load = "0.3") {
  auto made = make_injection(name, gigabits_per_second(40), {{"load", load}, {"size", "1500B"}});
  EXPECT_TRUE(made) << to_string(made.error());
  return made ? std::move(*made) : nullptr;
}

std::vector<Message> drain(HostSource source, std::size_t most = 1'000'000) {
  std::vector<Message> messages;
  while (messages.size() < most) {
    const auto message = source.next();
    if (!message) break;
    messages.push_back(*message);
  }
  return messages;
}

std::vector<Message> golden(std::initializer_list<std::pair<std::int64_t, std::uint32_t>> list) {
  std::vector<Message> messages;
  for (const auto& [at, to] : list) messages.push_back({after(Duration(at)), 17, to, bytes(1500)});
  return messages;
}

std::vector<Message> host_17(const std::string& pattern, const ParameterTexts& parameters,
                             const std::string& injection) {
  const auto where = must_make(pattern, grid_of_64(), parameters);
  const auto when = inject(injection);
  return drain(HostSource(*where, *when, 17, 1, kForever), 4);
}

TEST(HostSource, MessagesTakeServiceLevelsInTurnAndAreTheSameOtherwise) {
  const auto pattern = must_make("uniform", grid_of_64());
  const auto injection = inject("poisson");
  const auto plain = drain(HostSource(*pattern, *injection, 17, 1, kForever), 7);
  auto levelled = drain(HostSource(*pattern, *injection, 17, 1, kForever, 3), 7);
  for (std::size_t i = 0; i < levelled.size(); ++i) {
    EXPECT_EQ(plain[i].service, 0);
    EXPECT_EQ(levelled[i].service, i % 3);
    levelled[i].service = 0;
  }
  EXPECT_EQ(levelled, plain);
}

// The contract that no compiler, library or number of threads changes a message.
TEST(HostSource, GivesTheSameBytesEverywhere) {
  EXPECT_EQ(host_17("uniform", {}, "poisson"),
            golden({{571188, 34}, {812824, 1}, {1967129, 46}, {2075862, 56}}));
  EXPECT_EQ(host_17("hotspot", {{"fraction", "0.3"}, {"hot", "3"}}, "bernoulli"),
            golden({{2869456, 1}, {4069456, 56}, {4669456, 59}, {6769456, 14}}));
  EXPECT_EQ(host_17("permutation", {}, "periodic"),
            golden({{564853, 40}, {1564853, 40}, {2564853, 40}, {3564853, 40}}));
  EXPECT_EQ(host_17("all-to-all", {}, "poisson"),
            golden({{571188, 18}, {812824, 19}, {1967129, 20}, {2075862, 21}}));
  EXPECT_EQ(host_17("group-adversarial", {}, "poisson"),
            golden({{571188, 40}, {812824, 32}, {1967129, 43}, {2075862, 46}}));
}

TEST(HostSource, IsSmall) {
  EXPECT_LE(sizeof(HostSource), 160U);
  RecordProperty("bytes_per_host", static_cast<int>(sizeof(HostSource)));
}

// A host asked by itself, or among all hosts asked in an order that depends on what they answer.
TEST(HostSource, DoesNotDependOnOtherHosts) {
  const TimePoint until = after(microseconds(50));
  for (const PatternCase& c : pattern_cases()) {
    const auto pattern = must_make(c.pattern, c.shape, c.parameters);
    const auto injection = inject("poisson");
    std::vector<HostSource> sources;
    for (std::uint32_t host = 64; host-- > 0;)
      sources.emplace_back(*pattern, *injection, host, 9, until);
    std::map<std::uint32_t, std::vector<Message>> together;
    std::size_t i = 0;
    for (std::size_t ended = 0; ended < sources.size();) {
      const auto message = sources[i].next();
      if (message) together[message->source].push_back(*message);
      ended = message ? 0 : ended + 1;
      i = message ? (i + message->destination) % sources.size() : (i + 1) % sources.size();
    }
    const auto same_pattern = must_make(c.pattern, c.shape, c.parameters);
    for (std::uint32_t host = 0; host < 64; ++host) {
      const auto alone = drain(HostSource(*same_pattern, *injection, host, 9, until));
      EXPECT_EQ(alone, together[host]) << c.pattern << " host " << host;
      EXPECT_EQ(alone.empty(), !pattern->sends(host)) << c.pattern << " host " << host;
    }
  }
}

TEST(HostSource, ArrivalsDoNotDependOnThePattern) {
  const auto injection = inject("poisson");
  const auto small = must_make("uniform", {.hosts = 18});
  const auto large = must_make("shift", {.hosts = 300'000}, {{"by", "7"}});
  const auto a = drain(HostSource(*small, *injection, 17, 3, kForever), 100);
  const auto b = drain(HostSource(*large, *injection, 17, 3, kForever), 100);
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(a[i].at, b[i].at);
}

TEST(HostSource, HostsAndSeedsDiffer) {
  const auto pattern = must_make("uniform", grid_of_64());
  for (const std::string& name : kPlainInjections) {
    const auto injection = inject(name);
    const auto first = [&](std::uint32_t host, std::uint64_t seed) {
      return drain(HostSource(*pattern, *injection, host, seed, kForever), 1).at(0).at;
    };
    EXPECT_NE(first(16, 1), first(17, 1)) << name;
    EXPECT_NE(first(17, 1), first(17, 2)) << name;
  }
}

TEST(HostSource, StopsBeforeTheEnd) {
  const auto pattern = must_make("shift", grid_of_64(), {{"by", "1"}});
  auto made = make_injection("periodic", gigabits_per_second(40),
                             {{"load", "0.3"}, {"size", "1500B"}, {"spread", "0"}});
  ASSERT_TRUE(made);
  HostSource source(*pattern, **made, 0, 1, after(microseconds(3)));  // at 0, 1, 2 us
  for (int i = 0; i < 3; ++i) EXPECT_EQ(source.next()->at, after(microseconds(i)));
  EXPECT_FALSE(source.next());
  EXPECT_FALSE(source.next());
}

// Hosts on the diagonal of a transposition.
TEST(HostSource, AHostWithoutDestinationIsSilent) {
  const auto pattern = must_make("transpose", {.hosts = 64});
  const auto injection = inject("poisson");
  EXPECT_FALSE(HostSource(*pattern, *injection, 9, 1, kForever).next());
  EXPECT_TRUE(HostSource(*pattern, *injection, 10, 1, kForever).next());
}

// The rarest messages of the longest run: the last gap must not leave the range of time.
TEST(HostSource, ReachesTheLatestEnd) {
  const auto pattern = must_make("uniform", grid_of_64());
  for (const std::string& name : kPlainInjections) {
    const auto made = make_injection(name, bits_per_second(1000),
                                     {{"load", "0.001"}, {"size", "447B"}});  // 3576 s
    ASSERT_TRUE(made) << to_string(made.error());
    for (std::uint32_t host = 0; host < 64; ++host) {
      const auto messages = drain(HostSource(*pattern, **made, host, 1, kForever));
      EXPECT_NEAR(static_cast<double>(messages.size()), 86'400.0 * 100 / 3576, 250);
    }
  }
}

TEST(Offered, CountsWhatIsSentByAndForEachHost) {
  Offered sum(3);
  sum.add({after(microseconds(1)), 0, 2, bytes(10)});
  sum.add({after(microseconds(2)), 1, 2, bytes(5)});
  EXPECT_EQ(sum.total(), bytes(15));
  EXPECT_EQ(sum.messages(), 2);
  EXPECT_EQ(sum.sent_by(0), bytes(10));
  EXPECT_EQ(sum.sent_by(2), bytes(0));
  EXPECT_EQ(sum.sent_to(2), bytes(15));
  EXPECT_EQ(sum.sent_to(0), bytes(0));
}

// Sent = received = total, and the parts of a run make the whole, in any order.
TEST(Offered, ConservesDataHoweverTheRunIsCut) {
  const TimePoint until = after(microseconds(100));
  for (const PatternCase& c : pattern_cases()) {
    const auto pattern = must_make(c.pattern, c.shape, c.parameters);
    const auto injection = inject("bernoulli");
    const Offered whole = offered(IndependentHosts(*pattern, *injection, 64), 5, until);
    DataSize sent;
    DataSize received;
    for (std::uint32_t host = 0; host < 64; ++host) {
      sent += whole.sent_by(host);
      received += whole.sent_to(host);
    }
    EXPECT_GT(whole.messages(), 0) << c.pattern;
    EXPECT_EQ(whole.total(), whole.messages() * bytes(1500)) << c.pattern;
    EXPECT_EQ(sent, whole.total()) << c.pattern;
    EXPECT_EQ(received, whole.total()) << c.pattern;

    std::vector<Offered> parts(3, Offered(64));
    for (std::uint32_t host = 0; host < 64; ++host) {
      for (const Message& m : drain(HostSource(*pattern, *injection, host, 5, until)))
        parts[host % 3].add(m);
    }
    Offered again(64);
    for (const std::size_t i : {2, 0, 1}) again += parts[i];
    EXPECT_EQ(again, whole) << c.pattern;
  }
}

// A permutation under periodic traffic: every host gets exactly what its partner sends.
TEST(Offered, APermutationLoadsEveryHostAlike) {
  const auto pattern = must_make("permutation", grid_of_64());
  auto made = make_injection("periodic", gigabits_per_second(40),
                             {{"load", "0.3"}, {"size", "1500B"}, {"spread", "0"}});
  ASSERT_TRUE(made);
  const Offered sum = offered(IndependentHosts(*pattern, **made, 64), 1, after(microseconds(10)));
  for (std::uint32_t host = 0; host < 64; ++host) EXPECT_EQ(sum.sent_to(host), 10 * bytes(1500));
}

}  // namespace
}  // namespace ebb::traffic
