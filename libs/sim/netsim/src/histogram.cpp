// SPDX-License-Identifier: Apache-2.0
#include "ebb/netsim/histogram.hpp"

#include <algorithm>

namespace ebb::netsim {

Histogram& Histogram::operator+=(const Histogram& other) {
  for (std::size_t i = 0; i < kBuckets; ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  sum_ += other.sum_;
  least_ = std::min(least_, other.least_);
  most_ = std::max(most_, other.most_);
  return *this;
}

Duration Histogram::mean() const {
  if (count_ == 0) return {};
  return Duration(static_cast<std::int64_t>(sum_ / static_cast<Int128>(count_)));
}

// The largest value that bucket() puts there: it inverts (shift << kBits) + (value >> shift).
std::int64_t Histogram::upper_end(std::size_t bucket) {
  constexpr std::size_t kLinear = std::size_t{2} << kBits;
  if (bucket < kLinear) return static_cast<std::int64_t>(bucket);
  const auto shift = static_cast<int>((bucket >> kBits) - 1);
  const auto leading =
      static_cast<std::int64_t>(bucket - (static_cast<std::size_t>(shift) << kBits));
  return (leading << shift) + ((std::int64_t{1} << shift) - 1);
}

Duration Histogram::quantile(Ratio rank) const {
  if (count_ == 0) return {};
  // The value of rank q is the ceil(q n)-th smallest, the first for q = 0.
  const Int128 scaled = static_cast<Int128>(count_) * rank.num();
  const auto wanted = std::max<Int128>(1, (scaled + rank.den() - 1) / rank.den());
  Int128 seen = 0;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    seen += static_cast<Int128>(counts_[i]);
    if (seen >= wanted) return std::min(Duration(upper_end(i)), most_);
  }
  return most_;
}

std::vector<Histogram::Bucket> Histogram::filled() const {
  std::vector<Bucket> buckets;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    if (counts_[i] > 0) buckets.push_back({Duration(upper_end(i)), counts_[i]});
  }
  return buckets;
}

void Histogram::append_to(Bytes& bytes) const {
  append_list(bytes, counts_);
  append(bytes, count_);
  append(bytes, sum_);
  append(bytes, least_);
  append(bytes, most_);
}

Histogram Histogram::taken_from(ByteReader& reader) {
  Histogram histogram;
  histogram.counts_ = reader.take_list<std::uint64_t>();
  histogram.count_ = reader.take<std::uint64_t>();
  histogram.sum_ = reader.take<Int128>();
  histogram.least_ = reader.take<Duration>();
  histogram.most_ = reader.take<Duration>();
  return histogram;
}

}  // namespace ebb::netsim
