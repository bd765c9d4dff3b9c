// SPDX-License-Identifier: Apache-2.0
//
// What the runtime makes of files and names before it speaks to a switch.
#include "ebb/runtime/check.hpp"

#include "support/temporary_folder.hpp"

#include "ebb/runtime/description.hpp"
#include "ebb/runtime/records.hpp"
#include "ebb/runtime/regulate.hpp"
#include "ebb/runtime/switch_access.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace ebb::runtime {
namespace {

constexpr const char* kTriangle =
    "schema_version: 1\nname: triangle\n"
    "topology: {family: complete, switches: 3, hosts: 1}\n";

Result<power::Library> no_parts() { return power::Library{}; }

class Files : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_.file(name)) << text;
    return folder_.file(name);
  }
  [[nodiscard]] Result<FabricCheck> check(const std::string& text) {
    return check_fabric({.file = write("fabric.yaml", text)}, no_parts);
  }
  // All errors of a file that cannot be run.
  [[nodiscard]] std::string errors_of(const std::string& text) {
    const auto checked = check(text);
    return checked ? "" : to_string(checked.error());
  }

  test::TemporaryFolder folder_;
};

TEST_F(Files, CheckSaysWhatAFabricWillBe) {
  const auto checked = check(kTriangle);
  ASSERT_TRUE(checked) << to_string(checked.error());
  EXPECT_TRUE(checked->flaws.empty());
  const auto& report = checked->report;
  EXPECT_EQ(report["switches"], 3);
  EXPECT_EQ(report["hosts"], 3);
  EXPECT_EQ(report["tables"]["pairs_reached"], 6);  // ordered pairs of three hosts
  EXPECT_EQ(report["sleep"]["links_between_switches"], 3);
  EXPECT_EQ(report["sleep"]["may_sleep"], nlohmann::ordered_json::array({"s1-s2"}));
  EXPECT_TRUE(report["modelled"].is_null()) << "the file names no switch";
}

TEST_F(Files, CheckFindsAllMistakesAtOnce) {
  const std::string errors = errors_of(std::string(kTriangle) +
                                       "policy: {name: shutdown}\n"
                                       "parts: {switch: no-such-switch}\n");
  EXPECT_NE(errors.find("fabric.yaml:4"), std::string::npos) << errors;  // the policy
  EXPECT_NE(errors.find("fabric.yaml:5"), std::string::npos) << errors;  // the part
  EXPECT_NE(errors.find("no-such-switch"), std::string::npos) << errors;
  EXPECT_NE(errors_of("schema_version: 1\nname: x\ntopology: {family: donut}\n"), "");
  EXPECT_FALSE(check_fabric({.file = folder_.file("none.yaml")}, no_parts));
}

TEST_F(Files, CheckSaysThatBothEndsOfALinkSeldomAgree) {
  const auto remarks = [this](const std::string& policy) {
    const auto checked = check(kTriangle + ("policy: {name: consolidate" + policy + "}\n"));
    return checked ? checked->report["remarks"].dump() : to_string(checked.error());
  };
  EXPECT_NE(remarks("").find("channels: paired"), std::string::npos) << remarks("");
  EXPECT_EQ(remarks(", channels: paired"), "[]");
}

// A live link sleeps in both directions; a pair of switches has no detour; one rate is no choice.
// always-on wants nothing.
TEST_F(Files, CheckRefusesAPolicyThatCanChangeNothing) {
  const std::string pair =
      "schema_version: 1\nname: pair\ntopology: {family: complete, switches: 2, hosts: 1}\n";
  const std::string one_rate =
      "schema_version: 1\nname: one\n"
      "topology: {family: complete, switches: 3, hosts: 1, rates: [1Gb/s]}\n";
  const auto refused = [this](const std::string& text, const std::string& policy) {
    return errors_of(text + "policy: {name: " + policy + "}\n");
  };
  EXPECT_NE(refused(pair, "on-demand, idle: 1s")
                .find("fabric.yaml:4: error: 'on-demand' can change nothing here"),
            std::string::npos)
      << refused(pair, "on-demand, idle: 1s");
  EXPECT_NE(
      refused(kTriangle, "shutdown")
          .find("; policies that can: always-slowest, epoch, on-demand, periodic, perf-bound, "
                "latency-budget, history, stages, consolidate, power-cap, dvs"),
      std::string::npos)
      << refused(kTriangle, "shutdown");
  EXPECT_NE(
      refused(one_rate, "history, low_power_state: slowest")
          .find("; policies that can: on-demand, periodic, perf-bound, latency-budget, history, "
                "stages"),
      std::string::npos)
      << refused(one_rate, "history, low_power_state: slowest");
  EXPECT_EQ(refused(kTriangle, "on-demand, idle: 1s"), "");
  EXPECT_NE(refused(pair, "stages").find("no link may sleep"), std::string::npos);
  EXPECT_NE(refused(one_rate, "epoch").find("one rate"), std::string::npos);
  EXPECT_EQ(refused(kTriangle, "stages"), "");
  EXPECT_EQ(refused(pair, "epoch"), "");
  EXPECT_EQ(refused(one_rate, "always-on"), "");
}

