// SPDX-License-Identifier: Apache-2.0
#include "ebb/fabric_config/fabric_file.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ebb::fabric_config {
namespace {

TEST(FabricFile, HasANetworkAtRatesOfSoftware) {
  const auto file = read_fabric_text(
      "schema_version: 1\nname: tour\ntopology: {family: fbfly, hosts: 2, dims: 3x3}\n", "f.yaml");
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_EQ(file->name, "tour");
  EXPECT_EQ(file->graph.switch_count(), 9U);
  EXPECT_EQ(file->graph.full_rate(file->graph.links()[0]), megabits_per_second(100));
}

TEST(FabricFile, NamesAGraphFileBesideIt) {
  const std::string examples = std::string(EBB_SOURCE_DIR) + "/examples/";
  const auto file = read_fabric_text(
      "schema_version: 1\nname: own\ntopology: {graph: six-switch-complete.yaml}\n",
      examples + "f.yaml");
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_EQ(file->graph.switch_count(), 6U);
  EXPECT_EQ(file->graph.host_count(), 66U);
}

}  // namespace
}  // namespace ebb::fabric_config
