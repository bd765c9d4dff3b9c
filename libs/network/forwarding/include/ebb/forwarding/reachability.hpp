// SPDX-License-Identifier: Apache-2.0
//
// Who reaches whom by the forwarding tables while some links sleep, and which links may sleep.
//
//   TableWalker             follows one frame from host to host through the tables
//   HostEquivalenceClasses  hosts that no table tells apart: one stands for all of them
//   ReachabilityIndex       all paths, kept up to date while links sleep and wake
//   SleepableLinks          links that may sleep at the same time
//
// A frame with the rerouted tag does not get it again. It takes the output that the table has for
// rerouted frames, or a parallel link or another uplink where the tables say that this needs no
// tag.
#pragma once

#include "ebb/forwarding/lookup.hpp"
#include "ebb/forwarding/table.hpp"
#include "ebb/topology/graph.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace ebb::forwarding {

// Which links sleep: those of a row by link, and perhaps one more.
struct Asleep {
  const std::vector<bool>& links;
  std::optional<topology::LinkId> also = std::nullopt;

  [[nodiscard]] bool operator()(topology::LinkId link) const {
    return links[index(link)] || link == also;
  }
};

// Follows frames through the tables. Every answer is computed anew.
class TableWalker {
 public:
  // Keeps references to all three.
  TableWalker(const topology::Graph& graph, const AddressPlan& plan, std::span<const Table> tables);

  struct Path {
    std::vector<topology::ChannelId> channels;  // between switches
    std::vector<topology::ChannelId> bypassed;  // outputs that slept and were bypassed
  };

  // Nothing when the frame does not arrive. `asleep` by link.
  [[nodiscard]] std::optional<Path> walk(std::uint32_t from_host, std::uint32_t to_host,
                                         const std::vector<bool>& asleep) const;
  // Whether the frame arrives; `asked` becomes the links on whose state that depends, ascending.
  [[nodiscard]] bool arrives(std::uint32_t from_host, std::uint32_t to_host, const Asleep& asleep,
                             std::vector<topology::LinkId>& asked) const;
  // By walking every pair of hosts: for small networks, and to check ReachabilityIndex.
  [[nodiscard]] bool all_reachable(const std::vector<bool>& asleep) const;

  [[nodiscard]] const topology::Graph& graph() const { return graph_; }
  [[nodiscard]] const AddressPlan& plan() const { return plan_; }
  // By switch.
  [[nodiscard]] std::span<const Lookup> lookups() const { return lookups_; }

 private:
  template <class Seen>
  [[nodiscard]] bool follow(std::uint32_t from_host, std::uint32_t to_host, const Asleep& asleep,
                            Seen& seen) const;
  template <class Seen>
  [[nodiscard]] std::optional<topology::ChannelId> step(Frame& frame, const Asleep& asleep,
                                                        Seen& seen) const;

  const topology::Graph& graph_;
  const AddressPlan& plan_;
  std::vector<Lookup> lookups_;
};

// Hosts that no table tells apart, so that one may stand for all: those of one switch whose
// addresses agree in the bits that rules look at. Their frames take the same paths except for the
// last link, which is the host's own.
struct HostEquivalenceClasses {
  // One host of each class, ascending.
  std::vector<std::uint32_t> sources;
  std::vector<std::uint32_t> destinations;
  // A frame that comes to the switch of its host is handed to it, whatever else sleeps. Otherwise
  // every host is a class of its own.
  bool delivered_at_home = false;
};

[[nodiscard]] HostEquivalenceClasses host_equivalence_classes(const TableWalker& walker);

// All paths of a fabric by its tables, kept while links go to sleep and come back: a change of one
// link walks again only the pairs of hosts whose path met that link. The answers are those of
// TableWalker, at a cost that grows with what changed and not with pairs of hosts.
//
//   ReachabilityIndex reachability(walker);
//   if (reachability.all_reachable_without(link)) reachability.set(link, true);
class ReachabilityIndex {
 public:
  // All links awake. Keeps a reference.
  explicit ReachabilityIndex(const TableWalker& walker);
  ReachabilityIndex(const ReachabilityIndex&) = delete;
  ReachabilityIndex& operator=(const ReachabilityIndex&) = delete;
  ~ReachabilityIndex();

