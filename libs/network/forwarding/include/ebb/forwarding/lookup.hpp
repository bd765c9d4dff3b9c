// SPDX-License-Identifier: Apache-2.0
//
// A table made quick to ask: rules of one priority and one set of masks are found by hashing, so a
// question costs as many steps as there are such sets, not as there are rules. A run of sets that
// look at nothing but the group is one step: a row of answers by group (compact tables of a
// Dragonfly have nearly as many masks as rules).
#pragma once

#include "ebb/forwarding/table.hpp"

#include <absl/container/flat_hash_map.h>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

namespace ebb::forwarding {

class Lookup {
 public:
  // Keeps a reference to the table.
  Lookup(const Table& table, const AddressPlan& plan);

  // The matching rule of the highest priority that is no alternative; null: none.
  [[nodiscard]] const Rule* rule(const Frame& frame) const;
  // The matching alternative of the highest priority that does not use that link; null: none.
  [[nodiscard]] const Rule* alternative(const Frame& frame, topology::LinkId dead) const;

  // Whether `rule` depends on where a frame comes from.
  [[nodiscard]] bool asks_for_input() const { return asks_for_input_; }
  [[nodiscard]] const Table& table() const { return *table_; }

 private:
  using Values = std::tuple<Address, Address, std::uint64_t>;  // source, destination, input
  struct Set {
    std::uint16_t priority = 0;
    Address source = 0;  // masks
    Address destination = 0;
    bool by_input = false;
    absl::flat_hash_map<Values, std::uint32_t> rules;  // numbers of rules
    std::vector<std::uint32_t> by_group;               // not empty: instead of `rules`
  };

  void add(std::uint32_t number, std::vector<Set>& sets) const;
  [[nodiscard]] bool looks_at_group_alone(const Set& set) const;
  // Replaces long runs of such sets by rows.
  void make_rows();
  [[nodiscard]] Set row(std::span<const Set> run) const;
  [[nodiscard]] std::size_t place_in_row(Address destination) const;
  [[nodiscard]] const Rule* find(const Set& set, const Frame& frame) const;

  const Table* table_;
  Address group_ = 0;  // mask
  int group_shift_ = 0;
  std::vector<Set> sets_;  // descending by priority
  std::vector<Set> alternatives_;
  bool asks_for_input_ = false;
};

}  // namespace ebb::forwarding
