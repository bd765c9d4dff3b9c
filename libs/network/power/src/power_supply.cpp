// SPDX-License-Identifier: Apache-2.0
#include "ebb/power/power_supply.hpp"

#include "ebb/core/check.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace ebb::power {
namespace {

constexpr std::int64_t kMillion = 1'000'000;

std::int64_t millionths(Ratio ratio) {
  return static_cast<std::int64_t>(static_cast<Int128>(ratio.num()) * kMillion / ratio.den());
}

// Of positive numbers.
std::int64_t divided_up(Int128 number, Int128 by) {
  return static_cast<std::int64_t>((number + by - 1) / by);
}

}  // namespace

// Of P_wall over P, in millionths.
struct SwitchSupply::Slopes {
  std::int64_t flattest = std::numeric_limits<std::int64_t>::max();
  std::int64_t steepest = 0;

  void add(std::int64_t at_least, std::int64_t at_most) {
    flattest = std::min(flattest, at_least);
    steepest = std::max(steepest, at_most);
  }
};

SwitchSupply::SwitchSupply(std::span<const EfficiencyPoint> efficiency, Power rated, int count)
    : capacity_(rated * count) {
  points_.reserve(efficiency.size());
  for (const EfficiencyPoint& point : efficiency)
    points_.push_back({millionths(point.load), millionths(point.efficiency.value)});
  EBB_CHECK(!points_.empty() && points_.back().load == kMillion, "a supply is known at full load");
  EBB_CHECK(capacity_ > Power{}, "supplies are rated for some power");
}

Power SwitchSupply::output_at(const Point& point) const {
  return scale(capacity_, Ratio(point.load, kMillion));
}

std::string SwitchSupply::text() const {
  std::string text = fmt::format("supply {}", capacity_.count());
  for (const Point& point : points_) text += fmt::format(" {}:{}", point.load, point.efficiency);
  return text + "\n";
}

std::size_t SwitchSupply::end_of(Power output) const {
  const auto end = std::find_if(points_.begin(), points_.end(), [&](const Point& point) {
    return static_cast<Int128>(output.count()) * kMillion <=
           static_cast<Int128>(capacity_.count()) * point.load;
  });
  return static_cast<std::size_t>(end - points_.begin());
}

// With capacity C, load L_i and efficiency e_i in millionths M and W = L_j - L_i, between two
// points
//   eta M W C = e_i W C + (e_j - e_i) (P M - L_i C)
// P M W C is at most 4.1e37 for 64 supplies of 100 kW, which part files do not exceed.
Power SwitchSupply::at_wall(Power output) const {
  const std::size_t end = end_of(output);
  const Int128 own = output.count();
  const Int128 all = capacity_.count();
  if (end == 0) {
    const Point& first = points_.front();
    const Int128 lost = all * first.load * (kMillion - first.efficiency);
    return output + microwatts(divided_up(lost, Int128{kMillion} * first.efficiency));
  }
  if (end == points_.size())
    return microwatts(divided_up(own * kMillion, points_.back().efficiency));
  const Point& low = points_[end - 1];
  const Point& high = points_[end];
  const Int128 width = (high.load - low.load) * all;
  const Int128 efficiency = low.efficiency * width +
                            (high.efficiency - low.efficiency) * (own * kMillion - low.load * all);
  return microwatts(divided_up(own * kMillion * width, efficiency));
}

// In millionths, rounded down, between the point `end` and the one before it.
std::int64_t SwitchSupply::efficiency_at(std::size_t end, Power output) const {
  const Point& low = points_[end - 1];
  const Point& high = points_[end];
  const Int128 width = static_cast<Int128>(high.load - low.load) * capacity_.count();
  const Int128 above = static_cast<Int128>(output.count()) * kMillion -
                       static_cast<Int128>(low.load) * capacity_.count();
  return static_cast<std::int64_t>(
      (low.efficiency * width + (high.efficiency - low.efficiency) * above) / width);
}

