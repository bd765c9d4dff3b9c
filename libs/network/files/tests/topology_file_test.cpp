// SPDX-License-Identifier: Apache-2.0
#include "ebb/files/topology_file.hpp"

#include "ebb/topology/family.hpp"
#include "ebb/traffic/pattern.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

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
  EXPECT_EQ(list->rates, topology::RateTable{gigabits_per_second(40)});
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

TEST(TopologySpec, TakesTheTextOfAGraphFile) {
  const auto text = [](const char* end) {
    return std::string("schema_version: 1\ntopology:\n  graph: |\n    schema_version: 1\n") +
           "    switches: 2\n    hosts: 1\n    rate_tables: [[40Gb/s]]\n    links:\n" +
           "      - {a: s0, b: s1}\n      - {a: h0, b: " + end + "}\n";
  };
  const auto spec = read_topology_spec_text(text("s1"), "folder/t.yaml");
  ASSERT_TRUE(spec) << to_string(spec.error());
  const auto graph = build(*spec);
  ASSERT_TRUE(graph) << to_string(graph.error());
  EXPECT_EQ(graph->link_count(), 2U);
  const auto wrong = build(*read_topology_spec_text(text("s2"), "t"));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(to_string(wrong.error().front()).find("<graph>:7:"), 0U) << to_string(wrong.error());
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

using topology::GraphBuilder;

const topology::RateTable kRateTable = {gigabits_per_second(40)};

traffic::Shape shape(std::string_view family, const ParameterTexts& parameters) {
  const auto graph = topology::build(family, parameters, kRateTable);
  EXPECT_TRUE(graph) << to_string(graph.error());
  const auto found = traffic_shape(*graph);
  EXPECT_TRUE(traffic::validate(found).empty());
  return found;
}

TEST(TrafficShape, OfGridsHasDimensionsAndRows) {
  for (const char* family : {"fbfly", "torus", "mesh"}) {
    const auto found = shape(family, {{"hosts", "3"}, {"dims", "4x5"}});
    EXPECT_EQ(found.hosts, 60U) << family;
    EXPECT_EQ(found.hosts_per_switch, 3U) << family;
    EXPECT_EQ(found.hosts_per_group, 12U) << family;
    EXPECT_EQ(found.dims, (std::vector<std::uint32_t>{4, 5})) << family;
  }
}

TEST(TrafficShape, OfADragonflyHasGroups) {
  const auto found = shape("dragonfly", {{"p", "2"}, {"a", "4"}, {"h", "2"}});
  EXPECT_EQ(found.hosts, 72U);
  EXPECT_EQ(found.hosts_per_switch, 2U);
  EXPECT_EQ(found.hosts_per_group, 8U);
  EXPECT_TRUE(found.dims.empty());
}

TEST(TrafficShape, OfAClosWithAPartialLeafHasNoCommonCount) {
  EXPECT_EQ(shape("clos", {{"ports", "4"}, {"hosts", "16"}}).hosts_per_switch, 2U);
  EXPECT_EQ(shape("clos", {{"ports", "4"}, {"hosts", "15"}}).hosts_per_switch, 0U);
}

TEST(TrafficShape, OfACompleteNetworkHasNoGroups) {
  const auto found = shape("complete", {{"switches", "3"}, {"hosts", "2"}});
  EXPECT_EQ(found.hosts_per_group, 0U);
  EXPECT_TRUE(found.dims.empty());
}

// Hosts 0 and 2 on one switch, 1 and 3 on the other: not consecutive.
TEST(TrafficShape, OfAnImportedGraphIsReadFromItsLinks) {
  GraphBuilder mixed(2, 4, {kRateTable});
  mixed.connect(mixed.switch_node(0), mixed.switch_node(1));
  for (std::uint32_t host = 0; host < 4; ++host)
    mixed.connect(mixed.switch_node(host % 2), mixed.host_node(host));
  EXPECT_EQ(traffic_shape(std::move(mixed).build({"imported", {}})).hosts_per_switch, 0U);

  GraphBuilder straight(2, 4, {kRateTable});
  straight.connect(straight.switch_node(0), straight.switch_node(1));
  for (std::uint32_t host = 0; host < 4; ++host)
    straight.connect(straight.switch_node(1 - host / 2), straight.host_node(host));
  EXPECT_EQ(traffic_shape(std::move(straight).build({"imported", {}})).hosts_per_switch, 2U);
}

// Two hosts on the first switch, one on each of the others.
TEST(TrafficShape, OfUnequalRunsHasNoCommonCount) {
  GraphBuilder builder(3, 4, {kRateTable});
  builder.connect(builder.switch_node(0), builder.switch_node(1));
  builder.connect(builder.switch_node(0), builder.switch_node(2));
  const std::uint32_t switches[] = {0, 0, 1, 2};
  for (std::uint32_t host = 0; host < 4; ++host)
    builder.connect(builder.switch_node(switches[host]), builder.host_node(host));
  EXPECT_EQ(traffic_shape(std::move(builder).build({"imported", {}})).hosts_per_switch, 0U);
}

}  // namespace
}  // namespace ebb::files
