// SPDX-License-Identifier: Apache-2.0
//
// The one way that tables send frames, family by family: where a switch sends a frame for another,
// how few masked rules say so, in which class, and where else it could go. Adding a family: a Way
// here, a line in make_way.
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

// A frame's priority has three bits.
inline constexpr std::uint8_t kMostClass = 7;

class Way {
 public:
  using Step = TableMaker::Step;

  Way(const Graph& graph, const AddressPlan& plan) : graph_(graph), plan_(plan) {}
  virtual ~Way() = default;
  Way(const Way&) = delete;
  Way& operator=(const Way&) = delete;

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
  // classes, and conditional where `injection` may divert.
  [[nodiscard]] virtual Layers compact(std::uint32_t at, Alternatives alternatives) const = 0;

  // The class in which the unmarked frame goes on by its output, and by how much a mark raises it.
  [[nodiscard]] virtual std::uint8_t cos(std::uint32_t at, std::uint32_t to, ChannelId output,
                                         Alternatives alternatives) const;
  [[nodiscard]] virtual std::uint8_t mark_shift() const { return 1; }

  // everywhere: whether the first link after a detour leaves what was dodged behind for good, so
  // that the frame may be detoured again further on.
  [[nodiscard]] virtual bool detours_end() const { return false; }

  // everywhere: another output for all frames that go by this one, from which their default way
  // does not come back here.
  [[nodiscard]] virtual std::optional<ChannelId> detour(std::uint32_t at,
                                                        ChannelId output) const = 0;
  // everywhere: rules for marked frames that come from where they would be sent back to. They go
  // before those whose output is the reverse of one of their inputs.
  [[nodiscard]] virtual std::vector<Rule> bounces(std::uint32_t at) const;

  // injection: whether there is any, whether a frame to that switch may be diverted, and where to.
  [[nodiscard]] virtual bool has_injection() const { return false; }
  [[nodiscard]] virtual bool diverts(std::uint32_t at, std::uint32_t to) const;
  [[nodiscard]] virtual Layers diversions(std::uint32_t at, Detail detail) const;

 protected:
  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] const AddressPlan& plan() const { return plan_; }
  // The links to a neighbour, which are next to each other in port order.
  [[nodiscard]] std::span<const ChannelId> links_to(std::uint32_t at, std::uint32_t next) const;
  // A rule for each of some links that lead the same way: the host bits of the destination choose.
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

[[nodiscard]] std::unique_ptr<const Way> make_way(const Graph& graph, const AddressPlan& plan);

}  // namespace ebb::forwarding
