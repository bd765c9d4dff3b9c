// SPDX-License-Identifier: Apache-2.0
#include "ebb/rules/lookup.hpp"

namespace ebb::rules {

Lookup::Lookup(const Table& table) {
  for (const Rule& rule : table.rules) {
    set_of(rule).outputs.try_emplace({rule.source.value, rule.destination.value}, rule.output);
  }
}

// Rules descend by priority, so sets do.
Lookup::Set& Lookup::set_of(const Rule& rule) {
  for (auto set = sets_.rbegin(); set != sets_.rend() && set->priority == rule.priority; ++set) {
    if (set->source == rule.source.mask && set->destination == rule.destination.mask) return *set;
  }
  return sets_.emplace_back(Set{rule.priority, rule.source.mask, rule.destination.mask, {}});
}

std::optional<topology::ChannelId> Lookup::output(Address source, Address destination) const {
  for (const Set& set : sets_) {
    const auto found = set.outputs.find({source & set.source, destination & set.destination});
    if (found != set.outputs.end()) return found->second;
  }
  return std::nullopt;
}

}  // namespace ebb::rules
