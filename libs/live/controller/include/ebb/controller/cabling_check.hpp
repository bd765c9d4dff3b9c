// SPDX-License-Identifier: Apache-2.0
//
// Whether cables run as the description says. Each port between switches sends discovery probes, as
// LLDP does, that name the switch and the port that they come from. The switch that receives one
// hands it to the controller, which then knows both ends of the cable.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/forwarding/table.hpp"
#include "ebb/topology/graph.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ebb::controller {

// Where a port is: a switch of the description and a port number, which it may not have.
struct Place {
  std::uint32_t device = 0;
  forwarding::PortNumber port = 0;

  auto operator<=>(const Place&) const = default;
};

inline constexpr std::uint16_t kDiscoveryEtherType = 0x88b6;  // IEEE 802, local experimental 2
using ProbeFrame = std::array<std::uint8_t, 60>;

// `fabric` tells probes of one controller from those of another.
[[nodiscard]] ProbeFrame discovery_probe(const Place& from, std::uint64_t fabric);
[[nodiscard]] Result<Place> read_probe(std::span<const std::uint8_t> frame, std::uint64_t fabric);

class CablingCheck {
 public:
  explicit CablingCheck(const topology::Graph& graph);

  // A probe that `from` sent came in at `at`.
  void heard(const Place& at, const Place& from);
  void forget(std::uint32_t device);

  // Cables that run elsewhere, one line each, both ends named.
  [[nodiscard]] std::vector<std::string> wrong() const;
  // Ports between switches that have not heard anything.
  [[nodiscard]] const std::set<Place>& silent() const { return silent_; }

 private:
  [[nodiscard]] std::optional<Place> expected(const Place& at) const;
  void unhear(const Place& at);
  [[nodiscard]] std::string name(const Place& place) const;

  const topology::Graph& graph_;
  std::map<Place, Place> heard_;
  std::set<Place> wrong_;  // that heard someone else than they should
  std::set<Place> silent_;
};

}  // namespace ebb::controller
