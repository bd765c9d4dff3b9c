// SPDX-License-Identifier: Apache-2.0
//
// The files of a live fabric: the fabric itself, where its switches are managed, and a traffic
// matrix. Every reader reports all errors of a file at once, each with its place.
//
// The fabric file; docs/fabric/reference.md lists the keys:
//
//   schema_version: 1
//   name: tour
//   topology: {family: fbfly, hosts: 2, dims: 3x3, rates: [1Mb/s, 10Mb/s, 100Mb/s]}
//   policy: {name: stages, period: 500ms}
//   parts: {switch: cisco-nexus-9336c-fx2, setup: 100G LR}
//   safety: {min_awake_time: 2s}
#pragma once

#include "ebb/controller/link_regulation.hpp"
#include "ebb/controller/safety.hpp"
#include "ebb/core/result.hpp"
#include "ebb/files/sections.hpp"
#include "ebb/files/topology_file.hpp"
#include "ebb/topology/graph.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::fabric_config {

// How devices are reached (sections `snmp` and `gnmi`). Files are named, not read.
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

// What switches whole switches on and off (section `switch_power`). Switches that have no outlet
// here are only drained.
struct SwitchPowerSpec {
  struct Outlet {
    std::string address;                // of what has the outlet
    std::vector<std::uint32_t> object;  // SNMP: what is set, to `on` or `off`
    std::int64_t on = 1;
    std::int64_t off = 2;
    std::string component;  // gNMI
  };

  std::string driver;  // "testbed", "snmp", "gnmi"
  Duration start_limit = std::chrono::seconds(60);
  bool by_policy = false;  // and not by operators alone
  Duration min_off_time = std::chrono::seconds(60);
  Duration min_use_time = std::chrono::seconds(300);
  std::map<std::uint32_t, Outlet> outlets = {};  // by switch; none with "testbed"
  std::optional<SnmpAccess> snmp = std::nullopt;
  std::optional<GnmiAccess> gnmi = std::nullopt;
  int line = 0;
};

struct FabricFile {
  std::string path;  // of the file itself
  std::string name;  // begins the names of everything that is made
  files::TopologySpec topology;
  topology::Graph graph;  // of that topology
  files::Named policy;
  std::string switch_part;  // a box; empty: watts are not known
  std::string setup;        // of its ports; empty: its first
  controller::Safety safety;
  std::optional<SwitchPowerSpec> switch_power = std::nullopt;

  // Where sections begin, for errors that show when they are put to use; 0: not in the file.
  struct Lines {
    int topology = 0;
    int policy = 0;
    int parts = 0;
  } lines;
};

// Where the switches are. A test fabric has to fit on this machine (testbed::validate_graph);
// switches elsewhere are as many and as fast as they are, up to kMostHosts.
enum class Site : std::uint8_t { elsewhere, test_fabric };
inline constexpr std::int64_t kMostHosts = 65'535;  // pairs of them are counted in 32 bits

[[nodiscard]] Result<FabricFile> read_fabric(const std::string& path, Site site = Site::elsewhere);
// `file` is named in errors, and graph files are looked for beside it.
[[nodiscard]] Result<FabricFile> read_fabric_text(std::string_view text, const std::string& file,
                                                  Site site = Site::elsewhere);

// The `safety` section by itself; errors carry the key.
[[nodiscard]] Result<controller::Safety> read_safety_text(std::string_view text);

// The devices file: where switches are managed; docs/fabric/drivers.md lists the keys. Secrets are
// in files of their own.
//
//   schema_version: 1
//   interfaces: Ethernet
//   snmp: {user: ebb, authentication_file: /etc/ebb/authentication, privacy_file: /etc/ebb/privacy}
//   switches: {s0: 'udp:192.0.2.10:161', s1: 'udp:192.0.2.11:161'}

struct DevicesFile {
  std::string interfaces = "p";  // before the number of a port in the name of its interface
  std::optional<SnmpAccess> snmp;
  std::optional<GnmiAccess> gnmi;
  std::vector<std::string> addresses;  // by switch
};

// Of a fabric with these switches: each has an address, under its name or as s0, s1 and so on.
[[nodiscard]] Result<DevicesFile> read_devices(const std::string& path,
                                               std::span<const std::string> switches);
// `file` is named in errors.
[[nodiscard]] Result<DevicesFile> read_devices_text(std::string_view text, const std::string& file,
                                                    std::span<const std::string> switches);

// The traffic matrix: what hosts send to each other over a run, as a CSV file with a header; a pair
// may come more than once. Lines that begin with # are comments.
//
//   from,to,amount
//   h0,h2,300MB

[[nodiscard]] Result<std::vector<controller::PairAmount>> read_traffic_matrix(
    const std::string& path, const topology::Graph& graph);
// `file` is named in errors.
[[nodiscard]] Result<std::vector<controller::PairAmount>> read_traffic_matrix_text(
    std::string_view text, const std::string& file, const topology::Graph& graph);

}  // namespace ebb::fabric_config
