// SPDX-License-Identifier: Apache-2.0
#include "ebb/measurements/fit.hpp"

#include "ebb/core/random.hpp"
#include "ebb/files/parts_file.hpp"
#include "ebb/measurements/import.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace ebb::measurements {
namespace {

// A box that is invented: 32 ports with cables and 8 with modules.
const std::vector<double> kTrue = {250,                             // base
                                   0.9, 0.35, 0.5, 12e-12, 15e-9,   // 100G DAC
                                   1.8, 5.4,  1.5, 9e-12,  25e-9};  // 400G FR4

double normal(RandomStream& random) {
  return std::sqrt(-2 * std::log(random.unit())) * std::cos(2 * std::numbers::pi * random.unit());
}

// Ports are plugged, enabled and brought up by chance.
struct Ports {
  double enabled = 0;
  double plugged = 0;
  double up = 0;
};

Ports drawn(std::uint64_t ports, RandomStream& random) {
  const std::uint64_t plugged = random.below(ports + 1);
  const std::uint64_t enabled = random.below(ports + 1);
  const std::uint64_t up = random.below(std::min(plugged, enabled) + 1);
  return {static_cast<double>(enabled), static_cast<double>(plugged), static_cast<double>(up)};
}

// They carry what they like in packets of 64 to 1500 bytes.
void add_ports(std::vector<double>& row, const Ports& ports, double rate, RandomStream& random) {
  const double bits = rate * ports.up * random.unit();
  const double packet = 8 * (64 + 1436 * random.unit());
  for (const double value : {ports.enabled, ports.plugged, ports.up, bits, bits / packet})
    row.push_back(value);
}

double power_of(const std::vector<double>& row) {
  double power = 0;
  for (std::size_t i = 0; i < row.size(); ++i) power += row[i] * kTrue[i];
  return power;
}

// Noise of `share` of the power, of which `memory` stays from one interval to the next. Ports keep
// their states for `hold` intervals.
Series measured(std::size_t intervals, double share, double memory, std::uint64_t seed,
                std::size_t hold = 1) {
  Series series;
  series.parameters = parameters_of({"100G DAC", "400G FR4"});
  series.most_ports = 40;
  RandomStream random(seed, "box");
  double noise = 0;
  Ports cables;
  Ports modules;
  for (std::size_t i = 0; i < intervals; ++i) {
    if (i % hold == 0) {
      cables = drawn(32, random);
      modules = drawn(8, random);
    }
    std::vector<double> row = {1};
    add_ports(row, cables, 100e9, random);
    add_ports(row, modules, 400e9, random);
    noise = memory * noise + std::sqrt(1 - memory * memory) * normal(random);
    series.watts.push_back(power_of(row) * (1 + share * noise));
    series.regressors.insert(series.regressors.end(), row.begin(), row.end());
  }
  return series;
}

const Estimate* find(const Fit& fit, const Parameter& parameter) {
  const auto found = std::find_if(fit.estimates.begin(), fit.estimates.end(),
                                  [&](const Estimate& one) { return one.parameter == parameter; });
  return found == fit.estimates.end() ? nullptr : &*found;
}

bool is_unidentified(const Fit& fit, const std::vector<Parameter>& group) {
  return std::any_of(fit.unidentified.begin(), fit.unidentified.end(),
                     [&](const Unidentified& one) { return one.parameters == group; });
}

// Sets a regressor of all intervals from the others.
template <class Value>
void set_column(Series& series, std::size_t column, Value value) {
  const std::size_t width = series.parameters.size();
  for (std::size_t i = 0; i < series.intervals(); ++i)
    series.regressors[i * width + column] = value(&series.regressors[i * width]);
  for (std::size_t i = 0; i < series.intervals(); ++i) {
    const double* const row = &series.regressors[i * width];
    series.watts[i] = power_of({row, row + width});
  }
}

// Noise of 1 % of 250 to 500 W hides a port of half a watt well: it takes many intervals to be
// seen.
TEST(Fit, FindsTheParametersOfABoxUnderNoise) {
  const auto fit = fit_box(measured(100'000, 0.01, 0, 1));
  ASSERT_TRUE(fit);
  EXPECT_TRUE(fit->unidentified.empty());
  ASSERT_EQ(fit->estimates.size(), kTrue.size());
  for (std::size_t i = 0; i < kTrue.size(); ++i) {
    const Estimate& estimate = fit->estimates[i];
    EXPECT_NEAR(estimate.value / kTrue[i], 1, 0.02) << to_text(estimate.parameter);
    EXPECT_LT(estimate.low, estimate.value);
    EXPECT_LT(estimate.value, estimate.high);
  }
  EXPECT_NEAR(fit->residuals.rms, 3.4, 0.6);
  EXPECT_GT(*fit->residuals.r_squared, 0.98);
  EXPECT_NEAR(fit->residuals.autocorrelation, 0, 0.02);
}

TEST(Fit, IsExactWithoutNoise) {
  const auto fit = fit_box(measured(200, 0, 0, 1));
  ASSERT_TRUE(fit);
  for (std::size_t i = 0; i < kTrue.size(); ++i)
    EXPECT_NEAR(fit->estimates[i].value / kTrue[i], 1, 1e-9);
  EXPECT_LT(fit->residuals.largest, 1e-9);
}

TEST(Fit, GivesTheSameEachTime) {
  const auto one = fit_box(measured(500, 0.01, 0.5, 3));
  const auto again = fit_box(measured(500, 0.01, 0.5, 3));
  for (std::size_t i = 0; i < one->estimates.size(); ++i) {
    EXPECT_EQ(one->estimates[i].value, again->estimates[i].value);
    EXPECT_EQ(one->estimates[i].high, again->estimates[i].high);
  }
}

// How often intervals of 95 % hold the true values of what does not follow traffic, over many
// series.
double coverage(double memory, std::size_t hold) {
  constexpr std::uint64_t kSeries = 100;
  std::size_t held = 0;
  std::size_t all = 0;
  for (std::uint64_t seed = 1; seed <= kSeries; ++seed) {
    const auto fit = fit_box(measured(1'000, 0.001, memory, seed, hold));
    for (const std::size_t i : {0, 1, 2, 3, 6, 7, 8}) {
      const Estimate& one = fit->estimates[i];
      if (one.low <= kTrue[i] && kTrue[i] <= one.high) ++held;
      ++all;
    }
  }
  return static_cast<double>(held) / static_cast<double>(all);
}

// Memory counts where ports keep their states as well: covariances of independent residuals would
// hold the truth in 63 %.
TEST(Fit, IntervalsHoldTheTruthAsOftenAsTheySay) {
  EXPECT_NEAR(coverage(0, 1), 0.95, 0.03);
  EXPECT_NEAR(coverage(0, 10), 0.95, 0.03);
  EXPECT_NEAR(coverage(0.8, 10), 0.95, 0.05);
}

TEST(Fit, SaysHowNeighboursCorrelate) {
  const auto fit = fit_box(measured(5'000, 0.01, 0.7, 1));
  EXPECT_NEAR(fit->residuals.autocorrelation, 0.7, 0.05);
  EXPECT_GT(fit->residuals.neighbours, 10U);
}

// Modules that are never pulled cannot be told from the base.
TEST(Fit, NamesAColumnThatNeverChanges) {
  Series series = measured(300, 0, 0, 1);
  set_column(series, 2, [](const double*) { return 32.0; });
  const auto fit = fit_box(series);
  ASSERT_TRUE(fit);
  EXPECT_TRUE(is_unidentified(*fit, {{Term::base, ""}, {Term::plugged, "100G DAC"}}));
  EXPECT_EQ(find(*fit, {Term::base, ""}), nullptr);
  EXPECT_EQ(fit->estimates.size(), kTrue.size() - 2);
  EXPECT_NEAR(find(*fit, {Term::up, "100G DAC"})->value, 0.5, 1e-6);
}

TEST(Fit, NamesColumnsThatGoTogether) {
  Series series = measured(300, 0, 0, 1);
  set_column(series, 3, [](const double* row) { return row[1]; });               // up when enabled
  set_column(series, 5, [](const double* row) { return row[4] / (8 * 1500); });  // one packet size
  const auto fit = fit_box(series);
  ASSERT_TRUE(fit);
  EXPECT_TRUE(is_unidentified(*fit, {{Term::port, "100G DAC"}, {Term::up, "100G DAC"}}));
  EXPECT_TRUE(is_unidentified(*fit, {{Term::per_bit, "100G DAC"}, {Term::per_packet, "100G DAC"}}));
  EXPECT_NEAR(find(*fit, {Term::plugged, "100G DAC"})->value, 0.35, 1e-6);
  EXPECT_NEAR(find(*fit, {Term::per_bit, "400G FR4"})->value, 9e-12, 1e-17);
}

TEST(Fit, NamesWhatWasNeverUsed) {
  Series series = measured(300, 0, 0, 1);
  for (const std::size_t column : {9U, 10U})
    set_column(series, column, [](const double*) { return 0.0; });
  const auto fit = fit_box(series);
  ASSERT_TRUE(fit);
  EXPECT_TRUE(is_unidentified(*fit, {{Term::per_bit, "400G FR4"}}));
  EXPECT_TRUE(fit->unidentified.back().never_used);
  EXPECT_EQ(fit->estimates.size(), kTrue.size() - 2);
}

// The best value without a bound is negative: 0, and how large it may be at most.
TEST(Fit, KeepsEnergiesFromBeingNegative) {
  Series series = measured(300, 0.001, 0, 1);
  for (std::size_t i = 0; i < series.intervals(); ++i)
    series.watts[i] -= series.regressors[i * kTrue.size() + 5] * 30e-9;
  const auto fit = fit_box(series);
  const Estimate* energy = find(*fit, {Term::per_packet, "100G DAC"});
  ASSERT_NE(energy, nullptr);
  EXPECT_TRUE(energy->at_bound);
  EXPECT_EQ(energy->value, 0);
  EXPECT_LT(energy->high, 15e-9);
}

TEST(Fit, LetsPortsBeNegative) {
  Series series = measured(300, 0, 0, 1);
  for (std::size_t i = 0; i < series.intervals(); ++i)
    series.watts[i] -= series.regressors[i * kTrue.size() + 3] * 0.54;
  EXPECT_NEAR(find(*fit_box(series), {Term::up, "100G DAC"})->value, -0.04, 1e-6);
}

TEST(Fit, NeedsMoreIntervalsThanParameters) {
  EXPECT_FALSE(fit_box(measured(11, 0, 0, 1)));
  EXPECT_TRUE(fit_box(measured(12, 0, 0, 1)));
  EXPECT_FALSE(fit_box(measured(0, 0, 0, 1)));
}

TEST(Fit, WritesABoxThatIsReadBack) {
  const auto fit = fit_box(measured(200, 0, 0, 1));
  const FittedBox box{.name = "birch",
                      .ports = 40,
                      .source = {.id = "birch",
                                 .title = "Our \"bench\"",
                                 .date = "2026-03",
                                 .evidence = power::Evidence::measured}};
  const auto library = library_of(*fit, box);
  ASSERT_TRUE(library) << to_string(library.error());
  files::Diagnostics errors("printed.yaml");
  power::Library again;
  files::read_parts_text(parts_text(*library), errors, again);
  EXPECT_EQ(to_string(errors.take()), "");
  ASSERT_EQ(again.parts().size(), 1U);
  EXPECT_EQ(again.parts()[0], library->parts()[0]);
  const auto& body = std::get<power::Box>(again.parts()[0].body);
  EXPECT_EQ(body.base.value, watts(250));
  EXPECT_EQ(body.setups[1].medium, "optical");
  EXPECT_EQ(body.setups[1].plugged.value, milliwatts(5'400));
  EXPECT_EQ(body.setups[0].energy_per_packet->value, picojoules(15'000));
}

TEST(Fit, WritesNoBoxThatLacksSomething) {
  Series series = measured(300, 0, 0, 1);
  set_column(series, 2, [](const double*) { return 32.0; });
  const auto library = library_of(*fit_box(series), {.name = "birch", .ports = 40});
  ASSERT_FALSE(library);
  const std::string lacking = to_string(library.error());
  EXPECT_NE(lacking.find("base is not identifiable"), std::string::npos);
  EXPECT_NE(lacking.find("plugged of 100G DAC is not identifiable"), std::string::npos);
}

}  // namespace
}  // namespace ebb::measurements
