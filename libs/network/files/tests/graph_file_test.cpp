// SPDX-License-Identifier: Apache-2.0
#include "ebb/files/topology_file.hpp"
#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ebb::files {
namespace {

using topology::Graph;
using topology::GraphBuilder;
using topology::Link;
using topology::Medium;
using topology::RateTable;

std::string written(const Graph& graph) {
  std::ostringstream out;
  write_graph(graph, out);
  return out.str();
}

std::string errors_in(const std::string& text) {
  const auto graph = read_graph_text(text, "g");
  return graph ? "accepted" : to_string(graph.error());
}

const std::string kHeader =
    "schema_version: 1\nswitches: 2\nhosts: 1\nrate_tables: [[100Mb/s, 1Gb/s], [10Gb/s]]\n";

TEST(ReadGraph, TakesBothFormsAlike) {
  const auto yaml = read_graph_text(kHeader +
                                        "links:\n"
                                        "  - {a: h0, b: s1, medium: optical, length: 2m}\n"
                                        "  - {a: s0, b: s1, rate_table: 1}\n"
                                        "  - {a: s0, b: s1}\n",
                                    "yaml");
  ASSERT_TRUE(yaml) << to_string(yaml.error());
  const auto csv = read_graph_text(kHeader +
                                       "...\n# hosts\na,b,medium,length,rate_table\n\n"
                                       "h0,s1,optical,2m,\n s0 ,\ts1,,,1\n\"s0\",\"s1\",,,\n",
                                   "csv");
  ASSERT_TRUE(csv) << to_string(csv.error());
  EXPECT_EQ(*yaml, *csv);
  const Link first{csv->host_node(0), csv->switch_node(1), 2000, Medium::optical, 0};
  EXPECT_EQ(csv->links()[0], first);
  EXPECT_EQ(csv->full_rate(csv->links()[1]), gigabits_per_second(10));
  EXPECT_EQ(csv->links()[2], (Link{csv->switch_node(0), csv->switch_node(1)}));
  EXPECT_EQ(csv->origin(), (topology::Origin{"imported", {}}));
}

TEST(ReadGraph, TakesWindowsLineEnds) {
  const std::string text = kHeader + "...\na,b,medium,length\nh0,s0,,1m\ns0,s1,,\n";
  std::string windows;
  for (const char c : text) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const auto unix_graph = read_graph_text(text, "u");
  const auto windows_graph = read_graph_text(windows, "w");
  ASSERT_TRUE(unix_graph) << to_string(unix_graph.error());
  ASSERT_TRUE(windows_graph) << to_string(windows_graph.error());
  EXPECT_EQ(*unix_graph, *windows_graph);
}

TEST(ReadGraph, NodesHaveNumbersBesideTheirNames) {
  const auto graph = read_graph_text(
      "schema_version: 1\nswitches: [leaf, s1]\nhosts: 2\nrate_tables: [[1Gb/s]]\n"
      "links: [{a: leaf, b: s1}, {a: h0, b: s0}, {a: h1, b: leaf}]\n",
      "g");
  ASSERT_TRUE(graph) << to_string(graph.error());
  EXPECT_EQ(graph->links()[1].b, graph->switch_node(0));
  EXPECT_EQ(graph->name(graph->switch_node(0)), "leaf");
  EXPECT_EQ(graph->name(graph->host_node(1)), "h1");
}

TEST(ReadGraph, KeepsTheOriginAsItIsWritten) {
  const std::string origin = "origin: {family: fbfly, parameters: {dims: [2], hosts: 1}}\n";
  const std::string nodes = "schema_version: 1\nswitches: 2\nhosts: 2\nrate_tables: [[1Gb/s]]\n";
  const std::string links = "links: [{a: h0, b: s0}, {a: h1, b: s1}, {a: s0, b: s1}]\n";
  const auto graph = read_graph_text(nodes + origin + links, "g");
  ASSERT_TRUE(graph) << to_string(graph.error());
  const topology::Origin expected{"fbfly", {{"dims", "2"}, {"hosts", "1"}}};
  EXPECT_EQ(graph->origin(), expected);
}

TEST(ReadGraph, GoesOnAfterABadLinkAndCountsLines) {
  EXPECT_EQ(errors_in(kHeader + "...\na,b,medium,length,rate_table\n"
                                "h0,s2,electrical,2m,0\n"
                                "s0,s1,optcal,2 metres,2\n"
                                "s0,s1\n"
                                "s0, s0,,-1m,\n"),
            "g:7:4: error: unknown node 's2'; switches are s0 to s1, hosts are h0 to h0 (at "
            "links[0].b)\n"
            "g:8:7: error: unknown medium 'optcal'; did you mean 'optical'? (at links[1].medium)\n"
            "g:8:14: error: in '2 metres': unknown unit of length 'metres'; did you mean 'm'? "
            "(at links[1].length)\n"
            "g:8:23: error: expected the index of a rate table, 0 to 1, got '2' (at "
            "links[1].rate_table)\n"
            "g:9:1: error: expected 5 columns, got 2\n"
            "g:10:9: error: a cable has 0mm to 4294.967295km, got -1m (at links[2].length)\n"
            "g:10:5: error: the link joins s0 to itself (at links[2].b)\n");
}

TEST(ReadGraph, StopsAtAHundredErrors) {
  std::string text = kHeader + "...\na,b\n";
  for (int i = 0; i < 100'000; ++i) text += "x,y\n";
  const auto graph = read_graph_text(text, "g");
  ASSERT_FALSE(graph);
  EXPECT_EQ(graph.error().size(), 101U);
}

TEST(ReadGraph, AnnouncingManyNodesCostsLittle) {
  const std::string text = errors_in(
      "schema_version: 1\nswitches: 16000000\nhosts: 16000000\nrate_tables: [[1Gb/s]]\nlinks: "
      "[]\n");
  EXPECT_EQ(text.substr(0, text.find('\n')), "g:2:11: error: s0 has no link (at switches)");
}

TEST(WriteGraph, LeavesOutWhatIsDefault) {
  const auto graph = topology::build("fbfly", {{"hosts", "1"}, {"dims", "2"}},
                                     {gigabits_per_second(10), gigabits_per_second(40)});
  EXPECT_EQ(written(*graph),
            "schema_version: 1\nswitches: 2\nhosts: 2\nrate_tables:\n  - [10Gb/s, 40Gb/s]\n"
            "origin: {family: fbfly, parameters: {hosts: \"1\", dims: \"2\", parallel: \"1\"}}\n"
            "...\na,b\nh0,s0\nh1,s1\ns0,s1\n");
}

void expect_round_trip(const Graph& graph) {
  const std::string text = written(graph);
  const auto again = read_graph_text(text, "written");
  if (!again) RC_FAIL(to_string(again.error()) + text);
  RC_ASSERT(*again == graph);
  RC_ASSERT(written(*again) == text);
}

std::vector<RateTable> some_rate_tables() {
  std::vector<RateTable> rate_tables(*rc::gen::inRange<std::size_t>(1, 5));
  for (RateTable& rate_table : rate_tables) {
    DataRate rate;
    for (int n = *rc::gen::inRange(1, 6); n > 0; --n)
      rate_table.push_back(rate += bits_per_second(*rc::gen::inRange<std::int64_t>(1, 1LL << 50)));
  }
  return rate_tables;
}

std::vector<std::string> some_names(std::uint32_t nodes) {
  static const std::string kLetters = "ab0:#-'é {}[]*&!|>%@`~?";
  const std::vector<std::string> odd = {"null", "~", "true", "1e3", "s07", "- x", "a: b", "..."};
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < nodes; ++i) {
    std::string name = "n";
    for (int n = *rc::gen::inRange(0, 8); n > 0; --n)
      name += kLetters[*rc::gen::inRange<std::size_t>(0, kLetters.size())];
    names.push_back(i < odd.size() ? odd[i] : name + "." + std::to_string(i));
  }
  return names;
}

Link some_link(topology::NodeId a, topology::NodeId b, std::size_t rate_tables) {
  const auto medium = static_cast<Medium>(*rc::gen::inRange(0, 3));
  return {a, b, *rc::gen::element<std::uint32_t>(0, 1, 2500, 7'000'000, 4'294'967'295), medium,
          static_cast<std::uint8_t>(*rc::gen::inRange<std::size_t>(0, rate_tables))};
}

// A random tree of switches and a switch for each host, so that it is connected, then more links.
RC_GTEST_PROP(WriteGraph, IsReadBackExactly, ()) {
  const auto switches = *rc::gen::inRange<std::uint32_t>(1, 30);
  const auto hosts = *rc::gen::inRange<std::uint32_t>(0, 40);
  const auto rate_tables = some_rate_tables();
  const bool plain = *rc::gen::arbitrary<bool>();
  GraphBuilder builder(switches, hosts, rate_tables);
  const auto connect = [&](topology::NodeId a, topology::NodeId b) {
    if (a == b) return;
    builder.connect(plain ? Link{a, b} : some_link(a, b, rate_tables.size()));
  };
  const auto any_switch = [&](std::uint32_t below) {
    return builder.switch_node(*rc::gen::inRange<std::uint32_t>(0, below));
  };
  for (std::uint32_t s = 1; s < switches; ++s) connect(any_switch(s), builder.switch_node(s));
  for (std::uint32_t h = 0; h < hosts; ++h) connect(builder.host_node(h), any_switch(switches));
  for (int more = *rc::gen::inRange(0, 50); more > 0; --more)
    connect(any_switch(switches), any_switch(switches));
  builder.set_chips_per_box(*rc::gen::inRange<std::uint32_t>(1, 5));
  if (*rc::gen::arbitrary<bool>()) builder.set_names(some_names(switches + hosts));
  expect_round_trip(std::move(builder).build({"imported", {}}));
}

RC_GTEST_PROP(WriteGraph, KeepsFlattenedButterflies, ()) {
  std::string dims = std::to_string(*rc::gen::inRange(1, 6));
  for (int n = *rc::gen::inRange(0, 3); n > 0; --n)
    dims += "x" + std::to_string(*rc::gen::inRange(1, 6));
  const auto graph = topology::build("fbfly",
                                     {{"hosts", std::to_string(*rc::gen::inRange(1, 5))},
                                      {"dims", dims},
                                      {"parallel", std::to_string(*rc::gen::inRange(1, 4))}},
                                     {gigabits_per_second(40)});
  RC_ASSERT(graph.has_value());
  expect_round_trip(*graph);
}

}  // namespace
}  // namespace ebb::files
