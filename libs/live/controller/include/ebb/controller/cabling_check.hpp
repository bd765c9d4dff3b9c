// SPDX-License-Identifier: Apache-2.0
//
// Whether cables run as the description says. Each port between switches sends discovery probes, as
// LLDP does, that name the switch and the port that they come from. The switch that receives one
// hands it to the controller, which then knows both ends of the cable.
//
//   Probe, ProbeSeal  what a probe says, and the code that shows that it is ours
//   CablingCheck      which cable leads where
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/forwarding/table.hpp"
#include "ebb/topology/graph.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
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
using ProbeKey = std::array<std::uint8_t, 32>;
// Hosts and other machines must not be able to forge probes.
[[nodiscard]] ProbeKey random_probe_key();

struct Probe {
  Place from;
  std::uint64_t number = 0;  // counts up at each port: an old one that is sent again is known

  bool operator==(const Probe&) const = default;
};

// Probes with a message authentication code over all that they say: HMAC-SHA-256 (RFC 2104), of
// which a frame has the first 16 bytes. Only who knows the key can make one.
class ProbeSeal {
 public:
  explicit ProbeSeal(const ProbeKey& key);
  ProbeSeal(const ProbeSeal&) = delete;
  ProbeSeal& operator=(const ProbeSeal&) = delete;
  ~ProbeSeal();

  [[nodiscard]] ProbeFrame seal(const Probe& probe) const;
  [[nodiscard]] Result<Probe> open(std::span<const std::uint8_t> frame) const;

 private:
  struct Code;
  std::unique_ptr<Code> code_;
};

class CablingCheck {
 public:
  explicit CablingCheck(const topology::Graph& graph);

  // A probe that `from` sent came in at `at`. False: as the one before.
  bool heard(const Place& at, const Place& from);
  void forget(std::uint32_t device);
  // What that port sends comes in nowhere any more.
  void lost(const Place& from);

  // Where the cable at a port should lead; none: to no other switch.
  [[nodiscard]] std::optional<Place> expected(const Place& at) const;
  // Cables that run elsewhere, one line each, both ends named.
  [[nodiscard]] std::vector<std::string> wrong() const;
  // Ports between switches that have not heard anything.
  [[nodiscard]] const std::set<Place>& silent() const { return silent_; }

 private:
  void forget(const Place& at);
  [[nodiscard]] std::string name(const Place& place) const;

  const topology::Graph& graph_;
  std::map<Place, Place> heard_;
  std::set<Place> wrong_;  // that heard someone else than they should
  std::set<Place> silent_;
};

}  // namespace ebb::controller
