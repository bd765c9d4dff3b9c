// SPDX-License-Identifier: Apache-2.0
#include "ebb/fabric_config/fabric_file.hpp"

#include "support/corpus.hpp"
#include "support/malformed.hpp"

#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

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

// What fits on a machine is asked of test fabrics alone: 400 hosts at 400 Gb/s
// are no test fabric, and a name may have 40 letters.
TEST(FabricFile, SwitchesElsewhereMayBeManyAndFast) {
  const std::string name(40, 'x');
  const std::string text = "schema_version: 1\nname: " + name +
                           "\ntopology: {family: clos, ports: 48, levels: 2, hosts: 400, "
                           "down: 40, rates: [400Gb/s]}\n";
  const auto elsewhere = read_fabric_text(text, "f.yaml");
  ASSERT_TRUE(elsewhere) << to_string(elsewhere.error());
  EXPECT_EQ(elsewhere->graph.host_count(), 400U);
  EXPECT_EQ(elsewhere->name, name);
  const auto here = read_fabric_text(text, "f.yaml", Site::test_fabric);
  ASSERT_FALSE(here);
  EXPECT_NE(to_string(here.error()).find("400 hosts; a test fabric has at most 256"),
            std::string::npos);
}

TEST(FabricFile, AControllerHasAnEnd) {
  const auto file = read_fabric_text(
      "schema_version: 1\nname: huge\ntopology: {family: complete, switches: 2, hosts: 40000}\n",
      "f.yaml");
  ASSERT_FALSE(file);
  EXPECT_NE(to_string(file.error()).find("80000 hosts; a controller has at most 65535"),
            std::string::npos);
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

const std::string kVersion = "schema_version: 1\n";

const std::vector<std::string> kTwo = {"s0", "s1"};

std::string errors_of(const std::string& text, const std::vector<std::string>& switches = kTwo) {
  const auto file = read_devices_text(kVersion + text, "d.yaml", switches);
  return file ? "" : to_string(file.error());
}

TEST(DevicesFile, HasAnAddressOfEachSwitch) {
  const auto file =
      read_devices_text(kVersion +
                            "interfaces: Ethernet\nsnmp: {community_file: c}\n"
                            "switches: {s1: 'udp:192.0.2.2:161', s0: 'udp:192.0.2.1:161'}\n",
                        "d.yaml", kTwo);
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_EQ(file->addresses, (std::vector<std::string>{"udp:192.0.2.1:161", "udp:192.0.2.2:161"}));
  EXPECT_EQ(file->interfaces, "Ethernet");
  EXPECT_EQ(file->snmp->community_file, "c");
  EXPECT_FALSE(file->gnmi);
}

// Switches of a graph file have names of their own, of any length.
TEST(DevicesFile, KnowsSwitchesByTheirNamesOrNumbers) {
  const std::vector<std::string> names = {"leaf-frankfurt-west-row-17-rack-4", "spine1"};
  const auto file = read_devices_text(kVersion +
                                          "snmp: {community_file: c}\nswitches: "
                                          "{leaf-frankfurt-west-row-17-rack-4: 'udp:a', s1: b}\n",
                                      "d.yaml", names);
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_EQ(file->addresses, (std::vector<std::string>{"udp:a", "b"}));
  EXPECT_NE(errors_of("switches: {spine2: a, s0: b, spine1: c, s1: d}\n", names)
                .find("unknown switch 'spine2'; did you mean 'spine1'?"),
            std::string::npos);
  EXPECT_NE(errors_of("switches: {s0: b, spine1: c, s1: d}\n", names)
                .find("spine1 has an address already"),
            std::string::npos);
}

TEST(DevicesFile, KnowsUsersAndCertificates) {
  const auto file = read_devices_text(
      kVersion +
          "snmp: {user: ebb, authentication_file: a, privacy_file: p, hash: sha256}\n"
          "gnmi: {certificate: c.pem, key: k.pem, ca: a.pem, values: json_ietf}\n"
          "switches: {s0: 'tls:192.0.2.1:9339'}\n",
      "d.yaml", std::vector<std::string>{"s0"});
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_EQ(file->snmp->user, "ebb");
  EXPECT_EQ(file->snmp->privacy_file, "p");
  EXPECT_TRUE(file->snmp->sha256);
  EXPECT_EQ(file->gnmi->authority, "a.pem");
  EXPECT_TRUE(file->gnmi->json_ietf);
  EXPECT_EQ(file->interfaces, "p");
}

TEST(DevicesFile, SaysAllMistakesAtOnce) {
  const std::string said = errors_of(
      "interface: p\nsnmp: {user: ebb, authentication_file: a}\nswitches: {s0: a, s7: b}\n");
  for (const std::string part : {"d.yaml:2:", "did you mean 'interfaces'", "privacy_file",
                                 "unknown switch 's7'", "s1 has no address"})
    EXPECT_NE(said.find(part), std::string::npos) << part << " in\n" << said;
}

TEST(DevicesFile, RefusesACommunityAndAUserTogether) {
  EXPECT_NE(errors_of("snmp: {community_file: c, user: ebb}\nswitches: {s0: a, s1: b}\n"), "");
  EXPECT_EQ(errors_of("snmp: {community_file: c}\nswitches: {s0: a, s1: b}\n"), "");
}

Result<std::vector<controller::PairAmount>> read(const std::string& text) {
  static const topology::Graph graph =
      *topology::build("complete", {{"switches", "2"}, {"hosts", "2"}}, {megabits_per_second(100)});
  return read_traffic_matrix_text(text, "m.csv", graph);
}

TEST(ATrafficMatrix, SaysWhoSendsHowMuchToWhom) {
  EXPECT_EQ(*read("# a run\nfrom,to,amount\n\nh0,h3,2kB\r\nh3,h0,1MB"),
            (std::vector<controller::PairAmount>{{0, 3, bytes(2000)}, {3, 0, bytes(1'000'000)}}));
}

TEST(ATrafficMatrix, SaysEveryMistakeWithItsPlace) {
  const auto wrong = read("from,to,amount\nh0,h33,1kB\nh1,h1,1kB\nh0,h2,5\nh0,h1\nh0,h2,1kB,1\n");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().size(), 5U);
  EXPECT_EQ(wrong.error()[0].where.line, 2);
  EXPECT_EQ(wrong.error()[0].where.column, 4);
  EXPECT_EQ(wrong.error()[0].message, "there is no host 'h33'; did you mean 'h3'?");
  EXPECT_EQ(wrong.error()[2].where.column, 7);
}

