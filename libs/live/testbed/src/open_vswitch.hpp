// SPDX-License-Identifier: Apache-2.0
//
// One switch: a database server and a switch daemon of its own in a namespace of its own. That
// starts and ends faster than many bridges in one daemon, answers faster, and one can be killed
// alone.
#pragma once

#include "steps.hpp"

#include "ebb/testbed/layout.hpp"

#include <string>

namespace ebb::testbed {

struct Box {
  const Node* node;
  std::string folder;  // of its database and sockets
  std::size_t number = 0;
};

// Where the database of a switch is, for programs of Open vSwitch.
[[nodiscard]] std::string database_of(const std::string& folder);

// Programs of Open vSwitch that are told by their environment where a switch keeps its files.
[[nodiscard]] std::vector<std::string> environment_of_box(const std::string& folder);

// An empty database, the same for each switch.
[[nodiscard]] Step make_database(const std::string& file);

// In this order. Each has done its work when it returns.
[[nodiscard]] Step start_database(const Box& box);
// Bridge br0 with all its ports, and where its controller will listen: setting that later would
// delete the flows. Not waited for, because nobody has read it yet.
[[nodiscard]] Step configure_bridge(const Box& box);
[[nodiscard]] Step start_switch(const Box& box);
// Pauses outputs whose queues grow; `program` is that of ebb-agent.
[[nodiscard]] Step start_agent(const Box& box, const std::string& program);
// Longest path of a socket in `folder`; the kernel allows 107 characters.
[[nodiscard]] std::size_t longest_socket_path(const std::string& folder);

// The file that describes the database.
inline constexpr const char* kSchema = "/usr/share/openvswitch/vswitch.ovsschema";

}  // namespace ebb::testbed
