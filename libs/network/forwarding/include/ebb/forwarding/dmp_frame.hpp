// SPDX-License-Identifier: Apache-2.0
//
// The Dynamic MAC Protocol ("On the Use of Commodity Ethernet Technology in Exascale HPC Systems",
// Section IV): a host asks for the address that says where it is, and its switch sends the frame
// back with that address as source. A rule of the switch does it, no controller takes part.
//
//   request:  to 01:80:c2:00:00:0e   from the host's own MAC   type 0x88b5   "ebb-dmp" nonce
//   answer:   the same frame, its source overwritten
//
// The destination is one that bridges never forward, so only the own switch can answer. The nonce
// tells the answer from one to somebody else's request.
#pragma once

#include "ebb/core/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ebb::dmp {

inline constexpr std::uint16_t kEtherType = 0x88b5;  // IEEE 802, local experimental 1
inline constexpr std::size_t kFrameBytes = 60;       // the least that Ethernet carries

using MacBytes = std::array<std::uint8_t, 6>;
using Frame = std::array<std::uint8_t, kFrameBytes>;

[[nodiscard]] Frame request(const MacBytes& own, std::uint64_t nonce);

// The address in an answer. Refuses what is no answer to this request, and addresses that no host
// of a fabric has: those of groups, and those not locally administered.
[[nodiscard]] Result<MacBytes> read_answer(std::span<const std::uint8_t> frame, const MacBytes& own,
                                           std::uint64_t nonce);

// 10.x.y.z with the low 24 bits of the address: what switches answer ARP requests for.
[[nodiscard]] std::array<std::uint8_t, 4> ip_of(const MacBytes& mac);

}  // namespace ebb::dmp
