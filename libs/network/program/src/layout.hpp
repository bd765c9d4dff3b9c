// SPDX-License-Identifier: Apache-2.0
//
// The binary form of GOAL: little endian, packed, nothing between the fields.
//
//   u64 cookie, u32 ranks R, u8 highest cpu, u8 highest nic,
//   R x (u64 begin, u64 end) of each rank, counted from kRanksAt,
//   and for each rank: u32 operations n, u32 roots k, k x u32 root, n x operation, u32 successors
//   ...
//
// Successors are stored, not dependencies: of each operation first those that wait for its end,
// then those that wait for its start.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ebb::program::layout {

static_assert(std::endian::native == std::endian::little);

inline constexpr std::uint64_t kCookie = 4223;
inline constexpr std::uint64_t kCookieInUse = 2342;  // LogGOPSim had it open for writing
inline constexpr std::size_t kRanksAt = 8;
inline constexpr std::size_t kHighestCpuAt = 12;
inline constexpr std::size_t kHighestNicAt = 13;
inline constexpr std::size_t kTableAt = 14;
inline constexpr std::size_t kTableEntry = 16;

inline constexpr std::size_t kRankHeader = 8;
inline constexpr std::size_t kOperation = 39;
// Of an operation.
inline constexpr std::size_t kDependenciesAt = 0;  // u32
inline constexpr std::size_t kKindAt = 4;          // u8
inline constexpr std::size_t kPeerAt = 5;          // u32
inline constexpr std::size_t kAmountAt = 9;        // u64: bytes or nanoseconds
inline constexpr std::size_t kTagAt = 17;          // u32
inline constexpr std::size_t kCpuAt = 21;          // u8
inline constexpr std::size_t kNicAt = 22;          // u8
inline constexpr std::size_t kEndsAt = 23;         // u32 count, u32 index of the first
inline constexpr std::size_t kStartsAt = 31;       // the same

// Quantities of ebb have 63 bits, for a size in bits and a time in picoseconds. One operation takes
// at most an eighth of that, so that some can be added before a sum is looked at.
inline constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 57U;
inline constexpr std::uint64_t kMostNanoseconds = 1'000'000'000'000'000;  // 11 days

template <class T>
[[nodiscard]] T read(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

}  // namespace ebb::program::layout
