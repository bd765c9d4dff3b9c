// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/links_by_state.hpp"

namespace ebb::controller {
namespace {

bool is_moving(LinkState state) { return state != LinkState::active && state != LinkState::asleep; }

void keep(std::set<topology::LinkId>& links, topology::LinkId link, bool in) {
  if (in) {
    links.insert(link);
  } else {
    links.erase(link);
  }
}

}  // namespace

LinksByState::LinksByState(std::uint32_t links) {
  counts_[static_cast<std::size_t>(LinkState::active)] = links;
}

void LinksByState::moved(topology::LinkId link, LinkState from, LinkState to) {
  --counts_[static_cast<std::size_t>(from)];
  ++counts_[static_cast<std::size_t>(to)];
  keep(moving_, link, is_moving(to));
  keep(not_active_, link, to != LinkState::active);
}

}  // namespace ebb::controller
