// SPDX-License-Identifier: Apache-2.0
//
// Forwarding tables: what a switch does with a frame by its addresses. The rule of the highest
// priority that matches decides. Two rules of one priority never match the same frame of the
// network.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/rules/address.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace ebb::rules {

struct Match {
  Address value = 0;
  Address mask = 0;  // bits that must be as in `value`; 0: anything

  [[nodiscard]] bool matches(Address address) const { return (address & mask) == value; }
  bool operator==(const Match&) const = default;
};

struct Rule {
  std::uint16_t priority = 0;
  Match destination;
  Match source;  // uplinks of a Clos are dealt out by source
  topology::ChannelId output{};

  bool operator==(const Rule&) const = default;
};

// How much of an address one rule stands for.
enum class Detail : std::uint8_t {
  flat,        // a rule for each host
  per_switch,  // a rule for each other switch, and each host of its own
  per_group,   // a rule for each other group, each switch of its own group, each host of its own
  compact      // masked rules, as few as the topology allows
};

struct Table {
  std::uint32_t of_switch = 0;
  std::vector<Rule> rules;  // descending by priority, then by value and mask
  Detail detail = Detail::compact;
};

class Way;

// The default (minimal) way to everyone. Families: fbfly, clos, dragonfly, torus, mesh, complete,
// tree, irregular, imported graphs. `compact` of a family without a better scheme merges what
// shares an output.
//
// Rules of all details but `compact` look at destinations alone, one output for each. Compact
// tables of a Clos deal out uplinks by source, and those of a Clos or a grid deal out parallel
// links by the host bits of the destination: masks make that free, rules for single destinations
// would need one for each link.
class TableMaker {
 public:
  // Keeps references to both. Refuses a graph that is not what the family it names would make.
  [[nodiscard]] static Result<TableMaker> make(const topology::Graph& graph,
                                               const AddressPlan& plan);

  [[nodiscard]] Table table(std::uint32_t of_switch, Detail detail) const;
  // The output towards a host of another switch, which all tables of that detail agree with
  // (Table::detail). Towards a host of its own: the link to it.
  [[nodiscard]] topology::ChannelId output(std::uint32_t at, std::uint32_t source_host,
                                           std::uint32_t destination_host, Detail detail) const;

 private:
  const topology::Graph* graph_ = nullptr;
  const AddressPlan* plan_ = nullptr;
  std::shared_ptr<const Way> way_;
};

}  // namespace ebb::rules
