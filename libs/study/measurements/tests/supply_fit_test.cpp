// SPDX-License-Identifier: Apache-2.0
#include "ebb/measurements/supply_fit.hpp"

#include "ebb/core/random.hpp"
#include "ebb/files/parts_file.hpp"
#include "ebb/measurements/import.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace ebb::measurements {
namespace {

// 80 PLUS Platinum with a point at 5 %, of a supply of 600 W.
constexpr double kRated = 600;
struct Point {
  double load;
  double efficiency;
};
const std::vector<Point> kTrue = {{0.05, 0.78}, {0.2, 0.90}, {0.5, 0.94}, {1, 0.91}};
const std::vector<double> kAsked = {0.2, 0.5};

double efficiency_at(double load) {
  std::size_t after = 1;
  while (after + 1 < kTrue.size() && kTrue[after].load < load) ++after;
  const Point& from = kTrue[after - 1];
  const Point& to = kTrue[after];
  return from.efficiency +
         (to.efficiency - from.efficiency) * (load - from.load) / (to.load - from.load);
}

double normal(RandomStream& random) {
  return std::sqrt(-2 * std::log(random.unit())) * std::cos(2 * std::numbers::pi * random.unit());
}

// Both sensors are off by `noise` of what they see.
std::string measured(int samples, double noise, double most_load, std::uint64_t seed) {
  RandomStream random(seed, "supply");
  std::string text = "time,input_w,output_w\n";
  for (int i = 0; i < samples; ++i) {
    double load = 0.05 + (most_load - 0.05) * random.unit();
    if (i == 0) load = 0.05;
    if (i == 1) load = most_load;
    const double output = load * kRated * (1 + (i > 1 ? noise * normal(random) : 0));
    const double input = load * kRated / efficiency_at(load) * (1 + noise * normal(random));
    text += std::to_string(i) + "," + std::to_string(input) + "," + std::to_string(output) + "\n";
  }
  return text;
}

Result<SupplyFit> fitted(const std::string& text) {
  const auto series = read_supply({"supply.csv", text}, watts(600));
  if (!series) return fail(series.error());
  return fit_supply(*series, kAsked);
}

const power::Source kBench{
    .id = "ours", .title = "Our bench", .date = "2026", .evidence = power::Evidence::measured};

TEST(SupplyFit, IsExactWithoutNoise) {
  const auto fit = fitted(measured(50, 0, 1, 1));
  ASSERT_TRUE(fit);
  ASSERT_EQ(fit->points.size(), kTrue.size());
  for (std::size_t i = 0; i < kTrue.size(); ++i) {
    EXPECT_NEAR(fit->points[i].load, kTrue[i].load, 1e-8);
    EXPECT_NEAR(fit->points[i].efficiency, kTrue[i].efficiency, 1e-6);
  }
}

TEST(SupplyFit, FindsTheEfficiencyUnderNoise) {
  const auto fit = fitted(measured(5'000, 0.01, 1, 1));
  ASSERT_TRUE(fit);
  ASSERT_EQ(fit->points.size(), kTrue.size());
  for (std::size_t i = 0; i < kTrue.size(); ++i) {
    const FittedPoint& point = fit->points[i];
    EXPECT_NEAR(point.efficiency / kTrue[i].efficiency, 1, 0.005) << point.load;
    EXPECT_LT(point.low, point.efficiency);
    EXPECT_LT(point.efficiency, point.high);
    EXPECT_LT(point.high - point.low, 0.01);
  }
}

TEST(SupplyFit, TellsOnlyOfLoadsThatWereSeen) {
  const auto fit = fitted(measured(200, 0, 0.4, 1));
  ASSERT_TRUE(fit);
  ASSERT_EQ(fit->points.size(), 3);
  EXPECT_NEAR(fit->points.back().load, 0.4, 1e-8);
  const auto library = library_of(*fit, "ours", kBench);
  ASSERT_TRUE(library);
  const std::string text = parts_text(*library);
  power::Library again;
  files::Diagnostics errors("parts.yaml");
  files::read_parts_text(text, errors, again);
  EXPECT_EQ(to_string(errors.take()), "");
  ASSERT_EQ(again.parts().size(), 1U);
  EXPECT_EQ(again.parts()[0], library->parts()[0]);
  EXPECT_NE(text.find("{load: 1, efficiency: {value: "), std::string::npos) << text;
  EXPECT_NE(text.find("More than 40.0 % load was not seen"), std::string::npos) << text;
}

TEST(SupplyFit, LeavesOutSamplesThatTellNothing) {
  const auto series = read_supply({"supply.csv",
                                   "time,output_w,input_w\n1,90,100\n2,,100\n3,90,nan\n4,0,10\n"
                                   "5,110,100\n6,700,800\n7,180,200\n"},
                                  watts(600));
  ASSERT_TRUE(series);
  EXPECT_EQ(series->loads, (std::vector<double>{0.15, 0.3}));
  EXPECT_EQ(series->left_out, (std::array<std::size_t, 3>{3, 1, 1}));
}

TEST(SupplyFit, NeedsTwoLoadsAndMoreSamplesThanPoints) {
  const auto none = fitted("time,input_w,output_w\n");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().front().message, "0 samples are too few for 2 points");
  const auto one = fitted("time,input_w,output_w\n1,100,90\n2,100,90\n3,100,90\n");
  ASSERT_FALSE(one);
  EXPECT_EQ(one.error().front().message, "all samples have one load: an efficiency needs two");
  const auto two = fitted("time,input_w,output_w\n1,100,90\n2,200,180\n");
  ASSERT_FALSE(two);
  EXPECT_EQ(two.error().front().message, "2 samples are too few for 3 points");
}

TEST(SupplyFit, WritesNoPartThatPartFilesDoNotTake) {
  const auto message = [](FittedPoint first, FittedPoint second) {
    SupplyFit fit;
    fit.rated = watts(600);
    fit.points = {first, second};
    const auto library = library_of(fit, "ours", kBench);
    return library ? "" : library.error().front().message;
  };
  EXPECT_EQ(message({0.1, 0.5, 0, 1}, {0.2, 1.2, 0, 1}),
            "120.00 % at 20.00 % load: a part file has efficiencies of 1 to 100 % at loads from "
            "0.1 % on");
  EXPECT_EQ(message({0.1, 0.1, 0, 1}, {0.2, 0.9, 0, 1}),
            "at 0.2 it would take less from the wall than at 0.1");
  EXPECT_EQ(message({0.1, 0.8, 0, 1}, {0.2, 0.9, 0, 1}), "");
}

}  // namespace
}  // namespace ebb::measurements
