// SPDX-License-Identifier: Apache-2.0
#include "injections/draws.hpp"

#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace ebb::traffic {
namespace {

constexpr std::int64_t kFinestLoad = 1'000'000'000;
constexpr DataSize kLargestMessage = bytes(std::int64_t{1} << 40U);
constexpr Duration kLongestGap = std::chrono::hours(1);

}  // namespace

Parameter load_parameter(Ratio least) {
  return {"load", Range<Ratio>{least, Ratio(1, 1)}, std::nullopt,
          "share of the host rate that is sent"};
}

Parameter size_parameter(std::string help) {
  return {"size", Range<DataSize>{bits(1), kLargestMessage}, std::nullopt, std::move(help)};
}

Parameter spread_parameter() {
  return {"spread", Range<Ratio>{Ratio(0, 1), Ratio(1, 1)}, "1",
          "share of an interval over which the hosts start; 0: all in step"};
}

Result<Interval> Interval::mean_gap(DataSize size, Ratio load, DataRate rate) {
  if (load.den() > kFinestLoad) {
    return fail(fmt::format("'load' may be given to nine decimals, got {}", to_text(load)),
                {.path = "load"});
  }
  // At most 2^43 * 2^40 * 2^30 over 2^63 * 2^30.
  const Int128 picobits = static_cast<Int128>(size.count()) * 1'000'000'000'000 * load.den();
  const Int128 of = static_cast<Int128>(rate.count()) * load.num();
  if (picobits / of >= kLongestGap.count()) {
    return fail(
        fmt::format("messages of {} at load {} of {} are an hour or more apart; give a "
                    "larger load or a smaller size",
                    to_text(size), to_text(load), to_text(rate)));
  }
  return Interval(static_cast<std::int64_t>(picobits / of), picobits % of, of);
}

Progress Interval::phase(Ratio spread, RandomStream& stream) const {
  const Int128 range = static_cast<Int128>(whole_) * spread.num() / spread.den();
  if (range < 1) return {};
  const std::uint64_t drawn = stream.below(static_cast<std::uint64_t>(range));
  return {.at = TimePoint(Duration(static_cast<std::int64_t>(drawn)))};
}

double Interval::picoseconds() const {
  return static_cast<double>(whole_) + static_cast<double>(part_) / static_cast<double>(of_);
}

namespace {

constexpr double kOne = 9007199254740992.0;  // 2^53

}  // namespace

ParetoCount::ParetoCount(Ratio shape, std::uint32_t most) {
  const auto power = [&](double n) { return portable_exp(-shape.to_double() * portable_log(n)); };
  const double cut = power(most + 1.0);
  Int128 sum = 0;
  for (std::uint32_t n = 1; n <= most; ++n) {
    const double share = (power(n) - cut) / (1 - cut);
    at_least_.push_back(static_cast<std::uint64_t>(share * kOne));
    sum += at_least_.back();
  }
  mean_ = static_cast<double>(sum) / kOne;
}

std::uint32_t ParetoCount::draw(RandomStream& stream) const {
  const std::uint64_t drawn = stream.next() >> 11U;
  const auto above = std::partition_point(at_least_.begin(), at_least_.end(),
                                          [&](std::uint64_t share) { return drawn < share; });
  return static_cast<std::uint32_t>(above - at_least_.begin());
}

}  // namespace ebb::traffic