// A policy that never asks for whole links to sleep never asks for switches.
TEST_F(Files, CheckRefusesToLeaveSwitchesToAPolicyThatLetsNoLinkSleep) {
  const std::string leaf_spine =
      "schema_version: 1\nname: ls\ntopology: {family: clos, ports: 8, levels: 2, hosts: 12}\n"
      "switch_power: {driver: testbed, drained_by: policy}\npolicy: {name: ";
  for (const char* policy : {"always-on", "on-demand, idle: 1s"}) {
    const std::string errors = errors_of(leaf_spine + policy + "}\n");
    EXPECT_NE(errors.find("fabric.yaml:5"), std::string::npos) << errors;
    EXPECT_NE(errors.find("never asks for whole links to sleep"), std::string::npos) << errors;
  }
  EXPECT_EQ(errors_of(leaf_spine + "stages}\n"), "");
}

// Three leaves with a host each and two spines, as a graph file without a family; the cables
// between leaves and spines are given as "leaf spine" pairs.
std::string drawn(const std::vector<std::pair<int, int>>& cables) {
  std::string text =
      "schema_version: 1\nswitches: [spine-a, leaf-of-a-long-name, leaf-2, spine-b, leaf-3]\n"
      "hosts: 3\nrate_tables: [[10Gb/s]]\nlinks:\n";
  const std::vector<std::string> leaves = {"leaf-of-a-long-name", "leaf-2", "leaf-3"};
  const std::vector<std::string> spines = {"spine-a", "spine-b"};
  for (std::size_t l = 0; l < leaves.size(); ++l)
    text += "  - {a: h" + std::to_string(l) + ", b: " + leaves[l] + "}\n";
  for (const auto& [leaf, spine] : cables)
    text += "  - {a: " + leaves.at(static_cast<std::size_t>(leaf)) +
            ", b: " + spines.at(static_cast<std::size_t>(spine)) + "}\n";
  return text;
}

constexpr const char* kDrawn = "schema_version: 1\nname: drawn\ntopology: {graph: graph.yaml}\n";

// Of 6 links 3 may sleep, one from each leaf stays: as many as theory allows.
TEST_F(Files, CheckRecognisesALeafSpine) {
  write("graph.yaml", drawn({{0, 0}, {0, 1}, {1, 1}, {1, 0}, {2, 0}, {2, 1}}));
  const auto checked = check(kDrawn);
  ASSERT_TRUE(checked) << to_string(checked.error());
  EXPECT_TRUE(checked->flaws.empty()) << to_string(checked->flaws);
  const auto& report = checked->report;
  EXPECT_EQ(report["recognised"],
            "leaf-spine of 3 leaves and 2 spines, 1 link from each leaf to each spine");
  EXPECT_EQ(report["tables"]["single_failures_survived"], 6);
  EXPECT_EQ(report["sleep"]["could_sleep_in_theory"], 3);
  EXPECT_EQ(report["sleep"]["may_sleep"],
            nlohmann::ordered_json::array(
                {"leaf-of-a-long-name-spine-b", "leaf-2-spine-b", "leaf-3-spine-b"}));
}

