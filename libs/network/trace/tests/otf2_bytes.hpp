// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as the definitions and records of an OTF2 archive, as its library would hand them over:
// for a fuzzer, and the test that replays what it found. The first byte is the resolution of the
// clock; three bytes are a record: the rank and what it is, and two fields of it.
#pragma once

#include "otf2_records.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace ebb::trace {

inline constexpr std::uint32_t kBytesRanks = 4;

// Of all ranks, of two in the other order, of each rank alone, between two groups, and one that
// names ranks that do not exist.
inline Otf2Definitions bytes_definitions(std::uint8_t ticks) {
  Otf2Definitions all{ticks, kBytesRanks, {}};
  all.communicators[0].ranks = {0, 1, 2, 3};
  all.communicators[1].ranks = {3, 1};
  all.communicators[2] = {};
  all.communicators[3] = {{0, 1}, {2, 3}, false};
  all.communicators[4] = {{0, 1, 2, 3}, {}, true};
  all.communicators[5].ranks = {2, 2, 9};
  return all;
}

inline void record_bytes(Otf2Rank& rank, std::uint32_t what, std::uint8_t one, std::uint8_t other) {
  const Otf2Message message{other % 8U, one % 8U, other / 32U,
                            one > 250 ? ~std::uint64_t{0} : std::uint64_t{other} << (one / 8U)};
  const Otf2Collective collective{static_cast<Otf2Collective::Kind>(one % 24U), other % 8U,
                                  other / 64U, message.size, std::uint64_t{one} << (other / 8U)};
  switch (what) {
    case 0:
      return rank.enter_mpi();
    case 1:
      return rank.leave_mpi();
    case 2:
      return rank.send(message);
    case 3:
      return rank.send(message, one);
    case 4:
      return rank.send_completed(one);
    case 5:
      return rank.receive_requested(one);
    case 6:
      return rank.receive(message);
    case 7:
      return rank.receive(message, one);
    case 8:
      return rank.collective_requested(one);
    case 9:
      return rank.collective(collective);
    case 10:
      return rank.collective(collective, one / 24U);
    case 11:
      return rank.one_sided();
    case 12:
      return rank.at(std::uint64_t{one} << (other % 64U));
    default:
      return rank.at(std::uint64_t{one} * 256 + other);
  }
}

inline Result<Trace> read_bytes(std::span<const std::uint8_t> data) {
  Otf2Records records(bytes_definitions(data.empty() ? 1 : data[0]), "bytes");
  for (std::size_t at = 1; at + 3 <= data.size(); at += 3) {
    record_bytes(records.rank(data[at] % kBytesRanks), data[at] / kBytesRanks % 14, data[at + 1],
                 data[at + 2]);
  }
  return records.program("recursive-doubling");
}

}  // namespace ebb::trace
