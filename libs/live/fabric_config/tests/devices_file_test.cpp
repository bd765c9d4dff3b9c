// SPDX-License-Identifier: Apache-2.0
#include "ebb/fabric_config/devices_file.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ebb::fabric_config {
namespace {

const std::string kVersion = "schema_version: 1\n";

std::string mistakes(const std::string& text, std::uint32_t switches = 2) {
  const auto file = read_devices_text(kVersion + text, "d.yaml", switches);
  return file ? "" : to_string(file.error());
}

TEST(DevicesFile, HasAnAddressOfEachSwitch) {
  const auto file =
      read_devices_text(kVersion +
                            "interfaces: Ethernet\nsnmp: {community_file: c}\n"
                            "switches: {s1: 'udp:192.0.2.2:161', s0: 'udp:192.0.2.1:161'}\n",
                        "d.yaml", 2);
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_EQ(file->addresses, (std::vector<std::string>{"udp:192.0.2.1:161", "udp:192.0.2.2:161"}));
  EXPECT_EQ(file->interfaces, "Ethernet");
  EXPECT_EQ(file->snmp->community_file, "c");
  EXPECT_FALSE(file->gnmi);
}

TEST(DevicesFile, KnowsUsersAndCertificates) {
  const auto file = read_devices_text(
      kVersion +
          "snmp: {user: ebb, authentication_file: a, privacy_file: p, hash: sha256}\n"
          "gnmi: {certificate: c.pem, key: k.pem, ca: a.pem, values: json_ietf}\n"
          "switches: {s0: 'tls:192.0.2.1:9339'}\n",
      "d.yaml", 1);
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_EQ(file->snmp->user, "ebb");
  EXPECT_EQ(file->snmp->privacy_file, "p");
  EXPECT_TRUE(file->snmp->sha256);
  EXPECT_EQ(file->gnmi->authority, "a.pem");
  EXPECT_TRUE(file->gnmi->json_ietf);
  EXPECT_EQ(file->interfaces, "p");
}

TEST(DevicesFile, SaysAllMistakesAtOnce) {
  const std::string said = mistakes(
      "interface: p\nsnmp: {user: ebb, authentication_file: a}\nswitches: {s0: a, s7: b}\n");
  for (const std::string part : {"d.yaml:2:", "did you mean 'interfaces'", "privacy_file",
                                 "unknown switch 's7'", "s1 has no address"})
    EXPECT_NE(said.find(part), std::string::npos) << part << " in\n" << said;
}

TEST(DevicesFile, RefusesACommunityAndAUserTogether) {
  EXPECT_NE(mistakes("snmp: {community_file: c, user: ebb}\nswitches: {s0: a, s1: b}\n"), "");
  EXPECT_EQ(mistakes("snmp: {community_file: c}\nswitches: {s0: a, s1: b}\n"), "");
}

}  // namespace
}  // namespace ebb::fabric_config
