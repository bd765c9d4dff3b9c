// SPDX-License-Identifier: Apache-2.0
//
// The one way that tables send frames, family by family: where a switch sends a frame for another,
// and how few masked rules say so. Adding a family: a Way here, a line in make_way.
#pragma once

#include "ebb/rules/table.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ebb::rules {

using topology::ChannelId;
using topology::Graph;

// Rules without their priorities; of two layers the first goes first.
using Layers = std::vector<std::vector<Rule>>;

class Way {
 public:
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
  // All rules of the compact table but those for hosts of `at`, which come before them.
  [[nodiscard]] virtual Layers compact(std::uint32_t at) const = 0;

 protected:
  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] const AddressPlan& plan() const { return plan_; }
  // The links to a neighbour, which are next to each other in port order.
  [[nodiscard]] std::span<const ChannelId> links_to(std::uint32_t at, std::uint32_t next) const;
  // A rule for each of some links that lead the same way: the host bits of the destination choose.
  void share(const Match& destination, std::span<const ChannelId> links,
             std::vector<Rule>& rules) const;
  [[nodiscard]] ChannelId shared(std::span<const ChannelId> links, Address destination) const;

 private:
  const Graph& graph_;
  const AddressPlan& plan_;
};

[[nodiscard]] std::unique_ptr<const Way> make_way(const Graph& graph, const AddressPlan& plan);

}  // namespace ebb::rules
