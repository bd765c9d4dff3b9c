// SPDX-License-Identifier: Apache-2.0
//
// Records as rows of the tables of database.hpp. A series is stored as bytes of numbers,
// little-endian on every machine.
#pragma once

#include "database.hpp"

#include "ebb/results/run.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace ebb::results {

template <class Number>
using BitsOf =
    std::conditional_t<sizeof(Number) == 1, std::uint8_t,
                       std::conditional_t<sizeof(Number) == 4, std::uint32_t, std::uint64_t>>;

template <class Number>
[[nodiscard]] std::vector<std::byte> to_bytes(std::span<const Number> numbers) {
  std::vector<std::byte> bytes;
  bytes.reserve(numbers.size() * sizeof(Number));
  for (const Number number : numbers) {
    const auto bits = std::bit_cast<BitsOf<Number>>(number);
    for (std::size_t i = 0; i < sizeof(Number); ++i)
      bytes.push_back(static_cast<std::byte>(bits >> (8 * i) & 0xff));
  }
  return bytes;
}

// Bytes that do not fill a number are ignored.
template <class Number>
[[nodiscard]] std::vector<Number> from_bytes(std::span<const std::byte> bytes) {
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    BitsOf<Number> bits = 0;
    for (std::size_t i = sizeof(Number); i-- > 0;) {
      const auto byte = std::to_integer<std::uint64_t>(bytes[n * sizeof(Number) + i]);
      bits = static_cast<BitsOf<Number>>(std::uint64_t{bits} << 8 | byte);
    }
    numbers[n] = std::bit_cast<Number>(bits);
  }
  return numbers;
}

[[nodiscard]] std::vector<Run> read_runs(const Database& database);
[[nodiscard]] std::vector<Histogram> read_histograms(const Database& database, std::int64_t run);
[[nodiscard]] std::vector<StateTime> read_residency(const Database& database, std::int64_t run);
[[nodiscard]] std::vector<Channel> read_channels(const Database& database, std::int64_t run);
[[nodiscard]] std::optional<Series> read_series(const Database& database, std::int64_t run);

// Inside a transaction of the caller.
[[nodiscard]] std::int64_t write_record(const Database& database, const Record& record,
                                        std::optional<double> wall_seconds);

}  // namespace ebb::results