// Without the cable of leaf-3 to spine-b it is no leaf-spine. The other leaves still have two ways
// to each other, which their tables do not have: that fails. The one cable of leaf-3 is nobody's
// fault but the network's.
TEST_F(Files, CheckFailsWhereTablesHaveASinglePointOfFailureThatTheNetworkHasNot) {
  write("graph.yaml", drawn({{0, 0}, {0, 1}, {1, 1}, {1, 0}, {2, 0}}));
  const auto checked = check(kDrawn);
  ASSERT_TRUE(checked) << to_string(checked.error());
  ASSERT_EQ(checked->flaws.size(), 1U) << to_string(checked->flaws);
  const std::string flaw = to_string(checked->flaws);
  EXPECT_NE(flaw.find("fabric.yaml:3"), std::string::npos) << flaw;
  EXPECT_NE(flaw.find("of 5 links are single points of failure of the tables"), std::string::npos);
  EXPECT_EQ(flaw.find("leaf-3"), std::string::npos) << flaw;
  const auto accepted = check(std::string(kDrawn) + "safety: {single_points_of_failure: accept}\n");
  ASSERT_TRUE(accepted);
  EXPECT_TRUE(accepted->flaws.empty());
  EXPECT_FALSE(accepted->report["remarks"].empty());
  EXPECT_TRUE(accepted->report["recognised"].is_null());
}

TEST_F(Files, CheckReadsTheDevicesToo) {
  const std::string file = write("fabric.yaml", kTriangle);
  const std::string devices = write("devices.yaml", "schema_version: 1\nswitches: {}\n");
  EXPECT_FALSE(check_fabric({.file = file, .ports = "snmp", .devices = devices}, no_parts));
  EXPECT_TRUE(check_fabric({.file = file}, no_parts));
}

TEST_F(Files, DescribeGivesEverySwitchATable) {
  const auto file = fabric_config::read_fabric(write("fabric.yaml", kTriangle));
  ASSERT_TRUE(file) << to_string(file.error());
  const auto made = describe(*file);
  ASSERT_TRUE(made) << to_string(made.error());
  ASSERT_EQ(made->tables.size(), 3U);
  for (const auto& table : made->tables) EXPECT_FALSE(table.rules.empty());
}

TEST_F(Files, AFabricOfTheExamplesHasWatts) {
  const std::string file = std::string(EBB_SOURCE_DIR) + "/examples/fabric-3x3.yaml";
  const auto without = check_fabric({.file = file}, no_parts);
  ASSERT_FALSE(without) << "there are no parts";
  EXPECT_NE(to_string(without.error()).find("cisco-nexus-9336c-fx2"), std::string::npos);
}

TEST_F(Files, LinksHaveNames) {
  const auto file = fabric_config::read_fabric(write("fabric.yaml", kTriangle));
  const topology::Graph& graph = file->graph;
  EXPECT_EQ(links_between_switches(graph), 3U);
  for (std::uint32_t which = 0; which < graph.link_count(); ++which) {
    const topology::LinkId link{which};
    EXPECT_EQ(topology::link_named(graph, topology::link_name(graph, link)), link);
  }
  EXPECT_EQ(topology::link_named(graph, "s0-s9"), std::nullopt);
}

TEST_F(Files, ALayoutHasAddressesThatFollowFromEachOther) {
  const auto layout = layout_of(write("fabric.yaml", kTriangle));
  ASSERT_TRUE(layout) << to_string(layout.error());
  const auto json = layout_json(*layout);
  ASSERT_EQ(json["switches"].size(), 3U);
  EXPECT_EQ(json["switches"][2]["datapath_id"], 3);
  EXPECT_EQ(json["cables"].size(), 6U);  // three between switches, three to hosts
  EXPECT_EQ(json["hosts"][0]["address"].get<std::string>().substr(0, 3), "10.");
  EXPECT_EQ(ipv4_text(0x0a000102), "10.0.1.2");
}

TEST_F(Files, ARegulationWithoutTrafficOpensEverything) {
  const std::string file = std::string(EBB_SOURCE_DIR) + "/examples/fabric-regulate.yaml";
  const auto parts = [] { return Result<power::Library>(power::Library{}); };
  std::ifstream in(file);
  std::string text((std::istreambuf_iterator<char>(in)), {});
  if (const auto at = text.find("parts:"); at != std::string::npos)  // the watts are not the point
    text.erase(at, text.find('\n', at) - at);
  const auto plan = plan_regulation({.file = write("regulate.yaml", text)}, parts);
  ASSERT_TRUE(plan) << to_string(plan.error());
  const auto report = regulation_json(*plan, std::nullopt);
  EXPECT_EQ(report["closed"], 0);
  EXPECT_GT(report["links"].get<int>(), 0);
  EXPECT_FALSE(report.contains("moved"));
  EXPECT_FALSE(plan_regulation({.file = folder_.file("none.yaml")}, parts));
}

