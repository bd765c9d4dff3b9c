// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/cabling_check.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::controller {
namespace {

// Never forwarded by bridges that do not know it.
constexpr std::array<std::uint8_t, 12> kAddresses = {0x01, 0x80, 0xc2, 0x00, 0x00, 0x0e,
                                                     0x02, 0xeb, 0xb0, 0x00, 0x00, 0x01};
constexpr std::array<std::uint8_t, 8> kMagic = {'e', 'b', 'b', '-', 'w', 'i', 'r', 'e'};
constexpr std::size_t kType = 12;
constexpr std::size_t kMagicAt = 14;
constexpr std::size_t kFabricAt = 22;
constexpr std::size_t kDeviceAt = 30;
constexpr std::size_t kPortAt = 34;
constexpr std::size_t kEnd = 38;

void put(ProbeFrame& frame, std::size_t at, std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i)
    frame[at + i] = static_cast<std::uint8_t>(value >> (8 * (bytes - 1 - i)));
}

std::uint32_t number(std::span<const std::uint8_t> frame, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = (value << 8U) | frame[at + i];
  return value;
}

}  // namespace

ProbeFrame discovery_probe(const Place& from, std::uint64_t fabric) {
  ProbeFrame frame{};
  std::copy(kAddresses.begin(), kAddresses.end(), frame.begin());
  put(frame, kType, kDiscoveryEtherType, 2);
  std::copy(kMagic.begin(), kMagic.end(), frame.begin() + kMagicAt);
  put(frame, kFabricAt, fabric, 8);
  put(frame, kDeviceAt, from.device, 4);
  put(frame, kPortAt, from.port, 4);
  return frame;
}

Result<Place> read_probe(std::span<const std::uint8_t> frame, std::uint64_t fabric) {
  if (frame.size() < kEnd) return fail("the frame is too short");
  const ProbeFrame mine = discovery_probe({}, fabric);
  if (!std::equal(mine.begin() + kType, mine.begin() + kDeviceAt, frame.begin() + kType))
    return fail("the frame is no probe of this fabric");
  return Place{number(frame, kDeviceAt), number(frame, kPortAt)};
}

CablingCheck::CablingCheck(const topology::Graph& graph) : graph_(graph) {
  for (std::uint32_t device = 0; device < graph_.switch_count(); ++device) {
    const auto ports = graph_.outputs(graph_.switch_node(device)).size();
    for (forwarding::PortNumber port = 1; port <= ports; ++port) {
      if (expected({device, port})) silent_.insert(silent_.end(), {device, port});
    }
  }
}

void CablingCheck::heard(const Place& at, const Place& from) {
  heard_[at] = from;
  silent_.erase(at);
  if (expected(at) == from) {
    wrong_.erase(at);
  } else {
    wrong_.insert(at);
  }
}

void CablingCheck::unhear(const Place& at) {
  if (heard_.erase(at) == 0) return;
  wrong_.erase(at);
  if (expected(at)) silent_.insert(at);
}

// What its ports heard, and who heard it: where they should, or among what is wrong.
void CablingCheck::forget(std::uint32_t device) {
  std::vector<Place> gone;
  for (auto at = heard_.lower_bound({device, 0}); at != heard_.end() && at->first.device == device;
       ++at) {
    gone.push_back(at->first);
  }
  const auto ports = graph_.outputs(graph_.switch_node(device)).size();
  for (forwarding::PortNumber port = 1; port <= ports; ++port) {
    const auto other = expected({device, port});
    const auto there = other ? heard_.find(*other) : heard_.end();
    if (there != heard_.end() && there->second.device == device) gone.push_back(*other);
  }
  for (const Place& at : wrong_) {
    if (heard_.at(at).device == device) gone.push_back(at);
  }
  for (const Place& at : gone) unhear(at);
}

std::optional<Place> CablingCheck::expected(const Place& at) const {
  const auto output = forwarding::output_at(graph_, at.device, at.port);
  if (!output || graph_.is_host(graph_.target(*output))) return std::nullopt;
  return Place{index(graph_.target(*output)),
               forwarding::port_of(graph_, topology::reverse(*output))};
}

std::string CablingCheck::name(const Place& place) const {
  const std::string device = place.device < graph_.switch_count()
                                 ? graph_.name(graph_.switch_node(place.device))
                                 : "an unknown switch";
  return fmt::format("{} port {}", device, place.port);
}

std::vector<std::string> CablingCheck::wrong() const {
  std::vector<std::string> lines;
  for (const Place& at : wrong_) {
    const Place& from = heard_.at(at);
    const auto should = expected(at);
    const std::string wanted = should ? name(*should) : "no other switch";
    lines.push_back(
        fmt::format("{} should lead to {}, but leads to {}", name(at), wanted, name(from)));
  }
  return lines;
}

}  // namespace ebb::controller
