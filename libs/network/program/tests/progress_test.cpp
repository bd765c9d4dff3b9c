// SPDX-License-Identifier: Apache-2.0
#include "ebb/program/progress.hpp"

#include "programs.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace ebb::program {
namespace {

using Ready = std::vector<std::uint32_t>;

TEST(RankProgress, LetsOperationsStartWhenWhatTheyWaitForHasStartedOrEnded) {
  const Program program = read(kEverything);
  RankProgress progress(program.rank(0));
  Ready ready;
  progress.begin(ready);
  EXPECT_EQ(ready, Ready{0});
  ready.clear();
  progress.started(0, ready);
  EXPECT_TRUE(ready.empty());
  progress.ended(0, ready);
  EXPECT_EQ(ready, Ready{1});
  ready.clear();
  progress.started(1, ready);
  EXPECT_EQ(ready, Ready{2});
  progress.ended(1, ready);
  EXPECT_EQ(progress.left(), 1U);
  progress.ended(2, ready);
  EXPECT_TRUE(progress.is_done());
}

TEST(Mailbox, GivesAMessageToTheReceiveThatWasPostedFirst) {
  Mailbox mailbox;
  EXPECT_EQ(mailbox.post(1, 5, 10), std::nullopt);
  EXPECT_EQ(mailbox.post(kAny, 5, 11), std::nullopt);
  EXPECT_EQ(mailbox.post(1, kAny, 12), std::nullopt);
  EXPECT_EQ(mailbox.post(1, 5, 13), std::nullopt);
  EXPECT_EQ(mailbox.waiting(), (Ready{10, 11, 12, 13}));
  EXPECT_EQ(mailbox.arrive(1, 5, 0), 10U);
  EXPECT_EQ(mailbox.arrive(1, 5, 1), 11U);
  EXPECT_EQ(mailbox.arrive(2, 5, 2), std::nullopt);
  EXPECT_EQ(mailbox.arrive(1, 5, 3), 12U);
  EXPECT_EQ(mailbox.arrive(1, 5, 4), 13U);
  EXPECT_FALSE(mailbox.empty());
}

TEST(Mailbox, GivesAReceiveTheMessageThatArrivedFirst) {
  Mailbox mailbox;
  for (std::uint32_t message = 0; message < 4; ++message)
    EXPECT_EQ(mailbox.arrive(3 - message, message % 2, message), std::nullopt);
  EXPECT_EQ(mailbox.post(kAny, 1, 0), (Mailbox::Taken{2, 1}));
  EXPECT_EQ(mailbox.post(kAny, kAny, 0), (Mailbox::Taken{3, 0}));
  EXPECT_EQ(mailbox.post(0, kAny, 0), (Mailbox::Taken{0, 3}));
  EXPECT_EQ(mailbox.post(1, 1, 7), std::nullopt);
  EXPECT_EQ(mailbox.post(1, 0, 0), (Mailbox::Taken{1, 2}));
  EXPECT_EQ(mailbox.waiting(), Ready{7});
}

}  // namespace
}  // namespace ebb::program