TEST(ATrafficMatrix, HasAHeader) {
  EXPECT_FALSE(read(""));
  EXPECT_FALSE(read("h0,h1,1kB\n"));
}

// One of them names a graph file that is not there.
bool replay_devices(const std::string& text) {
  return read_devices_text(text, "corpus.yaml", kTwo).has_value();
}

bool replay_fabric(const std::string& text) {
  return read_fabric_text(text, "corpus.yaml", Site::test_fabric).has_value();
}

Errors errors_of_file(const std::string& path) {
  const auto fabric = read_fabric(path, Site::test_fabric);
  return fabric ? Errors{{"accepted", {}}} : fabric.error();
}

TEST(MalformedFabrics, AreRefusedWithWhatIsWrong) {
  test::check_malformed("fabrics", errors_of_file, 6);
}

// The counts keep a reader from passing by refusing everything.
TEST(Corpus, DevicesFilesAreAnswered) {
  EXPECT_GE(test::replay_corpus("devices", replay_devices), 2);
}
TEST(Corpus, FabricFilesAreAnswered) { EXPECT_GE(test::replay_corpus("fabric", replay_fabric), 2); }

Result<FabricFile> with_power(const std::string& section) {
  return read_fabric_text(
      "schema_version: 1\nname: tour\ntopology: {family: clos, ports: 6, levels: 2, hosts: 18}\n"
      "switch_power: " +
          section + "\n",
      "f.yaml");
}

Result<FabricFile> with_safety(const std::string& section) {
  return read_fabric_text(
      "schema_version: 1\nname: tour\ntopology: {family: fbfly, hosts: 2, dims: 3x3}\nsafety: " +
          section + "\n",
      "f.yaml");
}

TEST(FabricFile, WakesLinksHalfWayBetweenTheLimitOfDetoursAndFull) {
  EXPECT_DOUBLE_EQ(with_safety("{}")->safety.wake_detour_utilisation, 0.75);
  EXPECT_DOUBLE_EQ(with_safety("{max_detour_utilisation: 80%}")->safety.wake_detour_utilisation,
                   0.9);
  const auto both = with_safety("{max_detour_utilisation: 60%, wake_detour_utilisation: 70%}");
  EXPECT_DOUBLE_EQ(both->safety.max_detour_utilisation, 0.6);
  EXPECT_DOUBLE_EQ(both->safety.wake_detour_utilisation, 0.7);
}