TEST_F(Files, ASecretThatEveryoneMayReadIsRefused) {
  namespace fs = std::filesystem;
  const std::string secret = write("community", "hush\n");
  const std::string devices =
      write("devices.yaml", "schema_version: 1\nsnmp: {community_file: " + secret +
                                "}\nswitches: {s0: 'udp:192.0.2.1:161'}\n");
  FabricSite site{.state = {}, .fabric = "x", .switches = {"s0"}, .devices = devices};
  fs::permissions(secret, fs::perms::owner_read | fs::perms::others_read);
  const auto open = ports_by("snmp", site);
  ASSERT_FALSE(open);
  EXPECT_NE(to_string(open.error()).find("everyone may read"), std::string::npos)
      << to_string(open.error());
  fs::permissions(secret, fs::perms::owner_read);
  const auto plain = ports_by("snmp", site);
  ASSERT_FALSE(plain) << "the community goes to another machine in clear";
  EXPECT_NE(to_string(plain.error()).find("--insecure"), std::string::npos);
  site.insecure = true;
  const auto closed = ports_by("snmp", site);
  EXPECT_TRUE(closed) << to_string(closed.error());
  EXPECT_FALSE(ports_by("openflow", site)) << "--devices is for snmp and gnmi";
}

TEST_F(Files, PlainProtocolsAreForThisMachine) {
  const auto site = [&](const std::string& access, const std::string& address) {
    return FabricSite{
        .state = {},
        .fabric = "x",
        .switches = {"s0"},
        .devices = write("devices.yaml",
                         "schema_version: 1\n" + access + "\nswitches: {s0: '" + address + "'}\n")};
  };
  const std::string secret = write("community", "hush\n");
  std::filesystem::permissions(secret, std::filesystem::perms::owner_read);
  const std::string snmp = "snmp: {community_file: " + secret + "}";
  for (const char* here : {"udp:127.0.0.1:161", "127.0.0.1:161", "unix:/run/s0/snmp.sock"})
    EXPECT_TRUE(ports_by("snmp", site(snmp, here))) << here;
  for (const char* elsewhere : {"udp:192.0.2.1:161", "192.0.2.1", "switch.example:161", "127"})
    EXPECT_FALSE(ports_by("snmp", site(snmp, elsewhere))) << elsewhere;
#ifdef EBB_HAVE_GNMI
  EXPECT_TRUE(ports_by("gnmi", site("gnmi: {}", "tcp:127.0.0.1:9339")));
  EXPECT_FALSE(ports_by("gnmi", site("gnmi: {}", "tcp:192.0.2.1:9339")));
#endif
}

TEST(Listeners, AreLocalUnlessOtherwiseMeant) {
  EXPECT_TRUE(address_of({.listen = "tcp:127.0.0.1:6653", .tls = {}}));
  EXPECT_FALSE(address_of({.listen = "tcp:0.0.0.0:6653", .tls = {}}));
  RemoteListener plain{.listen = "tcp:0.0.0.0:6653", .tls = {}, .other_machines = true};
  const auto refused = address_of(plain);
  ASSERT_FALSE(refused) << "plain, to other machines";
  EXPECT_NE(to_string(refused.error()).find("--insecure"), std::string::npos);
  plain.insecure = true;
  EXPECT_TRUE(address_of(plain));
  EXPECT_FALSE(address_of({.listen = "ssl:127.0.0.1:6653", .tls = {}})) << "no certificates";
  EXPECT_FALSE(address_of({.listen = "unix:/tmp/x", .tls = {}}));
  const auto tls = parse_listen_address("ssl:127.0.0.1:6653");
  ASSERT_TRUE(tls);
  EXPECT_EQ(tls->kind, transport::Kind::tls);
}

TEST(MetricsAddress, IsThisMachineUnlessItSaysMore) {
  ASSERT_TRUE(metrics_address("9464"));
  EXPECT_EQ(to_text(*metrics_address("9464")), "tcp:127.0.0.1:9464");
  EXPECT_EQ(to_text(*metrics_address(":9464")), "tcp:127.0.0.1:9464");
  EXPECT_EQ(to_text(*metrics_address("192.0.2.1:9464")), "tcp:192.0.2.1:9464");
  EXPECT_FALSE(metrics_address("elsewhere"));
}

}  // namespace
}  // namespace ebb::runtime
