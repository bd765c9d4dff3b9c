// SPDX-License-Identifier: Apache-2.0
//
// Which links of VLAN trees stay open, and how fast, for traffic that is known before it is sent:
// regulation by peak (policy/regulate.hpp) on a network of lags. Of a lag the first links
// stay.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/forwarding/address.hpp"
#include "ebb/forwarding/vlan_trees.hpp"
#include "ebb/policy/action.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/units/data.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ebb::controller {

// What a host sends to another over a run.
struct PairAmount {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  DataSize amount;

  bool operator==(const PairAmount&) const = default;
};

struct LinkRegulation {
  struct Use {
    DataSize amount;  // of the busier direction
    int open = 0;
    bool beyond = false;  // more than the peak with all links open
  };
  DataSize peak;
  std::vector<Use> lags;                // by lag
  std::vector<bool> open;               // by link; those of hosts always are
  std::vector<policy::RateLevel> step;  // by link
};

// All links open, at full rate.
[[nodiscard]] LinkRegulation all_open(const topology::Graph& graph,
                                      const forwarding::VlanNetwork& network);

struct RegulateLinks {
  // The most that a link may carry in a direction; none: what the busiest one does with all open.
  std::optional<DataSize> peak;
  bool slow = false;  // a last link may run more slowly
};

// Refuses to slow links whose rate tables differ.
[[nodiscard]] Result<LinkRegulation> regulate_links(const topology::Graph& graph,
                                                    const forwarding::AddressPlan& plan,
                                                    const forwarding::VlanNetwork& network,
                                                    std::span<const PairAmount> pairs,
                                                    const RegulateLinks& by);

}  // namespace ebb::controller
