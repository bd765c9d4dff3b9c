// SPDX-License-Identifier: Apache-2.0
//
// Which interface is which end of a link, by what devices tell each other (LLDP, IEEE 802.1AB): a
// device knows the name and the port of its neighbour on each interface. Tables are read from
//
//   {"lldp": {"interface": ...          `lldpcli show neighbors -f json`; the file is named after
//                                       its device: s0.json, or s0/neighbors.json
//   # 1703858100 s0                     walks of LLDP-MIB by snmpwalk, each after a line with its
//   LLDP-MIB::lldpRemSysName.0.3.1 ...  time and its device
//
// An end counts when both devices say the same of it: the port that s0 sees on its interface is one
// on which s1 sees that interface of s0. Where only one of the two has a table, that one is
// believed.
#pragma once

#include "ebb/counters/collector.hpp"
#include "ebb/counters/mapping.hpp"
#include "ebb/topology/graph.hpp"

#include <set>
#include <string>
#include <vector>

namespace ebb::counters {

// A row of a device's table.
struct Neighbour {
  topology::NodeId device{};
  std::vector<std::string> interface;  // its names: of the interface, its port id, its description
  std::string peer;                    // the system name that the other end tells
  std::vector<std::string> peer_port;  // the port id that it tells, and its description
  Location where;
};

struct MappingFiles {
  Mapping rows;                        // of files with interface,from,to
  std::vector<Neighbour> neighbours;   // of tables
  std::set<topology::NodeId> devices;  // that have a table, perhaps an empty one
};

// Files and folders of both kinds. All errors of all files.
[[nodiscard]] Result<MappingFiles> read_mappings(const std::vector<std::string>& paths,
                                                 const topology::Graph& graph);
// The same of a text; errors name it `name`.
[[nodiscard]] Result<MappingFiles> read_mapping_text(std::string_view text, const std::string& name,
                                                     const topology::Graph& graph);

struct LldpMapping {
  Mapping mapping;  // of interfaces that are counted
  // Counted interfaces of devices with a table that is silent about them, or not believed.
  std::set<std::string> unknown;
  std::vector<std::string> disagreements;  // sentences for people
  std::vector<std::string> one_sided;      // ends between switches of which one has no table
};

[[nodiscard]] LldpMapping propose_by_lldp(const MappingFiles& files, const topology::Graph& graph,
                                          const Loads& loads);

// As a file for read_mapping: interface,from,to.
[[nodiscard]] std::string mapping_text(const Mapping& mapping, const topology::Graph& graph);

}  // namespace ebb::counters
