// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/ha/lease.hpp"

#include "ebb/controller/ha/waiting_room.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <sys/wait.h>
#include <unistd.h>

namespace ebb::controller {
namespace {

using std::chrono::seconds;
using Time = Lease::Clock::time_point;

// Locks belong to open files, so two leases of one process are as good as two processes.
class ALease : public testing::Test {
 protected:
  ALease() { std::filesystem::create_directory(folder); }
  ~ALease() override { std::filesystem::remove_all(folder); }

  std::string folder = testing::TempDir() + "ebb-lease-" + std::to_string(getpid());
  std::string path = folder + "/lease";
  Time now{seconds(100)};
};

TEST_F(ALease, OneHasIt) {
  Lease first(path, seconds(2));
  Lease second(path, seconds(2));
  EXPECT_TRUE(*first.take(now));
  EXPECT_TRUE(*first.take(now));
  EXPECT_FALSE(*second.take(now));
  EXPECT_TRUE(first.is_ours());
  EXPECT_FALSE(second.is_ours());
  EXPECT_EQ(second.holder(), "process " + std::to_string(getpid()));
  first.leave();
  EXPECT_TRUE(*second.take(now));
  EXPECT_FALSE(first.is_ours());
}

TEST_F(ALease, OneThatEndsLosesItAtOnce) {
  const pid_t child = fork();
  if (child == 0) {
    Lease its(path, seconds(2));
    _exit(its.take(now) && its.is_ours() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_EQ(status, 0);
  Lease ours(path, seconds(2));
  EXPECT_TRUE(*ours.take(now));
}

TEST_F(ALease, OneThatHangsIsPassedOver) {
  Lease hanging(path, seconds(2));
  Lease other(path, seconds(2));
  ASSERT_TRUE(*hanging.take(now));
  EXPECT_FALSE(*other.take(now));
  EXPECT_FALSE(*other.take(now + seconds(1)));
  EXPECT_TRUE(*other.take(now + seconds(2)));
  EXPECT_FALSE(hanging.is_ours());
  EXPECT_TRUE(other.is_ours());
  hanging.stir();  // into its own file, which nobody reads any more
  EXPECT_TRUE(other.is_ours());
  hanging.leave();
  EXPECT_TRUE(other.is_ours());
  EXPECT_FALSE(*hanging.take(now + seconds(2)));
}

TEST_F(ALease, OneThatStirsIsNot) {
  Lease holder(path, seconds(2));
  Lease other(path, seconds(2));
  ASSERT_TRUE(*holder.take(now));
  for (int second = 0; second < 10; ++second) {
    EXPECT_FALSE(*other.take(now + seconds(second)));
    holder.stir();
  }
}

TEST_F(ALease, OneThatWasRemovedIsNobodys) {
  Lease holder(path, seconds(2));
  ASSERT_TRUE(*holder.take(now));
  std::filesystem::remove(path);
  EXPECT_FALSE(holder.is_ours());
}

TEST_F(ALease, AFolderThatIsNotThereIsAnError) {
  Lease lease(folder + "/none/lease", seconds(2));
  const auto taken = lease.take(now);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error()[0].message, "cannot take the lease: No such file or directory");
}

TEST_F(ALease, TheWaitingRoomTellsWhetherSomeoneWaits) {
  WaitingRoom leader(folder + "/standby");
  WaitingRoom first(folder + "/standby");
  WaitingRoom second(folder + "/standby");
  EXPECT_FALSE(leader.someone_waits());
  ASSERT_TRUE(first.enter() && second.enter());
  EXPECT_TRUE(leader.someone_waits());
  first.leave();
  EXPECT_TRUE(leader.someone_waits());
  second.leave();
  EXPECT_FALSE(leader.someone_waits());
}

}  // namespace
}  // namespace ebb::controller
