// SPDX-License-Identifier: Apache-2.0
#include "ebb/traffic/size_distribution.hpp"

#include "ebb/core/check.hpp"

#include <algorithm>
#include <utility>

namespace ebb::traffic {
namespace {

constexpr std::int64_t kMillion = 1'000'000;
// Steps in which a millionth is drawn: sizes of the longest stretch, a gigabyte in a few per cent
// of the messages, still differ by less than a byte.
constexpr std::int64_t kSteps = std::int64_t{1} << 30U;

// Where stretches begin has been checked: points ascend.
std::int64_t between(const SizePoint& from, const SizePoint& to, std::int64_t drawn) {
  const Int128 done = drawn - from.of_a_million * kSteps;
  const Int128 whole = (to.of_a_million - from.of_a_million) * static_cast<Int128>(kSteps);
  const Int128 more = (done * (to.bytes - from.bytes) + whole / 2) / whole;
  return from.bytes + static_cast<std::int64_t>(more);
}

}  // namespace

SizeDistribution::SizeDistribution(std::string name, std::string source,
                                   std::vector<SizePoint> points)
    : name_(std::move(name)), source_(std::move(source)), points_(std::move(points)) {
  EBB_CHECK(!points_.empty() && points_.back().of_a_million == kMillion, "ends at a million");
  for (std::size_t i = 1; i < points_.size(); ++i) {
    EBB_CHECK(points_[i - 1].bytes < points_[i].bytes &&
                  points_[i - 1].of_a_million < points_[i].of_a_million,
              "points ascend");
  }
}

DataSize SizeDistribution::draw(RandomStream& stream) const {
  const auto drawn =
      static_cast<std::int64_t>(stream.below(static_cast<std::uint64_t>(kMillion * kSteps)));
  const auto to =
      std::upper_bound(points_.begin(), points_.end(), drawn / kSteps,
                       [](std::int64_t at, const SizePoint& p) { return at < p.of_a_million; });
  const std::int64_t size = to == points_.begin() ? to->bytes : between(*(to - 1), *to, drawn);
  return bytes(std::max<std::int64_t>(size, 1));
}

DataSize SizeDistribution::mean() const {
  const SizePoint& first = points_.front();
  Int128 sum = 2 * static_cast<Int128>(first.bytes) * first.of_a_million;  // in half millionths
  for (std::size_t i = 1; i < points_.size(); ++i) {
    sum += static_cast<Int128>(points_[i - 1].bytes + points_[i].bytes) *
           (points_[i].of_a_million - points_[i - 1].of_a_million);
  }
  return bits(static_cast<std::int64_t>((8 * sum + kMillion) / (Int128{2} * kMillion)));
}

}  // namespace ebb::traffic
