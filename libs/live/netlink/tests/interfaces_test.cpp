// SPDX-License-Identifier: Apache-2.0
//
// What the kernel of this machine says of interfaces, without any rights.
#include "ebb/netlink/interfaces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ebb::netlink {
namespace {

const Interface* find(const std::vector<Interface>& all, const std::string& name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Interface& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

TEST(Interfaces, HaveALoopback) {
  auto kernel = Netlink::open();
  ASSERT_TRUE(kernel) << to_string(kernel.error());
  const auto all = read_interfaces(*kernel);
  ASSERT_TRUE(all) << to_string(all.error());
  const Interface* loopback = find(*all, "lo");
  ASSERT_NE(loopback, nullptr);
  EXPECT_TRUE(loopback->loopback);
  EXPECT_GT(loopback->index, 0);
  for (const Interface& one : *all) {
    EXPECT_FALSE(one.name.empty());
    EXPECT_EQ(one.loopback, one.name == "lo");
  }
}

// The sequence numbers of the answers fit their requests.
TEST(Interfaces, AreReadAgainByTheSameSocket) {
  auto kernel = Netlink::open();
  ASSERT_TRUE(kernel) << to_string(kernel.error());
  const auto first = read_interfaces(*kernel);
  const auto second = read_interfaces(*kernel);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->size(), second->size());
}

TEST(Interfaces, AreNotSwitchedWhenThereAreNone) {
  auto kernel = Netlink::open();
  ASSERT_TRUE(kernel) << to_string(kernel.error());
  const auto done = set_up(*kernel, "no-such-if", true);
  ASSERT_FALSE(done);
  EXPECT_NE(to_string(done.error()).find("no-such-if"), std::string::npos);
  // The socket still works after a refusal.
  EXPECT_TRUE(read_interfaces(*kernel));
}

TEST(InterfaceWatcher, ReportsAllWhenAsked) {
  transport::Loop loop;
  std::vector<Interface> reported;
  const auto watcher = InterfaceWatcher::open(
      loop, [&](const Interface& interface) { reported.push_back(interface); });
  ASSERT_TRUE(watcher) << to_string(watcher.error());
  EXPECT_TRUE(reported.empty());
  ASSERT_TRUE((*watcher)->report_all());
  EXPECT_NE(find(reported, "lo"), nullptr);
}

TEST(Queues, AreReadWithoutRights) {
  auto queues = Queues::open();
  ASSERT_TRUE(queues) << to_string(queues.error());
  const auto all = queues->read();
  ASSERT_TRUE(all) << to_string(all.error());
  for (const Queue& queue : *all) EXPECT_GT(queue.rate.count(), 0) << "only token buckets are read";
}

}  // namespace
}  // namespace ebb::netlink
