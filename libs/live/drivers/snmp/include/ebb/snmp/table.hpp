// SPDX-License-Identifier: Apache-2.0
//
// Columns of a table of an agent, read in bulk.
#pragma once

#include "ebb/snmp/session.hpp"

#include <map>

namespace ebb::snmp {

// By index of the row, then by column as asked for; what a row does not have is not there.
using Table = std::map<Oid, std::vector<Value>>;

// The session outlives the reading.
void read_table(Session& session, const std::vector<Oid>& columns,
                const std::function<void(const tl::expected<Table, std::string>&)>& then);

}  // namespace ebb::snmp
