// SPDX-License-Identifier: Apache-2.0
//
// Table routing schemes, one for each family of networks: where a switch sends a frame for another,
// how few masked rules say so, in which class of service, and which backup next hops there are.
//
// Adding a scheme: a source file with a TableRouting and its maker, the declaration of the maker
// at the end of the first part here, a line in make_table_routing.
//
// The second part is what schemes share: load split by masks, and rules for rerouted frames.
#pragma once

#include "ebb/forwarding/table.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace ebb::forwarding {

using topology::ChannelId;
using topology::Graph;

// Rules without their priorities; of two layers the first goes first.
using Layers = std::vector<std::vector<Rule>>;

class TableRouting {
 public:
  using NextHop = TableMaker::NextHop;

  TableRouting(const Graph& graph, const AddressPlan& plan) : graph_(graph), plan_(plan) {}
  virtual ~TableRouting() = default;
  TableRouting(const TableRouting&) = delete;
  TableRouting& operator=(const TableRouting&) = delete;

  // Towards another switch, one that serves hosts. All switches of a group to which `at` does not
  // belong have the same where the family allows it.
  [[nodiscard]] virtual ChannelId next(std::uint32_t at, std::uint32_t to) const = 0;
  // The same towards every access switch, in their order; that of `at` itself means nothing.
  [[nodiscard]] virtual std::vector<ChannelId> next_to_all(std::uint32_t at) const;

  // What compact tables do: where there are several links or uplinks to choose from, addresses
  // choose.
  [[nodiscard]] virtual ChannelId next_compact(std::uint32_t at, Address source,
                                               Address destination, std::uint32_t to) const;
  // All rules of the compact table but those for hosts of `at`, which come before them: with their
  // classes, and primary where `injection` may divert.
  [[nodiscard]] virtual Layers compact(std::uint32_t at, BackupPaths backup_paths) const = 0;

  // The class in which the untagged frame goes on by its output, and by how much the rerouted tag
  // raises it.
  [[nodiscard]] virtual std::uint8_t cos(std::uint32_t at, std::uint32_t to, ChannelId output,
                                         BackupPaths backup_paths) const;
  [[nodiscard]] virtual std::uint8_t rerouted_shift() const { return 1; }

  // everywhere: where a rerouted frame goes on to another switch; nothing: by its default path, in
  // a class that is higher by rerouted_shift.
  [[nodiscard]] virtual std::optional<NextHop> rerouted_next(std::uint32_t at,
                                                             std::uint32_t to) const;
  // The rules that say so for all switches but `at`, without the tag; empty: there are none.
  [[nodiscard]] virtual Layers rerouted_rules(std::uint32_t at) const;
  // everywhere: outputs that backup paths count on, whose links never sleep (Table::core).
  [[nodiscard]] virtual std::vector<ChannelId> core(std::uint32_t at) const;

  // everywhere: whether the first link after a fast reroute leaves the bypassed link behind for
  // good, so that the frame may be rerouted again further on.
  [[nodiscard]] virtual bool reroutes_end() const { return false; }

  // everywhere: all that stands in for an output. Parallel links come first and need no tag; then
  // fast_reroute, where that is no parallel link itself.
  [[nodiscard]] virtual FastReroute reroute(std::uint32_t at, ChannelId output) const;
  // everywhere: another output for all frames that go by this one, from which their default path
  // does not come back here.
  [[nodiscard]] virtual std::optional<ChannelId> fast_reroute(std::uint32_t at,
                                                              ChannelId output) const;
  // everywhere: rules for rerouted frames that come from where they would be sent back to. They go
  // before those whose output is the reverse of one of their inputs.
  [[nodiscard]] virtual std::vector<Rule> bounces(std::uint32_t at) const;

  // injection: whether there is any, whether a frame to that switch may be diverted, and where to.
  [[nodiscard]] virtual bool has_injection() const { return false; }
  [[nodiscard]] virtual bool diverts(std::uint32_t at, std::uint32_t to) const;
  [[nodiscard]] virtual Layers diversions(std::uint32_t at, Detail detail) const;