TEST(FabricFile, WakesNoLinkByALoadWithWhichItMaySleep) {
  const auto file = with_safety("{wake_detour_utilisation: 40%}");
  ASSERT_FALSE(file);
  EXPECT_NE(to_string(file.error()).find("4:35: error: must be at least max_detour_utilisation"),
            std::string::npos)
      << to_string(file.error());
}

TEST(FabricFile, GivesADrainTheTimeOfTwoReadings) {
  EXPECT_TRUE(with_safety("{counter_interval: 950ms}"));
  EXPECT_TRUE(with_safety("{counter_interval: 1s, drain_limit: 2100ms}"));
  const auto file = with_safety("{counter_interval: 1s, drain_limit: 2050ms}");
  ASSERT_FALSE(file);
  EXPECT_NE(to_string(file.error())
                .find("4:45: error: no link could go to sleep: drain_limit must be more than two "
                      "counter_intervals and drain_idle, 2.05s"),
            std::string::npos)
      << to_string(file.error());
  EXPECT_FALSE(with_safety("{drain_idle: 1800ms}"));
}

TEST(FabricFile, SaysWhatSwitchesThePowerOfSwitches) {
  EXPECT_FALSE(with_power("{driver: testbed}")->switch_power->outlets.contains(0));
  const auto file = with_power(
      "{driver: snmp, start_limit: 3min, snmp: {community_file: c}, outlets: {s6: {address: "
      "'udp:192.0.2.9:161', object: 1.3.6.1.4.1.318.1.1.4.4.2.1.3.5, on: 4, off: 5}}}");
  ASSERT_TRUE(file) << to_string(file.error());
  const SwitchPowerSpec& power = *file->switch_power;
  EXPECT_EQ(power.start_limit, std::chrono::minutes(3));
  ASSERT_TRUE(power.outlets.contains(6));
  EXPECT_EQ(power.outlets.at(6).object.size(), 15U);
  EXPECT_EQ(power.outlets.at(6).object.back(), 5U);
  EXPECT_EQ(power.outlets.at(6).on, 4);
  const auto gnmi =
      with_power("{driver: gnmi, outlets: {s7: {address: 'unix:/g', component: card1}}}");
  ASSERT_TRUE(gnmi) << to_string(gnmi.error());
  EXPECT_EQ(gnmi->switch_power->outlets.at(7).component, "card1");
}

TEST(FabricFile, SaysWhetherThePolicyDrainsSwitches) {
  EXPECT_FALSE(with_power("{driver: testbed}")->switch_power->by_policy);
  EXPECT_FALSE(with_power("{driver: testbed, drained_by: operators}")->switch_power->by_policy);
  const auto file =
      with_power("{driver: testbed, drained_by: policy, min_off_time: 5s, min_use_time: 10min}");
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_TRUE(file->switch_power->by_policy);
  EXPECT_EQ(file->switch_power->min_off_time, std::chrono::seconds(5));
  EXPECT_EQ(file->switch_power->min_use_time, std::chrono::minutes(10));
  const auto leaf = with_power(
      "{driver: gnmi, drained_by: policy, outlets: {s0: {address: 'unix:/g', component: c}}}");
  ASSERT_FALSE(leaf);
  EXPECT_NE(to_string(leaf.error()).find("no switch without hosts has an outlet"),
            std::string::npos)
      << to_string(leaf.error());
  const auto wrong = with_power("{driver: testbed, drained_by: nobody, min_off_time: 25h}");
  ASSERT_FALSE(wrong);
  for (const char* what : {"nobody", "at most 24 h"})
    EXPECT_NE(to_string(wrong.error()).find(what), std::string::npos) << to_string(wrong.error());
}

TEST(FabricFile, AllMistakesOfSwitchPowerAreToldAtOnce) {
  const auto file = with_power(
      "{driver: snmp, start_limit: 0s, outlets: {s66: {address: a, object: 1.3}, s7: {address: a, "
      "object: 1..3}, s8: {object: 1.3, on: 2, off: 2}}, volts: 3}");
  ASSERT_FALSE(file);
  const std::string text = to_string(file.error());
  for (const char* what : {"s66", "'1..3' is no object identifier", "address",
                           "'on' and 'off' must differ", "between 1 s and 1 h", "volts", "snmp"})
    EXPECT_NE(text.find(what), std::string::npos) << what << " in:\n" << text;
}

}  // namespace
}  // namespace ebb::fabric_config
