// SPDX-License-Identifier: Apache-2.0
#include "ebb/core/error.hpp"

#include "ebb/core/suggest.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ebb {
namespace {

TEST(Error, ReadsLikeACompilerMessage) {
  EXPECT_EQ(to_string(Error{"no such rate", {"net.yaml", 3, 9, "links[2].rate"}}),
            "net.yaml:3:9: error: no such rate (at links[2].rate)");
  EXPECT_EQ(to_string(Error{"empty", {}}), "error: empty");
}

TEST(ClosestName, FindsTheTypoAndNotTheStranger) {
  const std::vector<std::string> names{"hosts", "rate", "ports"};
  EXPECT_EQ(closest_name("hsots", names), "hosts");
  EXPECT_EQ(closest_name("port", names), "ports");
  EXPECT_EQ(closest_name("colour", names), std::nullopt);
}

TEST(UnknownName, ListsWhatIsValidWhenNothingIsNear) {
  const std::vector<std::string> names{"hosts", "rate"};
  EXPECT_EQ(unknown_name("key", "hots", names), "unknown key 'hots'; did you mean 'hosts'?");
  EXPECT_EQ(unknown_name("key", "zzzzzz", names), "unknown key 'zzzzzz'; valid: hosts, rate");
}

}  // namespace
}  // namespace ebb
