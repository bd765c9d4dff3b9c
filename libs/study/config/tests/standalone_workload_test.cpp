// SPDX-License-Identifier: Apache-2.0
#include "ebb/config/standalone_workload.hpp"

#include "ebb/files/parts_file.hpp"
#include "ebb/traffic/workload.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace ebb::config {
namespace {

using namespace std::chrono_literals;

constexpr DataRate kRate = gigabits_per_second(40);

TEST(StandaloneWorkload, OfAnInjectionIsUniform) {
  const auto made = named_workload("poisson", {{"load", "50%"}, {"size", "4KiB"}}, 16, kRate, 3);
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_EQ(made->name.rfind("uniform, poisson ", 0), 0U) << made->name;
  EXPECT_NE(made->name.find("load=0.5"), std::string::npos) << made->name;
  EXPECT_EQ(made->hosts, 16U);
  EXPECT_EQ(made->seed, 3U);
  EXPECT_EQ(made->workload->hosts(), 16U);
  EXPECT_FALSE(traffic::every_message(*made->workload, made->seed, TimePoint(1ms))->empty());
}

TEST(StandaloneWorkload, HasTheDefaultsOfAWorkloadInItsName) {
  const auto made = named_workload("search", {}, 64, kRate, 1);
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_EQ(made->name.rfind("search ", 0), 0U) << made->name;
  EXPECT_EQ(made->pattern, nullptr);
}

TEST(StandaloneWorkload, RefusesWhatItDoesNotKnow) {
  const auto unknown = named_workload("serch", {}, 64, kRate, 1);
  ASSERT_FALSE(unknown);
  EXPECT_NE(to_string(unknown.error()).find("search"), std::string::npos);
  EXPECT_FALSE(named_workload("poisson", {{"lode", "50%"}}, 16, kRate, 1));
}

// The same messages as the simulation sends.
TEST(StandaloneWorkload, IsThatOfASimulation) {
  const auto library = files::read_parts_folder(std::string(EBB_SOURCE_DIR) + "/parts").value();
  const std::string path = std::string(EBB_SOURCE_DIR) + "/tests/cli/files/two-hosts.yaml";
  const auto file = read_sim(path, library);
  ASSERT_TRUE(file);
  const auto simulated = prepare(*file, library);
  ASSERT_TRUE(simulated);
  const auto expected =
      traffic::every_message(*simulated->workload, simulated->spec.seed, TimePoint(1ms));
  const StandaloneWorkload taken = workload_of(prepare(*file, library).value());
  EXPECT_EQ(taken.hosts, 2U);
  const auto messages = traffic::every_message(*taken.workload, taken.seed, TimePoint(1ms));
  ASSERT_EQ(messages->size(), expected->size());
  EXPECT_FALSE(messages->empty());
  for (std::size_t i = 0; i < messages->size(); ++i)
    EXPECT_EQ((*messages)[i].at, (*expected)[i].at);
}

}  // namespace
}  // namespace ebb::config
