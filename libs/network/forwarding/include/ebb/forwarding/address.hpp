// SPDX-License-Identifier: Apache-2.0
//
// Hierarchical MAC addresses ("On the Use of Commodity Ethernet Technology in Exascale HPC
// Systems", Section III): where a host is, written into its address. The lowest field is the host
// of its switch. Above it stand, one field each and as wide as the network needs:
//
//   fbfly, mesh, torus   x1, x2, ...        the coordinates of the switch
//   dragonfly            switch, group
//   clos                 leaf, pod, block   as many as there are levels below the last
//   others               switch             counted among those with hosts
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
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ebb::forwarding {

inline constexpr int kAddressBits = 46;
using Address = std::uint64_t;  // the low 46 bits
// The rerouted tag: set in the destination of a frame that has taken a fast reroute, which may not
// happen twice. A network whose fields need this bit can have no fast reroutes.
inline constexpr Address kReroutedTag = Address{1} << (kAddressBits - 1);

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
  // Of a switch that serves hosts, with host field zero.
  [[nodiscard]] Address of_switch(std::uint32_t access_switch) const;
  [[nodiscard]] Address of_host(std::uint32_t host) const { return of_host_[host]; }
  [[nodiscard]] std::optional<std::uint32_t> host_at(Address address) const;
  // The switch that a host hangs on: that of its first link.
  [[nodiscard]] std::uint32_t switch_of(std::uint32_t host) const { return switch_of_[host]; }
  // Switches that serve hosts, ascending.
  [[nodiscard]] std::span<const std::uint32_t> access_switches() const { return access_switches_; }
  // On the busiest switch.
  [[nodiscard]] std::uint32_t most_hosts() const { return most_hosts_; }
  // The mask of all fields above the host.
  [[nodiscard]] Address switch_mask() const;
  // The mask of what a group is known by: all fields above the switch of the group (dragonfly: the
  // group, Clos: the pod, grids: all dimensions but the first); 0: there are no groups.
  [[nodiscard]] Address group_mask() const { return group_mask_; }

 private:
  void number_hosts();

  std::vector<Field> fields_;
  Address group_mask_ = 0;
  std::uint32_t most_hosts_ = 0;
  std::vector<std::uint32_t> access_switches_;
  std::vector<Address> of_switch_;         // by switch; 0 of those without hosts
  std::vector<std::uint32_t> switch_of_;   // by host
  std::vector<Address> of_host_;           // by host
  std::vector<std::uint32_t> by_address_;  // hosts, ascending by address
};

}  // namespace ebb::forwarding
