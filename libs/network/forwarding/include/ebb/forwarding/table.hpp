// SPDX-License-Identifier: Apache-2.0
//
// Forwarding tables: what a switch does with a frame by its addresses. The rule of the highest
// priority that matches decides. Two rules of one priority never match the same frame of the
// network.
//
// Backup paths are for outputs that are not live: suppressed, asleep or failed. Where the rule that
// decides is `primary` and its output is not live,
//   - the fast reroute of that output is taken: a next hop from which nothing comes back, as a
//     parallel link, leaves the frame as it is, another gives it the rerouted tag; or
//   - of the backup rules that match, the one of the highest priority whose output is live decides.
// Without either the frame waits for its output, and is lost if that has failed.
//
//   const auto plan = AddressPlan::make(graph);
//   const auto maker = TableMaker::make(graph, *plan);
//   const Table table = maker->table(0, Detail::compact);   // of switch 0
//
// Ports of a switch are numbered from 1 in the order of its links, as OpenFlow does.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/forwarding/address.hpp"
#include "ebb/topology/graph.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
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
  primary,  // a fast reroute or a backup rule takes over while its output is not live
  backup    // only asked when the output of a primary rule is not live
};

// Classes of service: the priority of a frame has three bits.
inline constexpr std::uint8_t kMostClass = 7;

struct Rule {
  std::uint16_t priority = 0;
  Match destination;  // kReroutedTag is a bit of it
  Match source;       // uplinks of a Clos are split by source
  topology::ChannelId output{};
  std::optional<topology::ChannelId> input = std::nullopt;  // nothing: any
  Use use = Use::always;
  std::uint8_t cos = 0;     // class of service that the frame is sent in
  bool clears_tag = false;  // removes the rerouted tag: with this link the detour ends

  bool operator==(const Rule&) const = default;
};

// While `output` is not live, its frames leave in the class of their rule by the first of these
// that is live.
struct FastReroute {
  topology::ChannelId output{};
  // Frames stay as they are, rerouted ones too: parallel links, and other uplinks of a leaf, from
  // which no frame comes back without the tag.
  std::vector<topology::ChannelId> untagged = {};
  // Then, with the rerouted tag, and not for frames that have it: another output, or back where the
  // frame came from. Not both.
  std::optional<topology::ChannelId> backup = std::nullopt;
  bool back = false;
  bool backup_tags = true;  // false: the backup leaves the frame without the tag

  bool operator==(const FastReroute&) const = default;
};

// In OpenFlow a fast reroute is a fast-failover group with the number of its port. Frames that were
// rerouted before may take fewer ways: where that makes a difference they have a group of their
// own, whose number is kReroutedGroups more. The group kBackGroup sends frames back where they came
// from.
inline constexpr std::uint32_t kReroutedGroups = 0x10000;
inline constexpr std::uint32_t kBackGroup = 0x20000;
// Rerouted frames have choices, but fewer than others.
[[nodiscard]] bool needs_rerouted_group(const FastReroute& reroute);

// Where a frame goes that cannot leave by its output.
struct Rerouted {
  topology::ChannelId output{};
  bool tagged = false;  // it gets the tag

  bool operator==(const Rerouted&) const = default;
};

// Where frames may leave their default path.
enum class BackupPaths : std::uint8_t {
  none,
  injection,  // a fixed backup for each source host, at its first switch (uplinks: anywhere)
  everywhere  // a fast reroute for each output; for failed and sleeping links, too
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
  BackupPaths backup_paths = BackupPaths::none;
  std::vector<FastReroute> fast_reroutes = {};  // ascending by output
  // Outputs that backup paths count on, whose links therefore never sleep. Empty: the scheme does
  // not name any.
  std::vector<topology::ChannelId> core = {};

  // Null: it has none.
  [[nodiscard]] const FastReroute* fast_reroute(topology::ChannelId output) const;
  bool operator==(const Table&) const = default;
};

