// SPDX-License-Identifier: Apache-2.0
//
// Where the hosts of a rail-optimised Clos hang, and the folded Clos that joins its leaves; the
// family is families/rail_clos.cpp.
#pragma once

#include "ebb/topology/graph.hpp"
#include "ebb/units/parameters.hpp"

#include <cstdint>
#include <optional>

namespace ebb::topology {

// Leaves of the host nodes of a rail-clos, by arithmetic.
class Rails {
 public:
  // Of a rail-clos that ebb holds.
  explicit Rails(const Parameters& parameters);

  [[nodiscard]] std::uint32_t tors() const { return tors_; }
  [[nodiscard]] std::uint32_t leaf_of(std::uint32_t host_node) const {
    const std::uint32_t host = host_node % hosts_;
    const std::uint32_t pod = host / (servers_ * gpus_);
    return (pod * gpus_ + host % gpus_) * tors_ + host_node / hosts_;
  }

 private:
  std::uint32_t servers_;
  std::uint32_t gpus_;
  std::uint32_t tors_;
  std::uint32_t hosts_;  // each with an interface on each of its leaves
};

// Parameters of the clos whose switches and links between switches a network has, that of one
// plane: of a clos its own, of a rail-clos those of the clos with as many leaves. Nothing: of other
// families.
[[nodiscard]] std::optional<Parameters> clos_parameters(const Origin& origin);

}  // namespace ebb::topology
