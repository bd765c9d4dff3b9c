// SPDX-License-Identifier: Apache-2.0
#include "ebb/counters/lldp.hpp"

#include "ebb/topology/family.hpp"
#include "ebb/units/data.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace ebb::counters {
namespace {

using namespace std::chrono_literals;
using topology::ChannelId;
namespace fs = std::filesystem;

std::string seen(const std::string& interface, const std::string& peer, const std::string& port) {
  return fmt::format(
      R"({{"{}":{{"via":"LLDP","chassis":{{"{}":{{"id":{{"type":"mac","value":"00:00:5e:00:53:01"}}}}}},
      "port":{{"id":{{"type":"ifname","value":"{}"}},"descr":"to the core"}}}}}})",
      interface, peer, port);
}
std::string table(const std::vector<std::string>& rows) {
  return fmt::format(R"({{"lldp":{{"interface":[{}]}}}})", fmt::join(rows, ","));
}

class LldpTables : public testing::Test {
 protected:
  LldpTables() { fs::create_directories(folder_); }
  ~LldpTables() override { fs::remove_all(folder_); }
  LldpTables(const LldpTables&) = delete;
  LldpTables& operator=(const LldpTables&) = delete;

  void write(const std::string& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  void count(const std::string& interface) {
    loads_.tracks.push_back({interface, Direction::out, 0, {1}});
  }
  [[nodiscard]] LldpMapping proposed() {
    const auto files = read_mappings({folder_.string()}, graph_);
    EXPECT_TRUE(files) << to_string(files.error());
    return propose_by_lldp(*files, graph_, loads_);
  }
  [[nodiscard]] std::string rows(const LldpMapping& lldp) const {
    return mapping_text(lldp.mapping, graph_);
  }

  fs::path folder_ = fs::temp_directory_path() / ("ebb-lldp-test-" + std::to_string(::getpid()));
  topology::Graph graph_ =
      *topology::build("complete", {{"switches", "3"}, {"hosts", "1"}}, {megabits_per_second(100)});
  Loads loads_{.step = 300s, .tracks = {}, .anomalies = {}};
};

TEST_F(LldpTables, NameBothEndsOfALink) {
  write("s0.json", table({seen("eth1", "s1.example.org", "eth7"), seen("eth2", "phone", "1")}));
  write("s1/neighbors.json", table({seen("ETH7", "s0", "eth1")}));
  for (const char* interface : {"s0:eth1", "s1:eth7", "s1:eth8", "s0:eth2"}) count(interface);
  const LldpMapping lldp = proposed();
  EXPECT_EQ(rows(lldp), "interface,from,to\ns0:eth1,s0,s1\ns1:eth7,s1,s0\n");
  EXPECT_TRUE(lldp.disagreements.empty());
  EXPECT_TRUE(lldp.one_sided.empty());
  EXPECT_EQ(lldp.unknown, (std::set<std::string>{"s0:eth2", "s1:eth8"}));
}

TEST_F(LldpTables, ThatDisagreeAreListed) {
  write("s0.json", table({seen("eth1", "s1", "eth7"), seen("eth2", "s2", "eth1")}));
  write("s1.json", table({seen("eth7", "s2", "eth2")}));
  write("s2.json", table({seen("eth2", "s1", "eth7")}));
  for (const char* interface : {"s0:eth1", "s1:eth7", "s2:eth2"}) count(interface);
  const LldpMapping lldp = proposed();
  EXPECT_EQ(rows(lldp), "interface,from,to\ns1:eth7,s1,s2\ns2:eth2,s2,s1\n");
  EXPECT_EQ(lldp.disagreements,
            (std::vector<std::string>{"s0:eth1 sees s1:eth7, which sees s2:eth2",
                                      "s0:eth2 sees s2:eth1, which sees nobody"}));
}

TEST_F(LldpTables, NameThePortsToo) {
  write("s0.json", table({seen("eth1", "s1", "eth7")}));
  write("s1.json", table({seen("eth7", "s0", "eth2")}));
  count("s0:eth1");
  count("s1:eth7");
  const LldpMapping lldp = proposed();
  EXPECT_TRUE(lldp.mapping.empty());
  EXPECT_EQ(lldp.disagreements,
            (std::vector<std::string>{"s0:eth1 sees s1:eth7, which sees s0:eth2",
                                      "s1:eth7 sees s0:eth2, which sees nobody"}));
}

TEST_F(LldpTables, OfOneEndAreBelieved) {
  write("s0.json", R"({"lldp":{"interface":)" + seen("eth1", "s1", "eth7") + "}}");
  count("s0:eth1");
  const LldpMapping lldp = proposed();
  EXPECT_EQ(rows(lldp), "interface,from,to\ns0:eth1,s0,s1\n");
  EXPECT_EQ(lldp.one_sided, std::vector<std::string>{"s0:eth1"});
}

TEST_F(LldpTables, AreWalked) {
  write("walks.txt",
        "# 1704067200 s0\n"
        "LLDP-MIB::lldpLocPortId.3 = STRING: \"eth1\"\n"
        "LLDP-MIB::lldpRemPortId.0.3.1 = Hex-STRING: 00 00 5E 00 53 07 \n"
        "LLDP-MIB::lldpRemPortDesc.0.3.1 = STRING: \"eth7\"\n"
        "LLDP-MIB::lldpRemSysName.0.3.1 = STRING: \"s1\"\n"
        "LLDP-MIB::lldpRemSysDesc.0.3.1 = STRING: \"text of\nseveral lines\"\n"
        "# 1704067201 s1\n"
        ".1.0.8802.1.1.2.1.4.1.1.7.500.12.4 = STRING: \"eth1\"\n"
        "iso.0.8802.1.1.2.1.4.1.1.9.500.12.4 = STRING: \"s0\"\n"
        "iso.0.8802.1.1.2.1.3.7.1.4.12 = STRING: \"eth7\"\n");
  count("s0:eth1");
  count("s1:eth7");
  const LldpMapping lldp = proposed();
  EXPECT_EQ(rows(lldp), "interface,from,to\ns0:eth1,s0,s1\ns1:eth7,s1,s0\n");
  EXPECT_TRUE(lldp.disagreements.empty()) << lldp.disagreements[0];
}

TEST_F(LldpTables, GiveParallelCablesToParallelLinks) {
  topology::GraphBuilder builder(2, 1, {{megabits_per_second(100)}});
  builder.connect(builder.switch_node(0), builder.host_node(0));
  for (int link = 0; link < 2; ++link)
    builder.connect(builder.switch_node(0), builder.switch_node(1));
  graph_ = std::move(builder).build({});
  write("s0.json", table({seen("eth10", "s1", "a"), seen("eth9", "s1", "b")}));
  write("s1.json", table({seen("a", "s0", "eth10"), seen("b", "s0", "eth9")}));
  for (const char* interface : {"s0:eth10", "s0:eth9", "s1:a", "s1:b"}) count(interface);
  EXPECT_EQ(rows(proposed()),
            "interface,from,to\ns0:eth10,s0,s1.2\ns0:eth9,s0,s1.1\ns1:a,s1,s0.2\ns1:b,s1,s0.1\n");
  write("s0.json",
        table({seen("eth10", "s1", "a"), seen("eth9", "s1", "b"), seen("e", "s1", "c")}));
  write("s1.json",
        table({seen("a", "s0", "eth10"), seen("b", "s0", "eth9"), seen("c", "s0", "e")}));
  const LldpMapping many = proposed();
  EXPECT_TRUE(many.mapping.empty());
  EXPECT_EQ(many.disagreements,
            std::vector<std::string>{"s0 and s1 are connected 3 times, and by 2 "
                                     "links of the network"});
}

TEST_F(LldpTables, OfStrangersSaySo) {
  write("s0.json", table({seen("eth1", "leaf-01", "eth7")}));
  EXPECT_EQ(proposed().disagreements,
            std::vector<std::string>{"no neighbour is a node of the network, such as 'leaf-01'"});
}

TEST_F(LldpTables, StandBesideRows) {
  write("s0.json", table({}));
  write("rows.csv", "interface,from,to\ns0:eth1,s0,s1\n");
  write("more.csv", "interface,from,to\ns0:eth2,s0,s2\n");
  const auto files = read_mappings({folder_.string()}, graph_);
  ASSERT_TRUE(files) << to_string(files.error());
  EXPECT_EQ(files->rows.size(), 2U);
  EXPECT_EQ(files->devices.size(), 1U);
  write("more.csv", "interface,from,to\ns0:eth1,s0,s2\n");
  EXPECT_EQ(read_mappings({folder_.string()}, graph_).error()[0].message,
            "'s0:eth1' is in another file, too");
}

TEST_F(LldpTables, TurnOffNames) {
  count("s0:3");
  count("s1:3");
  const auto mapping = propose(loads_, graph_, {}, {"s0:3"});
  ASSERT_TRUE(mapping);
  EXPECT_FALSE(mapping->contains("s0:3"));
  EXPECT_TRUE(mapping->contains("s1:3"));
}

}  // namespace
}  // namespace ebb::counters
