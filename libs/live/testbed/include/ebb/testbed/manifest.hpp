// SPDX-License-Identifier: Apache-2.0
//
// What a fabric consists of, as a file in its folder. It is there, whole, before the first thing is
// made, so whatever becomes of `ebb fabric up`, its fabric can be taken down.
//
//   STATE/NAME/lock            held while something is being made or removed
//   STATE/NAME/manifest.json
//   STATE/NAME/controller/     what a controller of the fabric writes
//   STATE/NAME/s0/             database, sockets and process ids of the daemons of switch s0
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/testbed/layout.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace ebb::testbed {

// Where fabrics are kept. Absolute: daemons do not share our working folder.
struct StateFolder {
  std::string path = "/run/ebb";

  [[nodiscard]] std::string fabric(const std::string& name) const { return path + "/" + name; }
  [[nodiscard]] std::string lock(const std::string& name) const { return fabric(name) + "/lock"; }
  [[nodiscard]] std::string manifest(const std::string& name) const {
    return fabric(name) + "/manifest.json";
  }
  [[nodiscard]] std::string controller(const std::string& name) const {
    return fabric(name) + "/controller";
  }
  [[nodiscard]] std::string control(const std::string& name) const {
    return controller(name) + "/control";
  }
  // By number, whatever the graph calls the switch.
  [[nodiscard]] std::string device(const std::string& name, std::size_t number) const {
    return fabric(name) + "/s" + std::to_string(number);
  }
};

// Where the SNMP agent of a switch listens, and the community that it knows.
inline constexpr const char* kSnmpCommunity = "ebb";
[[nodiscard]] inline std::string snmp_address(const std::string& device) {
  return "unix:" + device + "/snmp.sock";
}
// Where the gNMI target of a switch listens.
[[nodiscard]] inline std::string gnmi_address(const std::string& device) {
  return "unix:" + device + "/gnmi.sock";
}

struct Manifest {
  struct Member {
    std::string name;   // in the graph
    std::string space;  // its network namespace
  };

  std::string name;
  bool complete = false;  // `up` came to its end
  bool agents = false;    // an agent runs beside each switch
  std::size_t switches = 0;
  std::size_t links = 0;
  std::vector<Member> members;  // the switches, then the hosts
  bool snmp = false;            // each switch has agents
  bool gnmi = false;            // each switch has a gNMI target

  [[nodiscard]] static Manifest of(const Layout& layout);
  [[nodiscard]] std::size_t hosts() const { return members.size() - switches; }
  // The position in `members`; an error with the nearest name.
  [[nodiscard]] Result<std::size_t> find(const std::string& member) const;
};

[[nodiscard]] std::string to_text(const Manifest& manifest);
// Refuses what a fabric of this name cannot have: by a manifest, namespaces are deleted.
[[nodiscard]] Result<Manifest> parse_manifest(const std::string& text, const std::string& name);

// In one step: a reader finds the old file or the new one.
[[nodiscard]] Result<void> write(const Manifest& manifest, const StateFolder& state);
[[nodiscard]] Result<Manifest> read_manifest(const std::string& name, const StateFolder& state);

}  // namespace ebb::testbed
