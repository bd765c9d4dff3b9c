// SPDX-License-Identifier: Apache-2.0
//
// Hierarchical MAC addresses ("On the Use of Commodity Ethernet Technology in Exascale HPC Systems",
// Section III): where a host is, written into its address. The lowest field is the host of its
// switch. Above it stand the switch, or where the family has them its coordinates or the switch of
// the group and the group: one field each, as wide as the network needs.
//
// An address has 46 bits: all of a MAC but the two that say "individual" and "locally
// administered".
//
//   const auto plan = AddressPlan::make(graph);
//   to_text(mac_of(plan->of_host(17)))   // "02:00:00:00:01:01"
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/topology/graph.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ebb::rules {

inline constexpr int kAddressBits = 46;
using Address = std::uint64_t;  // the low 46 bits

enum class Mac : std::uint64_t {};  // 48 bits, as sent: the first octet is the highest

[[nodiscard]] Mac mac_of(Address address);
// A mask of address bits as one of MAC bits; the two fixed bits are not in it.
[[nodiscard]] std::uint64_t mac_mask(Address mask);
[[nodiscard]] std::string to_text(Mac mac);

struct Field {
  std::string name;  // "host", "switch", "group", "x1", "x2", ...
  int shift = 0;     // of its lowest bit
  int bits = 0;

  [[nodiscard]] Address mask() const { return ((Address{1} << bits) - 1) << shift; }
  [[nodiscard]] Address place(std::uint64_t value) const { return value << shift; }
  bool operator==(const Field&) const = default;
};

class AddressPlan {
 public:
  // Refuses networks whose fields need more than 46 bits, with the widths.
  [[nodiscard]] static Result<AddressPlan> make(const topology::Graph& graph);

  [[nodiscard]] std::span<const Field> fields() const { return fields_; }  // the lowest first
  [[nodiscard]] int bits() const;
  // Of the switch that serves hosts, with host field zero.
  [[nodiscard]] Address of_switch(std::uint32_t access_switch) const;
  [[nodiscard]] Address of_host(std::uint32_t host) const;
  // The mask of all fields above the host.
  [[nodiscard]] Address switch_mask() const;
  // The mask of what a group is known by: the highest field where there are several above the host
  // (flattened butterflies: all dimensions but the first); none: there are no groups.
  [[nodiscard]] Address group_mask() const { return group_mask_; }

 private:
  std::vector<Field> fields_;
  Address group_mask_ = 0;
  std::vector<Address> of_switch_;       // by switch; of those with hosts
  std::vector<std::uint32_t> first_host_;  // by switch
  std::vector<std::uint32_t> switch_of_;   // by host
};

}  // namespace ebb::rules
