// SPDX-License-Identifier: Apache-2.0
#include "ebb/policy/regulate.hpp"

#include <gtest/gtest.h>

namespace ebb::policy {
namespace {

// Three bundles of five links. The first carries 900 B one way and 100 B back, the second what two
// flows share, the third nothing.
std::vector<RegulatedFlow> flows() {
  return {{bytes(900), {0}}, {bytes(100), {1}}, {bytes(150), {2}}, {bytes(250), {1, 2}}};
}

constexpr int kLinks[] = {5, 5, 5};

TEST(Regulate, CountsEachDirectionOfEachPath) {
  const auto amounts = amount_by_channel(3, flows());
  EXPECT_EQ(amounts,
            (std::vector{bytes(900), bytes(350), bytes(400), bytes(0), bytes(0), bytes(0)}));
}

TEST(Regulate, LeavesTheFewestLinksBelowThePeak) {
  const auto links = [](std::int64_t peak) {
    return regulate(kLinks, flows(), {.peak = bytes(peak)}).links;
  };
  EXPECT_EQ(links(1000), (std::vector{1, 1, 1}));
  EXPECT_EQ(links(900), (std::vector{1, 1, 1}));
  EXPECT_EQ(links(899), (std::vector{2, 1, 1}));
  EXPECT_EQ(links(300), (std::vector{3, 2, 1}));
  EXPECT_EQ(links(180), (std::vector{5, 3, 1}));
}

TEST(Regulate, TellsWhatIsBeyondThePeak) {
  EXPECT_TRUE(regulate(kLinks, flows(), {.peak = bytes(180)}).beyond.empty());
  const Regulation much = regulate(kLinks, flows(), {.peak = bytes(100)});
  EXPECT_EQ(much.links, (std::vector{5, 4, 1}));
  EXPECT_EQ(much.beyond, std::vector<std::uint32_t>{0});
}

TEST(Regulate, SlowsOnlyALastLink) {
  const Regulation slow =
      regulate(kLinks, flows(), {.peak = bytes(500), .slower = {Ratio(1, 10), Ratio(1, 100)}});
  EXPECT_EQ(slow.links, (std::vector{2, 1, 1}));
  EXPECT_EQ(slow.rate, (std::vector{Ratio(1, 1), Ratio(1, 1), Ratio(1, 100)}));
  const Regulation less =
      regulate(kLinks, flows(), {.peak = bytes(4000), .slower = {Ratio(1, 10), Ratio(1, 100)}});
  EXPECT_EQ(less.rate, (std::vector{Ratio(1, 1), Ratio(1, 10), Ratio(1, 100)}));
}

}  // namespace
}  // namespace ebb::policy