 protected:
  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] const AddressPlan& plan() const { return plan_; }
  // Other links to the same switch, in port order from the one after it on.
  [[nodiscard]] std::vector<ChannelId> parallel_links(std::uint32_t at, ChannelId output) const;
  // The links to a neighbour, which are next to each other in port order.
  [[nodiscard]] std::span<const ChannelId> links_to(std::uint32_t at, std::uint32_t next) const;
  // A rule for each of some links that lead to the same switch: the host bits of the destination
  // choose.
  void share(const Match& destination, std::span<const ChannelId> links,
             std::vector<Rule>& rules) const;
  [[nodiscard]] ChannelId shared(std::span<const ChannelId> links, Address destination) const;
  // A rule for each host of the switch: its frames are diverted to one of `outputs`, in turn.
  [[nodiscard]] std::vector<Rule> divert_hosts(std::uint32_t at,
                                               std::span<const ChannelId> outputs) const;

 private:
  const Graph& graph_;
  const AddressPlan& plan_;
};

// The link after `one` among some that will do as well, in turn; nothing: there is no other.
[[nodiscard]] std::optional<ChannelId> link_after(std::span<const ChannelId> links, ChannelId one);

// A graph without a family that is a leaf-spine gets the tables of a Clos of two levels.
[[nodiscard]] bool has_leaf_spine_tables(const Graph& graph, const AddressPlan& plan);

// Of the family of the graph.
using MadeTableRouting = std::unique_ptr<const TableRouting>;
[[nodiscard]] MadeTableRouting make_table_routing(const Graph& graph, const AddressPlan& plan);

[[nodiscard]] MadeTableRouting make_clos_table_routing(const Graph& graph, const AddressPlan& plan);
[[nodiscard]] MadeTableRouting make_dragonfly_table_routing(const Graph& graph,
                                                            const AddressPlan& plan);
[[nodiscard]] MadeTableRouting make_grid_table_routing(const Graph& graph, const AddressPlan& plan);
[[nodiscard]] MadeTableRouting make_shortest_path_table_routing(const Graph& graph,
                                                                const AddressPlan& plan);

// Load split by masks: the values 0 .. values-1 of a field are split among links by its low bits,
// one match for each link, which together match every value exactly once. With as many values as
// links each link gets one; else the shares differ by a factor of about two at most, because a mask
// can only halve. As many matches as links, or as values when these are fewer; ascending by value.
[[nodiscard]] std::vector<Match> split_by_mask(const Field& field, std::uint64_t values,
                                               std::size_t links);

// The link whose match an address has; the matches are in the order of the links.
[[nodiscard]] topology::ChannelId link_of_split(std::span<const Match> matches,
                                                std::span<const topology::ChannelId> links,
                                                Address address);

// Fast reroutes: for each output that some rule or bounce names, if it has one.
[[nodiscard]] std::vector<FastReroute> fast_reroutes_for(const TableRouting& routing,
                                                         std::uint32_t at, const Layers& layers);

// In tables with fast reroutes every rule for frames of other switches becomes two: one for
// untagged frames, for which the fast reroute of its output takes over, and one for rerouted
// frames, which is never rerouted and sends them in a higher class. A rule for both could not leave
// rerouted frames alone: a switch's group of two ports does not look at the tag again. Where
// rerouted frames bounce, that goes before all rules upwards.
[[nodiscard]] Layers rules_by_tag(const TableRouting& routing, const Table& table,
                                  const Layers& layers);

// The class of a rerouted frame: at most the highest that there is.
[[nodiscard]] std::uint8_t shifted(std::uint8_t cos, std::uint8_t shift);

// Whether an output leads back to where some frames bounce.
[[nodiscard]] bool goes_up(std::span<const Rule> bounces, ChannelId output);

// Makes primary rules ordinary ones, for tables without backup paths.
void make_always(Layers& layers);

}  // namespace ebb::forwarding
