// SPDX-License-Identifier: Apache-2.0
//
// Which links may sleep at the same time: those without which the tables still reach everyone. A
// frame is detoured once and then takes default ways, so none of these may need a link that may
// sleep. The others are the connected core, which never sleeps.
#pragma once

#include "ebb/forwarding/table.hpp"
#include "ebb/topology/graph.hpp"

#include <span>
#include <vector>

namespace ebb::controller {

struct Sleepers {
  std::vector<bool> may_sleep;  // by link
  // By channel of such a link: channels on the ways of frames that leave it out.
  std::vector<std::vector<topology::ChannelId>> instead;
};

// Takes links one by one, the last first, and keeps each without which all pairs of hosts are
// still reached. Not the most that there could be, but the same for the same tables. None where
// hosts do not reach each other even with all links awake.
[[nodiscard]] Sleepers sleepers(const topology::Graph& graph, const forwarding::AddressPlan& plan,
                                std::span<const forwarding::Table> tables);

}  // namespace ebb::controller