  void set(topology::LinkId link, bool asleep);
  [[nodiscard]] const std::vector<bool>& asleep() const { return asleep_; }  // by link

  // Whether every host reaches every other.
  [[nodiscard]] bool all_reachable() const;
  // The same if that link slept as well. The result is kept until a link changes that it depends
  // on.
  [[nodiscard]] bool all_reachable_without(topology::LinkId link) const;

  // Links on whose state it depends that some pair of hosts does not arrive, ascending: only waking
  // one of these can help it.
  [[nodiscard]] std::vector<topology::LinkId> asked_by_lost() const;

  // The path of each pair of classes that arrives, and the two hosts.
  template <class Take>
  void for_each_path(const Take& take) const;

 private:
  using Pair = std::uint32_t;  // source class * destination classes + destination class
  struct Links;                // few links, ascending
  struct Found {
    std::uint64_t at = 0;  // 0: nothing found yet
    bool all_reachable = false;
    std::vector<topology::LinkId> asked;
  };

  [[nodiscard]] std::uint32_t source(Pair pair) const;
  [[nodiscard]] std::uint32_t destination(Pair pair) const;
  [[nodiscard]] bool is_walked(Pair pair) const;
  [[nodiscard]] bool stands_apart(topology::LinkId link) const;
  [[nodiscard]] bool all_lost_meet(topology::LinkId link) const;
  void walk(Pair pair);
  void leave(topology::LinkId link, Pair pair);
  void meet(topology::LinkId link, Pair pair);
  [[nodiscard]] bool still_holds(const Found& found, topology::LinkId link) const;
  [[nodiscard]] bool try_without(topology::LinkId link, std::vector<topology::LinkId>& asked) const;

  const TableWalker& walker_;
  HostEquivalenceClasses classes_;
  std::vector<bool> asleep_;
  std::set<topology::LinkId> cut_off_;  // links of hosts that sleep, where hosts share classes
  std::uint64_t lost_ = 0;              // pairs that do not arrive
  std::vector<bool> arrives_;           // by pair
  std::vector<Links> asked_;            // by pair: links on whose state its path depends, ascending
  std::vector<std::vector<Pair>> met_by_;  // by link: the pairs that ask it
  std::uint64_t clock_ = 1;                // counts changes
  std::vector<std::uint64_t> changed_at_;  // by link: its state, or who asks it
  mutable std::vector<Found> found_;       // by link: all_reachable_without
  mutable std::vector<topology::LinkId> walked_;
};

template <class Take>
void ReachabilityIndex::for_each_path(const Take& take) const {
  for (Pair pair = 0; pair < arrives_.size(); ++pair) {
    if (!is_walked(pair) || !arrives_[pair]) continue;
    if (const auto path = walker_.walk(source(pair), destination(pair), asleep_))
      take(*path, source(pair), destination(pair));
  }
}

// Which links may sleep at the same time: those without which every host still reaches every
// other, whichever of them sleep. The other links are the connected core, which never sleeps.
struct SleepableLinks {
  std::vector<bool> may_sleep;  // by link
  // By channel of such a link: channels that may carry what it carried, while some of these links
  // sleep or all of them.
  std::vector<std::vector<topology::ChannelId>> backup_channels;
};

// The links between switches as they are tried: from the last, so that on a flattened butterfly the
// links of coordinate 0 stay, as they do under the routing sparse-star; but those last that backup
// paths count on (Table::core), in a leaf-spine to the first spine.
[[nodiscard]] std::vector<topology::LinkId> sleep_order(const topology::Graph& graph,
                                                        std::span<const Table> tables);

// Takes links one by one in that order, but for Table::core, and keeps each without which all pairs
// of hosts are still reached; in small networks the most that a search finds (exact_sleepable.hpp).
// The same for the same tables. None where hosts do not reach each other even with all links awake.
[[nodiscard]] SleepableLinks sleepable_links(const topology::Graph& graph, const AddressPlan& plan,
                                             std::span<const Table> tables);

}  // namespace ebb::forwarding
