// SPDX-License-Identifier: Apache-2.0
#include "ebb/files/topology_file.hpp"

#include "ebb/files/graph_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace ebb::files {
namespace {

const std::string kExamples = std::string(EBB_SOURCE_DIR) + "/examples/";

TEST(TopologySpec, ListsAndTextAreTheSameParameter) {
  const auto list = read_topology_spec_text(
      "schema_version: 1\ntopology: {family: fbfly, hosts: 8, dims: [8, 8, 8, 8]}\n", "t");
  const auto text = read_topology_spec_text(
      "schema_version: 1\ntopology: {family: fbfly, hosts: 8, dims: 8x8x8x8, rates: [40Gb/s]}\n",
      "t");
  ASSERT_TRUE(list) << to_string(list.error());
  ASSERT_TRUE(text) << to_string(text.error());
  EXPECT_EQ(*list, *text);
  EXPECT_EQ(list->rates, topology::RateLadder{gigabits_per_second(40)});
}

TEST(TopologySpec, StandsInsideAnotherDocument) {
  Diagnostics errors("sim.yaml");
  errors.add("something else is wrong");
  const auto root = read_yaml("network: {family: fbfly, hosts: 2, dims: 4x3}\n", errors);
  Section section(*root, errors);
  EXPECT_TRUE(read_topology_spec(*section.require("network"), errors));
  EXPECT_EQ(errors.take().size(), 1U);
}

TEST(TopologySpec, GraphFilesAreRelativeToTheFile) {
  const auto spec = read_topology_spec_text("schema_version: 1\ntopology: {graph: g.yaml}\n",
                                            "plans/site/net.yaml");
  ASSERT_TRUE(spec) << to_string(spec.error());
  EXPECT_EQ(spec->graph, "plans/site/g.yaml");
  EXPECT_EQ(to_string(build(*spec).error()), "plans/site/g.yaml: error: no such file\n");
}

TEST(ReadTopology, BuildsWhatAGeneratorFileDescribes) {
  const auto graph = read_topology(kExamples + "fbfly-8ary-5flat.yaml");
  ASSERT_TRUE(graph) << to_string(graph.error());
  EXPECT_EQ(graph->host_count(), 32'768U);
  EXPECT_EQ(graph->switch_count(), 4'096U);
}

TEST(ReadTopology, ReadsGraphFiles) {
  const auto complete = read_topology(kExamples + "six-switch-complete.yaml");
  ASSERT_TRUE(complete) << to_string(complete.error());
  EXPECT_EQ(complete->link_count(), 66U + 15U * 5U);
  const auto irregular = read_topology(kExamples + "small-irregular.yaml");
  ASSERT_TRUE(irregular) << to_string(irregular.error());
  EXPECT_EQ(irregular->name(irregular->switch_node(0)), "spine1");
}

TEST(ReadTopology, FollowsAReferenceToAGraphFile) {
  const auto path = std::filesystem::temp_directory_path() / "ebb-topology-file-test.yaml";
  std::ofstream(path) << "schema_version: 1\ntopology: {graph: " << kExamples
                      << "small-irregular.yaml}\n";
  const auto direct = read_graph(kExamples + "small-irregular.yaml");
  const auto referred = read_topology(path.string());
  std::filesystem::remove(path);
  ASSERT_TRUE(direct && referred) << to_string(referred.error());
  EXPECT_EQ(*direct, *referred);
}

}  // namespace
}  // namespace ebb::files
