// SPDX-License-Identifier: Apache-2.0
#include "ebb/breakeven/study.hpp"

#include "ebb/files/parts_file.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>

namespace ebb::breakeven {
namespace {

using namespace std::chrono_literals;

power::Library library() {
  return files::read_parts_folder(std::string(EBB_SOURCE_DIR) + "/parts").value();
}

std::vector<NamedWorkload> one_workload() {
  return {{"periodic", "periodic", {{"load", "10%"}, {"size", "4KiB"}}}};
}

StudyInput short_input(std::vector<std::string> parts) {
  return {.parts = std::move(parts), .workloads = one_workload(), .time = 1ms, .hosts = 4};
}

TEST(Workloads, AreReadFromWords) {
  const std::array<std::string, 5> words = {"poisson", "load=5%", "size=1KiB", "search", "poisson"};
  const auto workloads = workloads_of(words);
  ASSERT_EQ(workloads.size(), 3U);
  EXPECT_EQ(workloads[0].label, "poisson");
  EXPECT_EQ(workloads[0].parameters, (ParameterTexts{{"load", "5%"}, {"size", "1KiB"}}));
  EXPECT_EQ(workloads[1].name, "search");
  EXPECT_EQ(workloads[2].label, "poisson (2)");
  EXPECT_EQ(workloads[2].name, "poisson");
}

// Every channel and switch is seen under every workload.
TEST(Study, LooksAtAllPartsInAnOverview) {
  StudyInput input = short_input({});
  input.curves = StudyInput::Curves::overview;
  const auto found = study(library(), input);
  ASSERT_TRUE(found) << to_string(found.error());
  ASSERT_TRUE(found->bound);
  EXPECT_EQ(found->bound->part, nullptr);
  EXPECT_EQ(found->bound->seen.at(0).curve.size(), decades().size());
  EXPECT_FALSE(found->channels.empty());
  EXPECT_FALSE(found->switches.empty());
  for (const ChannelStudy& channel : found->channels) {
    ASSERT_EQ(channel.seen.size(), 1U) << channel.part->name;
    EXPECT_TRUE(channel.seen[0].curve.empty());
    EXPECT_EQ(channel.seen[0].look.rate, channel.rate);
  }
  for (const SwitchStudy& each : found->switches) EXPECT_EQ(each.seen.size(), 1U);
}

// Of a channel with one message of 4 KiB in ten times its duration: idle for nine tenths.
TEST(Study, HasTheCurvesOfOnePart) {
  const auto found = study(library(), short_input({"infiniband-1us-link"}));
  ASSERT_TRUE(found) << to_string(found.error());
  ASSERT_FALSE(found->channels.empty());
  EXPECT_TRUE(found->switches.empty());
  const ChannelSeen& seen = found->channels[0].seen.at(0);
  EXPECT_NEAR(seen.look.gaps.load.to_double(), 0.1, 0.01);
  EXPECT_EQ(seen.look.time, 1ms);
  ASSERT_EQ(seen.curve.size(), decades().size());
  ASSERT_TRUE(seen.curve[0].oracle);
  EXPECT_LE(seen.curve[0].oracle->low_power_share, 0.91);
}

TEST(Study, TakesOneRateForAll) {
  StudyInput input = short_input({"infiniband-1us-link"});
  input.rate = gigabits_per_second(1);
  const auto found = study(library(), input);
  ASSERT_TRUE(found);
  for (const ChannelStudy& channel : found->channels)
    EXPECT_EQ(channel.seen.at(0).look.rate, gigabits_per_second(1));
}

TEST(Study, RefusesPartsThatAreNoChannelAndNoSwitch) {
  const power::Library parts = library();
  std::string module;
  for (const power::Part& part : parts.parts()) {
    if (std::holds_alternative<power::Nic>(part.body)) module = part.name;
  }
  ASSERT_FALSE(module.empty());
  const auto found = study(parts, short_input({module, "no such part"}));
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().size(), 2U);
}

TEST(SwitchSummary, CoversWhatIsIncluded) {
  StudyInput input = short_input({});
  input.curves = StudyInput::Curves::overview;
  const auto found = study(library(), input);
  ASSERT_TRUE(found);
  const SwitchSummary none = summary_of(*found, [](const power::Part&) { return false; });
  EXPECT_EQ(none.boxes, 0U);
  const SwitchSummary all = summary_of(*found, [](const power::Part&) { return true; });
  EXPECT_GT(all.boxes, 0U);
  EXPECT_GE(all.setups, all.boxes);
  EXPECT_LE(all.boxes_with_sleep, all.boxes);
  EXPECT_LE(all.links.least, all.links.most);
  EXPECT_LE(all.links.most, 1);
}

}  // namespace
}  // namespace ebb::breakeven
