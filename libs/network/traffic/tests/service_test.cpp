// SPDX-License-Identifier: Apache-2.0
//
// The messages of queries, reads and writes, told apart by their sizes.
#include "cases.hpp"

#include "ebb/traffic/workload_kind.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

namespace ebb::traffic {
namespace {

using namespace std::chrono_literals;

constexpr DataSize kControl = bytes(256);
constexpr DataSize kRequest = bytes(1600);
constexpr DataSize kAnswer = bytes(16'000);
constexpr DataSize kChunk = bytes(512 * 1024);

std::vector<Message> messages_of(const ParameterTexts& parameters, std::uint32_t hosts,
                                 Duration until) {
  const auto workload =
      make_workload("search", {.hosts = hosts}, gigabits_per_second(40), parameters).value();
  const auto source = workload->start({.seed = 1, .until = TimePoint(until)});
  std::vector<Message> messages;
  for (std::uint32_t host = 0; host < hosts; ++host) {
    while (const auto message = source->next(host)) messages.push_back(*message);
  }
  std::stable_sort(messages.begin(), messages.end(),
                   [](const Message& a, const Message& b) { return a.at < b.at; });
  return messages;
}

bool in_the_middle(const Message& message) {
  return message.at >= TimePoint(1ms) && message.at < TimePoint(9ms);
}

// One request to each of 43 hosts at the same time, and from each an answer 100 to 120 us later.
TEST(Service, AQueryIsAnsweredNearlyTogether) {
  const auto messages = messages_of({{"reads", "0"}, {"writes", "0"}}, 256, 10ms);
  std::map<std::pair<TimePoint, std::uint32_t>, std::set<std::uint32_t>> queries;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<TimePoint>> answers;
  for (const Message& message : messages) {
    ASSERT_TRUE(message.size == kRequest || message.size == kAnswer);
    if (message.size == kAnswer)
      answers[{message.source, message.destination}].push_back(message.at);
    else if (in_the_middle(message))
      queries[{message.at, message.source}].insert(message.destination);
  }
  ASSERT_GT(queries.size(), 100U);
  for (const auto& [query, asked] : queries) {
    EXPECT_EQ(asked.size(), 43U);
    for (const std::uint32_t host : asked) {
      const auto& times = answers[{host, query.second}];
      EXPECT_TRUE(std::any_of(times.begin(), times.end(), [&, from = query.first](TimePoint at) {
        return at >= from + 100us && at < from + 120us;
      }));
    }
  }
}

TEST(Service, OnSmallNetworksAllOtherApplicationHostsAreAsked) {
  std::map<TimePoint, int> asked;
  for (const Message& message : messages_of({{"reads", "0"}, {"writes", "0"}}, 16, 10ms)) {
    if (message.size == kRequest) ++asked[message.at];
  }
  ASSERT_FALSE(asked.empty());
  for (const auto& [at, count] : asked) EXPECT_EQ(count, 11);  // 16 - 4 servers - 1
}

// Every chunk was asked for by its receiver 100 us before, and comes from one of 64 servers.
TEST(Service, AReadAsksForEachChunk) {
  const auto messages = messages_of({{"reads", "1"}, {"writes", "0"}}, 256, 10ms);
  std::set<std::tuple<TimePoint, std::uint32_t, std::uint32_t>> asked;
  std::set<std::uint32_t> servers;
  std::set<std::uint32_t> clients;
  for (const Message& message : messages) {
    if (message.size == kControl) asked.insert({message.at, message.source, message.destination});
  }
  for (const Message& message : messages) {
    if (message.size != kChunk || !in_the_middle(message)) continue;
    EXPECT_TRUE(asked.contains({message.at - 100us, message.destination, message.source}));
    servers.insert(message.source);
    clients.insert(message.destination);
  }
  EXPECT_GT(servers.size(), 50U);
  EXPECT_LE(servers.size(), 64U);
  for (const std::uint32_t client : clients) EXPECT_FALSE(servers.contains(client));
}

// client -> a -> b -> c, 20 us apart, three times the data of the client.
TEST(Service, AWriteIsPassedOnToThreeServers) {
  const auto messages = messages_of({{"reads", "0"}, {"writes", "1"}}, 256, 10ms);
  std::map<std::pair<TimePoint, std::uint32_t>, std::uint32_t> chunks;
  for (const Message& message : messages) {
    if (message.size == kChunk) chunks[{message.at, message.source}] = message.destination;
  }
  std::set<std::uint32_t> clients;
  for (const Message& message : messages) {  // the first server acknowledges to the client
    if (message.size == kControl) clients.insert(message.destination);
  }
  int chains = 0;
  for (const auto& [from, first] : chunks) {
    if (!clients.contains(from.second) || from.first >= TimePoint(9ms)) continue;
    const auto second = chunks.find({from.first + 20us, first});
    ASSERT_NE(second, chunks.end());
    const auto third = chunks.find({from.first + 40us, second->second});
    ASSERT_NE(third, chunks.end());
    EXPECT_EQ((std::set{from.second, first, second->second, third->second}).size(), 4U);
    ++chains;
  }
  EXPECT_GT(chains, 50);
}

// The contract that no compiler, library or number of threads changes a message.
TEST(Service, GivesTheSameBytesEverywhere) {
  const auto messages = messages_of({}, 64, 1ms);
  ASSERT_EQ(messages.size(), 890U);
  EXPECT_EQ(messages[0], (Message{TimePoint(Duration(13'390'043)), 48, 19, kRequest}));
  EXPECT_EQ(messages[100], (Message{TimePoint(Duration(87'167'161)), 37, 1, kAnswer}));
}

}  // namespace
}  // namespace ebb::traffic
