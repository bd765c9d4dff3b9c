// SPDX-License-Identifier: Apache-2.0
//
// Forwarding tables as text: flows and groups for `ovs-ofctl -O OpenFlow13`, JSON, and for people.
//
// A fast reroute is a fast-failover group with the number of its output's port: the port while it
// is live, else the other with the mark set. Delivery clears the mark. Classes are priorities of
// VLAN tags: table 0 gives untagged frames one, table 1 has the rules, delivery takes it off.
#pragma once

#include "command_line/command.hpp"

#include "ebb/forwarding/table.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace ebb::cli {

enum class Classes : bool { left_out, in_tags };

// One line each; groups go before flows.
[[nodiscard]] std::string flows_text(const topology::Graph& graph, const forwarding::Table& table,
                                     Classes classes);
[[nodiscard]] std::string groups_text(const topology::Graph& graph, const forwarding::Table& table);

// Rules with where they lead and when.
[[nodiscard]] std::string explained(const topology::Graph& graph, const forwarding::Table& table);

[[nodiscard]] nlohmann::ordered_json table_json(const topology::Graph& graph,
                                                const forwarding::Table& table);

// `ebb rules vlans`: VLAN trees of a network.
void add_rules_vlans(CLI::App& rules, ExitCode& code);

}  // namespace ebb::cli
