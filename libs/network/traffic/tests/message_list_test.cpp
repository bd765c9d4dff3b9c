// SPDX-License-Identifier: Apache-2.0
#include "ebb/traffic/message_list.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

namespace ebb::traffic {
namespace {

using namespace std::chrono_literals;

const std::vector<Message> kMessages = {{TimePoint(3us), 0, 1, bytes(100)},
                                        {TimePoint(1us), 0, 2, bytes(300)},
                                        {TimePoint(1us), 0, 1, bytes(200)},
                                        {TimePoint(2us), 2, 0, bytes(400)}};

TEST(MessageList, GivesTheMessagesOfAHostInTheOrderOfTime) {
  const MessageList list(3, kMessages);
  const auto given = every_message(list, 1, TimePoint(10us));
  ASSERT_TRUE(given);
  EXPECT_EQ(*given, (std::vector<Message>{kMessages[1], kMessages[2], kMessages[0], kMessages[3]}));
  EXPECT_EQ(*every_message(list, 7, TimePoint(10us)), *given) << "the seed changes nothing";
}

TEST(MessageList, EndsWithTheRun) {
  const auto given = every_message(MessageList(3, kMessages), 1, TimePoint(2us));
  ASSERT_TRUE(given);
  EXPECT_EQ(given->size(), 2U);
}

TEST(MessageList, KnowsWhoSendsAndHowLongMessagesAre) {
  const MessageList list(3, kMessages);
  EXPECT_TRUE(list.sends(0));
  EXPECT_FALSE(list.sends(1));
  ASSERT_TRUE(list.sizes());
  EXPECT_EQ(list.sizes()->longest, bytes(400));
  // In bytes (100^2 + 300^2 + 200^2 + 400^2) / (2 * 1000) = 150.
  EXPECT_EQ(list.sizes()->mean_residual, bytes(150));
  EXPECT_FALSE(MessageList(3, {}).sizes());
}

}  // namespace
}  // namespace ebb::traffic
