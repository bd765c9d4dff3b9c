// SPDX-License-Identifier: Apache-2.0
//
// A table made quick to ask: rules of one priority and one set of masks are found by hashing, so a
// question costs as many steps as there are such sets, not as there are rules. A run of sets that
// look at nothing but the group is one step: a row of answers by group (compact tables of a
// Dragonfly have nearly as many masks as rules).
//
//   const Lookup lookup(table, plan);
//   const Rule* rule = lookup.rule({.input = {}, .source = from, .destination = to});
#pragma once

#include "ebb/forwarding/table.hpp"

#include <memory>

namespace ebb::forwarding {

// The outputs that a table offers a frame, the first choice first: a switch takes the first that is
// live. Those of its rule and of the fast reroute of that; backup rules are not among them. A view
// of the table.
class NextHops {
 public:
  struct Choice {
    topology::ChannelId output{};
    std::uint8_t cos = 0;
    Address destination = 0;  // as sent, with its rerouted tag
  };

  NextHops() = default;
  NextHops(const Table& table, const Rule& rule, const Frame& frame);

  [[nodiscard]] std::size_t size() const { return rule_ == nullptr ? 0 : 1 + reroutes_.size(); }
  [[nodiscard]] bool empty() const { return rule_ == nullptr; }
  [[nodiscard]] Choice operator[](std::size_t i) const;

 private:
  const Rule* rule_ = nullptr;
  RerouteChoices reroutes_;
  Address destination_ = 0;
};

class Lookup {
 public:
  // Keeps a reference to the table.
  Lookup(const Table& table, const AddressPlan& plan);

  // The matching rule of the highest priority that is no backup; null: none.
  [[nodiscard]] const Rule* rule(const Frame& frame) const;
  // The matching backup rule of the highest priority that does not use that link; null: none.
  [[nodiscard]] const Rule* backup(const Frame& frame, topology::LinkId dead) const;

  // Empty: no rule matches.
  [[nodiscard]] NextHops next_hops(const Frame& frame) const;

  // Whether `rule` depends on where a frame comes from.
  [[nodiscard]] bool asks_for_input() const;
  [[nodiscard]] const Table& table() const { return *table_; }

 private:
  class Sets;

  const Table* table_;
  std::shared_ptr<const Sets> sets_;  // copies share them
};

}  // namespace ebb::forwarding