// The derivative of P / eta is (eta - x eta') / eta^2, and eta - x eta' is the same all over a
// straight line: its value at no load.
void SwitchSupply::add_slopes(std::size_t end, Power output, Slopes& slopes) const {
  if (end == 0) return slopes.add(kMillion, kMillion);
  if (end == points_.size()) {
    const Int128 slope = Int128{kMillion} * kMillion / points_.back().efficiency;
    return slopes.add(static_cast<std::int64_t>(slope), static_cast<std::int64_t>(slope) + 1);
  }
  const Point& low = points_[end - 1];
  const Point& high = points_[end];
  const Int128 at_no_load = static_cast<Int128>(low.efficiency) * high.load -
                            static_cast<Int128>(high.efficiency) * low.load;
  const Int128 eta = efficiency_at(end, output);
  const Int128 whole = at_no_load * kMillion * kMillion;
  const Int128 width = high.load - low.load;
  slopes.add(static_cast<std::int64_t>(whole / (width * (eta + 1) * (eta + 1))),
             divided_up(whole, width * eta * eta));
}

Power SwitchSupply::mean_differs_by(const OutputRange& output) const {
  if (output.mean <= output.least || output.most <= output.mean) return {};
  Slopes slopes;
  const std::size_t last = end_of(output.most);
  for (std::size_t end = end_of(output.least); end <= last; ++end) {
    const Power from = end == 0 ? Power{} : output_at(points_[end - 1]);
    const Power to = end == points_.size() ? output.most : output_at(points_[end]);
    add_slopes(end, std::max(from, output.least), slopes);
    add_slopes(end, std::min(to, output.most), slopes);
  }
  const Int128 below = (output.mean - output.least).count();
  const Int128 above = (output.most - output.mean).count();
  return microwatts(
      divided_up((slopes.steepest - slopes.flattest) * below * above, (below + above) * kMillion));
}

Result<std::optional<SwitchSupply>> supply_of(const Chip& chip, const Library& library) {
  if (!chip.supply) return std::optional<SwitchSupply>{};
  const auto part = library.find_as<PowerSupply>(chip.supply->part);
  if (!part) return fail(part.error());
  const auto& rated = chip.supply->rated ? chip.supply->rated : (*part)->rated;
  if (!rated) return fail(fmt::format("nobody says for what '{}' is rated", chip.supply->part));
  return std::optional(SwitchSupply((*part)->efficiency, rated->value, chip.supply->count));
}

namespace {

// x_i / eta_i rises from point to point.
bool rises(const EfficiencyPoint& low, const EfficiencyPoint& high) {
  return static_cast<Int128>(millionths(low.load)) * millionths(high.efficiency.value) <
         static_cast<Int128>(millionths(high.load)) * millionths(low.efficiency.value);
}

}  // namespace

std::vector<EfficiencyMistake> validate(std::span<const EfficiencyPoint> efficiency) {
  std::vector<EfficiencyMistake> mistakes;
  for (std::size_t i = 1; i < efficiency.size(); ++i) {
    const EfficiencyPoint& low = efficiency[i - 1];
    const EfficiencyPoint& high = efficiency[i];
    if (millionths(high.load) <= millionths(low.load)) {
      mistakes.push_back({i, fmt::format("loads must ascend, but {} follows {}", to_text(high.load),
                                         to_text(low.load))});
    } else if (!rises(low, high)) {
      mistakes.push_back({i, fmt::format("at {} it would take less from the wall than at {}",
                                         to_text(high.load), to_text(low.load))});
    }
  }
  if (!efficiency.empty() && efficiency.back().load != Ratio(1, 1)) {
    mistakes.push_back({efficiency.size() - 1,
                        fmt::format("the last point is full load: its load must be 1, not {}",
                                    to_text(efficiency.back().load))});
  }
  return mistakes;
}

}  // namespace ebb::power