// Each plane of a network of several is a network of its own, with the addresses and tables of any
// other: a host has the same address in all of them. Tables are made, and checked, on
// topology::one_plane, here `one`. This is the table of the same switch in that plane, in the
// numbers of the whole network.
[[nodiscard]] Table of_plane(Table of_first, const topology::Graph& one, std::uint32_t plane);

// A frame that comes to a switch.
struct Frame {
  std::optional<topology::ChannelId> input;  // nothing: one that no rule asks for
  Address source = 0;
  Address destination = 0;  // with its rerouted tag
};

// All that the fast reroute of an output offers a frame, the first choice first: nothing with the
// tag for a frame that has it, and nothing back where the input is not known. A view of the fast
// reroute: walks ask for it at every hop, so nothing is copied.
class RerouteChoices {
 public:
  RerouteChoices() = default;
  RerouteChoices(const FastReroute& reroute, const Frame& frame);

  [[nodiscard]] std::size_t size() const { return untagged_.size() + (last_ ? 1 : 0); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] Rerouted operator[](std::size_t i) const {
    return i < untagged_.size() ? Rerouted{untagged_[i], false} : *last_;
  }

 private:
  std::span<const topology::ChannelId> untagged_;
  std::optional<Rerouted> last_;  // the backup, or back
};

class TableRouting;

// Makes the tables: the default (minimal) path to everyone. Families: fbfly, clos, dragonfly,
// torus, mesh, complete, tree, irregular, imported graphs. `compact` of a family without a better
// scheme merges what shares an output.
//
// Rules of all details but `compact` look at destinations alone, one output for each. Compact
// tables of a Clos split load over uplinks by source, and those of a Clos or a grid over parallel
// links by the host bits of the destination: masks make that free, rules for single destinations
// would need one for each link.
class TableMaker {
 public:
  // Keeps references to both. Refuses a graph that is not what the family it names would make.
  [[nodiscard]] static Result<TableMaker> make(const topology::Graph& graph,
                                               const AddressPlan& plan);

  // Refuses backup paths that the family or its addresses have no room for.
  [[nodiscard]] Result<void> offers(BackupPaths backup_paths) const;

  // The backup paths must have been offered.
  [[nodiscard]] Table table(std::uint32_t of_switch, Detail detail,
                            BackupPaths backup_paths = BackupPaths::none) const;
  // The output towards a host of another switch, which all tables of that detail agree with
  // (Table::detail). Towards a host of its own: the link to it.
  [[nodiscard]] topology::ChannelId output(std::uint32_t at, std::uint32_t source_host,
                                           std::uint32_t destination_host, Detail detail) const;

  // What a table is intended to do with a frame for a host: worked out for that frame alone, to
  // compare tables with.
  struct NextHop {
    topology::ChannelId output{};
    std::uint8_t cos = 0;
    bool clears_tag = false;

    bool operator==(const NextHop&) const = default;
  };
  [[nodiscard]] NextHop intended(const Table& table, std::uint32_t source_host,
                                 std::uint32_t destination_host, bool rerouted,
                                 std::optional<topology::ChannelId> input) const;
  // Where the frame goes while its output is not live; nothing: nowhere.
  [[nodiscard]] std::optional<NextHop> intended_backup(const Table& table,
                                                       std::uint32_t source_host,
                                                       std::uint32_t destination_host,
                                                       const Frame& frame) const;

 private:
  const topology::Graph* graph_ = nullptr;
  const AddressPlan* plan_ = nullptr;
  std::shared_ptr<const TableRouting> routing_;
};

// The tables of a fabric, by switch: compact, with a fast reroute for each output. Refuses what
// TableMaker does.
[[nodiscard]] Result<std::vector<Table>> fabric_tables(const topology::Graph& graph,
                                                       const AddressPlan& plan);

// From 1, in the order of the links of a switch.
using PortNumber = std::uint32_t;

[[nodiscard]] PortNumber port_of(const topology::Graph& graph, topology::ChannelId output);
// Nothing when the switch has no such port.
[[nodiscard]] std::optional<topology::ChannelId> output_at(const topology::Graph& graph,
                                                           std::uint32_t device, PortNumber port);

}  // namespace ebb::forwarding
