// SPDX-License-Identifier: Apache-2.0
//
// Forwarding tables: what a switch does with a frame by its addresses. The rule of the highest
// priority that matches decides. Two rules of one priority never match the same frame of the
// network.
//
// Alternatives are for outputs that are not live: paused, asleep or failed. Where the rule that
// decides is `conditional` and its output is not live,
//   - the detour of that output is taken, and the frame marked, or else
//   - of the alternative rules that match, the one of the highest priority whose output is live.
// Without either the frame waits for its output, and is lost if that has failed.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/forwarding/address.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ebb::forwarding {

struct Match {
  Address value = 0;
  Address mask = 0;  // bits that must be as in `value`; 0: anything

  [[nodiscard]] bool matches(Address address) const { return (address & mask) == value; }
  bool operator==(const Match&) const = default;
};

enum class Use : std::uint8_t {
  always,
  conditional,  // gives way to a detour or an alternative while its output is not live
  alternative   // only asked when a conditional rule gives way
};

struct Rule {
  std::uint16_t priority = 0;
  Match destination;  // kMark is a bit of it
  Match source;       // uplinks of a Clos are dealt out by source
  topology::ChannelId output{};
  std::optional<topology::ChannelId> input = std::nullopt;  // nothing: any
  Use use = Use::always;
  std::uint8_t cos = 0;  // class of service that the frame is sent in
  bool clears = false;   // takes the mark off: with this link a detour comes to its end

  bool operator==(const Rule&) const = default;
};

// While `output` is not live its frames leave by `instead`, marked, in the class of their rule.
struct Detour {
  topology::ChannelId output{};
  topology::ChannelId instead{};

  bool operator==(const Detour&) const = default;
};

// Where frames may leave their default way.
enum class Alternatives : std::uint8_t {
  none,
  injection,  // one fixed way for each source host, at its first switch (uplinks: anywhere)
  everywhere  // a detour for each output; for failed and sleeping links, too
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
  Alternatives alternatives = Alternatives::none;
  std::vector<Detour> detours = {};  // ascending by output

  [[nodiscard]] std::optional<topology::ChannelId> detour(topology::ChannelId output) const;
  bool operator==(const Table&) const = default;
};

// A frame that comes to a switch.
struct Frame {
  std::optional<topology::ChannelId> input;  // nothing: one that no rule asks for
  Address source = 0;
  Address destination = 0;  // with its mark
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

  // Refuses alternatives that the family or its addresses have no room for.
  [[nodiscard]] Result<void> offers(Alternatives alternatives) const;

  // Alternatives must have been offered.
  [[nodiscard]] Table table(std::uint32_t of_switch, Detail detail,
                            Alternatives alternatives = Alternatives::none) const;
  // The output towards a host of another switch, which all tables of that detail agree with
  // (Table::detail). Towards a host of its own: the link to it.
  [[nodiscard]] topology::ChannelId output(std::uint32_t at, std::uint32_t source_host,
                                           std::uint32_t destination_host, Detail detail) const;

  // What a table was meant to do with a frame for a host: worked out for that frame alone, to
  // compare tables with.
  struct Step {
    topology::ChannelId output{};
    std::uint8_t cos = 0;
    bool clears = false;

    bool operator==(const Step&) const = default;
  };
  [[nodiscard]] Step meant(const Table& table, std::uint32_t source_host,
                           std::uint32_t destination_host, bool marked,
                           std::optional<topology::ChannelId> input) const;
  // Where the frame goes while its output is not live; nothing: nowhere.
  [[nodiscard]] std::optional<Step> meant_instead(const Table& table, std::uint32_t source_host,
                                                  std::uint32_t destination_host,
                                                  const Frame& frame) const;

 private:
  const topology::Graph* graph_ = nullptr;
  const AddressPlan* plan_ = nullptr;
  std::shared_ptr<const Way> way_;
};

}  // namespace ebb::forwarding
