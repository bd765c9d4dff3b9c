// SPDX-License-Identifier: Apache-2.0
//
// Amounts of data in bits and rates in bit/s. Bits and bytes are one type with two spellings.
// A rate of zero is not a rate but a state of a link ("off"), so divisions need a positive rate.
#pragma once

#include "ebb/units/quantity.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>

namespace ebb {

using DataSize = Quantity<struct DataSizeTag>;  // bit
using DataRate = Quantity<struct DataRateTag>;  // bit/s

constexpr DataSize bits(std::int64_t n) { return DataSize::from_count(n); }
constexpr DataSize bytes(std::int64_t n) { return DataSize::from_count(8 * n); }

constexpr DataRate bits_per_second(std::int64_t n) { return DataRate::from_count(n); }
constexpr DataRate megabits_per_second(std::int64_t n) { return bits_per_second(1'000'000 * n); }
constexpr DataRate gigabits_per_second(std::int64_t n) {
  return bits_per_second(1'000'000'000 * n);
}

// Time to put `size` on a wire of `rate`: ceil(bits * 10^12 / rate), formed in 128 bits. The only
// place where a transmission time is rounded.
constexpr Duration serialization_time(DataSize size, DataRate rate) {
  const Int128 picobits = static_cast<Int128>(size.count()) * 1'000'000'000'000;
  return Duration(static_cast<std::int64_t>((picobits + rate.count() - 1) / rate.count()));
}

// What a wire of `rate` carries in `time`, rounded down to whole bits.
constexpr DataSize data_carried(DataRate rate, Duration time) {
  const Int128 picobits = static_cast<Int128>(rate.count()) * time.count();
  return bits(static_cast<std::int64_t>(picobits / 1'000'000'000'000));
}

}  // namespace ebb
