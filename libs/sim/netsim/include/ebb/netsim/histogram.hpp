// SPDX-License-Identifier: Apache-2.0
//
// Durations counted in log-linear buckets: 64 per factor of two, so a quantile is never more than
// 1.6 % above the true one, from picoseconds to days. Counts and the sum are integers: histograms
// of parts of a run add up to the same numbers in any order.
#pragma once

#include "ebb/core/bytes.hpp"
#include "ebb/units/quantity.hpp"
#include "ebb/units/time.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ebb::netsim {

class Histogram {
 public:
  // `value` must not be negative. Allocates nothing.
  void add(Duration value) {
    ++counts_[bucket(value.count())];
    ++count_;
    sum_ += value.count();
    if (value < least_) least_ = value;
    if (value > most_) most_ = value;
  }
  Histogram& operator+=(const Histogram& other);

  // From one process of a run to another.
  void append_to(Bytes& bytes) const;
  [[nodiscard]] static Histogram taken_from(ByteReader& reader);

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] Int128 sum_ps() const { return sum_; }

  // Of an empty histogram all of these are zero.
  [[nodiscard]] Duration mean() const;
  [[nodiscard]] Duration least() const { return count_ == 0 ? Duration{} : least_; }
  [[nodiscard]] Duration most() const { return most_; }
  // The upper end of the bucket in which the value of that rank lies, at most most().
  [[nodiscard]] Duration quantile(Ratio rank) const;

  struct Bucket {
    Duration upper{};  // the largest value that falls there
    std::uint64_t count = 0;

    bool operator==(const Bucket&) const = default;
  };
  // Those that hold something, ascending.
  [[nodiscard]] std::vector<Bucket> filled() const;

  bool operator==(const Histogram&) const = default;

 private:
  static constexpr int kBits = 6;  // 2^kBits buckets per factor of two
  static constexpr std::size_t kBuckets = static_cast<std::size_t>(63 - kBits + 1) << kBits;

  static std::size_t bucket(std::int64_t value) {
    const int shift = std::bit_width(static_cast<std::uint64_t>(value)) - (kBits + 1);
    if (shift <= 0) return static_cast<std::size_t>(value);
    return (static_cast<std::size_t>(shift) << kBits) + static_cast<std::size_t>(value >> shift);
  }
  static std::int64_t upper_end(std::size_t bucket);

  std::vector<std::uint64_t> counts_ = std::vector<std::uint64_t>(kBuckets);
  std::uint64_t count_ = 0;
  Int128 sum_ = 0;
  Duration least_ = Duration::max();
  Duration most_{};
};

}  // namespace ebb::netsim
