// SPDX-License-Identifier: Apache-2.0
//
// Where the switches of a fabric let themselves be managed, as a file; docs/fabric/drivers.md lists
// the keys. Secrets are in files of their own.
//
//   schema_version: 1
//   interfaces: Ethernet
//   snmp: {user: ebb, authentication_file: /etc/ebb/authentication, privacy_file: /etc/ebb/privacy}
//   switches: {s0: 'udp:192.0.2.10:161', s1: 'udp:192.0.2.11:161'}
#pragma once

#include "ebb/core/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::fabric_config {

// Files are named, not read.
struct SnmpAccess {
  std::string community_file;  // version 2c; empty: version 3, as the user
  std::string user;
  std::string authentication_file;
  std::string privacy_file;
  bool sha256 = false;  // else SHA-1
};

struct GnmiAccess {
  std::string certificate;  // PEM files, for addresses of tls
  std::string key;
  std::string authority;
  std::string modules;     // before the number of a port in the name of its module; empty: unknown
  bool json_ietf = false;  // how values are written; else as messages
};

struct DevicesFile {
  std::string interfaces = "p";  // before the number of a port in the name of its interface
  std::optional<SnmpAccess> snmp;
  std::optional<GnmiAccess> gnmi;
  std::vector<std::string> addresses;  // of switches s0, s1 and so on
};

// Of a fabric of so many switches: each has an address.
[[nodiscard]] Result<DevicesFile> read_devices(const std::string& path, std::uint32_t switches);
// `file` is named in errors.
[[nodiscard]] Result<DevicesFile> read_devices_text(std::string_view text, const std::string& file,
                                                    std::uint32_t switches);

}  // namespace ebb::fabric_config
