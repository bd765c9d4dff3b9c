// SPDX-License-Identifier: Apache-2.0
#include "ebb/counters/mapping.hpp"

#include "ebb/topology/family.hpp"
#include "ebb/units/data.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

namespace ebb::counters {
namespace {

using namespace std::chrono_literals;
using topology::ChannelId;

class ATriangle : public testing::Test {
 protected:
  [[nodiscard]] ChannelId end(std::uint32_t from, std::uint32_t to) const {
    for (const ChannelId one : graph_.outputs(graph_.switch_node(from))) {
      if (graph_.target(one) == graph_.switch_node(to)) return one;
    }
    return {};
  }
  void add(const std::string& interface, Direction direction, std::vector<float> loads,
           std::int64_t first = 0) {
    loads_.tracks.push_back({interface, direction, first, std::move(loads)});
  }
  [[nodiscard]] ChannelLoads mapped() {
    const auto mapping = propose(loads_, graph_, {});
    EXPECT_TRUE(mapping) << to_string(mapping.error());
    return channel_loads(loads_, *mapping, graph_, 0.05);
  }

  topology::Graph graph_ =
      *topology::build("complete", {{"switches", "3"}, {"hosts", "1"}}, {megabits_per_second(100)});
  Loads loads_{.step = 300s, .tracks = {}, .anomalies = {}};
};

TEST_F(ATriangle, IsMappedByNames) {
  for (const char* name : {"s0-s1", "s1:S2", "s2->s0", "s0 -- h0", "s9-s1", "eth0"})
    add(name, Direction::out, {1});
  const auto mapping = propose(loads_, graph_, {});
  ASSERT_TRUE(mapping);
  EXPECT_EQ(mapping->size(), 4U);
  EXPECT_EQ(mapping->at("s0-s1"), end(0, 1));
  EXPECT_EQ(mapping->at("s1:S2"), end(1, 2));
  EXPECT_EQ(mapping->at("s2->s0"), end(2, 0));
  const ChannelLoads loads = mapped();
  EXPECT_EQ(loads.unmapped, (std::vector<std::string>{"eth0", "s9-s1"}));
  EXPECT_TRUE(loads.uncounted.empty());
}

// An interface that was read once has no load: its track is empty, and begins nowhere.
TEST_F(ATriangle, HasNoLoadsWhereAnInterfaceWasReadOnce) {
  constexpr std::int64_t kFirst = 5'680'000;
  add("s0-s1", Direction::out, {1, 2}, kFirst);
  add("s1-s2", Direction::out, {});
  const ChannelLoads loads = mapped();
  EXPECT_EQ(loads.steps, 2U);
  EXPECT_EQ(loads.loads[index(end(0, 1))], (std::vector<float>{1, 2}));
  ASSERT_EQ(loads.loads[index(end(1, 2))].size(), 2U);
  EXPECT_FALSE(is_known(loads.loads[index(end(1, 2))][0]));
  EXPECT_FALSE(is_known(loads.loads[index(end(1, 2))][1]));
}

TEST_F(ATriangle, IsMappedByPorts) {
  add("s0:p2", Direction::out, {1});
  const auto mapping = propose(loads_, graph_, {});
  EXPECT_EQ(mapping->at("s0:p2"), graph_.outputs(graph_.switch_node(0))[1]);
}

TEST_F(ATriangle, HasOneInterfaceForEachEnd) {
  add("s0-s1", Direction::out, {1});
  add("s0:s1", Direction::out, {1});
  const auto mapping = propose(loads_, graph_, {});
  ASSERT_FALSE(mapping);
  EXPECT_EQ(mapping.error()[0].message,
            "'s0-s1' and 's0:s1' are both the end at s0 of the link to s1");
}

TEST_F(ATriangle, TakesAMappingFile) {
  const std::string path =
      (std::filesystem::temp_directory_path() / "ebb-mapping-test.csv").string();
  std::ofstream(path) << "interface,from,to\n# the core\ncore1:e4,s0,s1\n";
  const auto given = read_mapping(path, graph_);
  ASSERT_TRUE(given) << to_string(given.error());
  add("core1:e4", Direction::out, {1});
  EXPECT_EQ(propose(loads_, graph_, *given)->at("core1:e4"), end(0, 1));
  loads_.tracks[0].interface = "core1:e5";
  EXPECT_EQ(propose(loads_, graph_, *given).error()[0].message,
            "unknown interface 'core1:e4'; did you mean 'core1:e5'?");
  std::ofstream(path) << "interface,from,to\na,s0,s7\nb,s0\nc,s0,s1.2\nd,s0,s1\nd,s0,s2\n";
  const auto wrong = read_mapping(path, graph_);
  ASSERT_FALSE(wrong);
  ASSERT_EQ(wrong.error().size(), 4U);
  for (int which = 0; which < 3; ++which)
    EXPECT_EQ(wrong.error()[static_cast<std::size_t>(which)].where.line, 2 + which);
  std::filesystem::remove(path);
}

TEST_F(ATriangle, CarriesTheMeanOfBothEnds) {
  add("s0-s1", Direction::out, {100, kUnknown, 100});
  add("s0-s1", Direction::in, {7, 7, 7});
  add("s1-s0", Direction::in, {102, 50}, 0);
  const ChannelLoads loads = mapped();
  const auto& forth = loads.loads[index(end(0, 1))];
  EXPECT_EQ(forth, (std::vector<float>{101, 50, 100}));
  EXPECT_EQ(loads.loads[index(end(1, 0))], (std::vector<float>{7, 7, 7}));
  EXPECT_TRUE(loads.disagreements.empty());
  EXPECT_EQ(loads.uncounted.size(), 2U);
}

TEST_F(ATriangle, NamesEndsThatDisagree) {
  add("s0-s1", Direction::out, {100, 100, 100});
  add("s1-s0", Direction::in, {90, 90, 90});
  const ChannelLoads loads = mapped();
  ASSERT_EQ(loads.disagreements.size(), 1U);
  EXPECT_EQ(loads.disagreements[0].channel, end(0, 1));
  EXPECT_EQ(loads.disagreements[0].sent, 90'000);
  EXPECT_EQ(loads.disagreements[0].received, 81'000);
  EXPECT_EQ(loads.disagreements[0].shift, 0);
}

TEST_F(ATriangle, NamesClocksThatAreAStepApart) {
  add("s0-s1", Direction::out, {0, 900, 0, 0, 800, 0, 100, 0});
  add("s1-s0", Direction::in, {0, 0, 900, 0, 0, 800, 0, 100});
  const ChannelLoads loads = mapped();
  ASSERT_EQ(loads.disagreements.size(), 1U);
  EXPECT_EQ(loads.disagreements[0].shift, 1);
}

TEST_F(ATriangle, DoesNotBelieveMoreThanALinkCarries) {
  add("s0-s1", Direction::out, {99e6F, 120e6F});
  const ChannelLoads loads = mapped();
  EXPECT_EQ(loads.too_fast, 1U);
  EXPECT_FALSE(is_known(loads.loads[index(end(0, 1))][1]));
  EXPECT_EQ(loads.unknown, 1U);
}

}  // namespace
}  // namespace ebb::counters
