// SPDX-License-Identifier: Apache-2.0
//
// Frames between hosts by the tables, when some links sleep: whether they arrive, and how.
#pragma once

#include "ebb/forwarding/lookup.hpp"
#include "ebb/forwarding/table.hpp"
#include "ebb/topology/graph.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ebb::controller {

// Which links sleep: those of a row by link, and perhaps one more.
struct Asleep {
  const std::vector<bool>& links;
  std::optional<topology::LinkId> also = std::nullopt;

  [[nodiscard]] bool operator()(topology::LinkId link) const {
    return links[index(link)] || link == also;
  }
};

class Reach {
 public:
  // Keeps references to all three.
  Reach(const topology::Graph& graph, const forwarding::AddressPlan& plan,
        std::span<const forwarding::Table> tables);

  struct Way {
    std::vector<topology::ChannelId> channels;  // between switches
    std::vector<topology::ChannelId> dodged;    // outputs that slept
  };

  // Nothing when the frame does not arrive. `asleep` by link.
  [[nodiscard]] std::optional<Way> walk(std::uint32_t from_host, std::uint32_t to_host,
                                        const std::vector<bool>& asleep) const;
  // Whether the frame arrives; `asked` becomes the links on whose state that hangs, ascending.
  [[nodiscard]] bool arrives(std::uint32_t from_host, std::uint32_t to_host, const Asleep& asleep,
                             std::vector<topology::LinkId>& asked) const;
  // By walking every pair of hosts: for small networks, and to check Ways.
  [[nodiscard]] bool everyone(const std::vector<bool>& asleep) const;

  [[nodiscard]] const topology::Graph& graph() const { return graph_; }
  [[nodiscard]] const forwarding::AddressPlan& plan() const { return plan_; }
  [[nodiscard]] std::span<const forwarding::Lookup> lookups() const {
    return lookups_;
  }  // by switch

 private:
  template <class Seen>
  [[nodiscard]] bool follow(std::uint32_t from_host, std::uint32_t to_host, const Asleep& asleep,
                            Seen& seen) const;
  template <class Seen>
  [[nodiscard]] std::optional<topology::ChannelId> step(forwarding::Frame& frame,
                                                        const Asleep& asleep, Seen& seen) const;

  const topology::Graph& graph_;
  const forwarding::AddressPlan& plan_;
  std::vector<forwarding::Lookup> lookups_;
};

}  // namespace ebb::controller
