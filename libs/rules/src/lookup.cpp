// SPDX-License-Identifier: Apache-2.0
#include "ebb/rules/lookup.hpp"

namespace ebb::rules {

Lookup::Lookup(const Table& table) {
  for (const Rule& rule : table.rules) {
    source_bits_ |= rule.source.mask;
    destination_bits_ |= rule.destination.mask;
    const bool same = !sets_.empty() && sets_.back().priority == rule.priority &&
                      sets_.back().source == rule.source.mask &&
                      sets_.back().destination == rule.destination.mask;
    if (!same) sets_.push_back({rule.priority, rule.source.mask, rule.destination.mask, {}});
    sets_.back().outputs.try_emplace({rule.source.value, rule.destination.value}, rule.output);
  }
}

std::optional<topology::ChannelId> Lookup::output(Address source, Address destination) const {
  for (const Set& set : sets_) {
    const auto found = set.outputs.find({source & set.source, destination & set.destination});
    if (found != set.outputs.end()) return found->second;
  }
  return std::nullopt;
}

}  // namespace ebb::rules
