// SPDX-License-Identifier: Apache-2.0
#include "ebb/replay/costs.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace ebb::replay {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

constexpr std::int64_t kFirst = 473'352;  // 2024-01-01 00:00 UTC

// 10 kW all awake, 8 kW used.
std::vector<Hour> hours(int count, std::int64_t first = kFirst) {
  std::vector<Hour> result;
  for (int which = 0; which < count; ++which) {
    result.push_back({.number = first + which, .time = 1h});
    result.back().all_awake = watts(10'000) * std::chrono::hours(1);
    result.back().used = watts(8'000) * std::chrono::hours(1);
  }
  return result;
}

class Scenarios : public testing::Test {
 protected:
  Scenarios() { fs::create_directories(folder_); }
  ~Scenarios() override { fs::remove_all(folder_); }
  Scenarios(const Scenarios&) = delete;
  Scenarios& operator=(const Scenarios&) = delete;

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  [[nodiscard]] Result<Scenario> read(const std::string& text) const {
    write("s.yaml", "schema_version: 1\n" + text);
    return read_scenario((folder_ / "s.yaml").string());
  }
  [[nodiscard]] std::string refused(const std::string& text) const {
    const auto scenario = read(text);
    if (scenario) return "";
    const Error& error = scenario.error().front();
    return std::to_string(error.where.line) + ": " + error.message;
  }

  fs::path folder_ = fs::temp_directory_path() / ("ebb-costs-test-" + std::to_string(::getpid()));
};

TEST_F(Scenarios, OfConstantsAreTheProduct) {
  const auto scenario = read("price: 0.25\npue: 1.5\ncarbon: 300\ndemand_charge: 10\n");
  ASSERT_TRUE(scenario) << to_string(scenario.error());
  const Costs of = costs(*scenario, hours(48));
  EXPECT_DOUBLE_EQ(of.all_awake.kwh, 48 * 10 * 1.5);
  EXPECT_DOUBLE_EQ(of.used.kwh, 48 * 8 * 1.5);
  EXPECT_DOUBLE_EQ(of.used.energy, 48 * 8 * 1.5 * 0.25);
  EXPECT_NEAR(of.used.carbon, 48 * 8 * 1.5 * 0.3, 1e-9);
  EXPECT_DOUBLE_EQ(of.used.demand, 8 * 1.5 * 10);
  EXPECT_DOUBLE_EQ(of.used.money(), of.used.energy + of.used.demand);
}

TEST_F(Scenarios, AreTheSameADayLater) {
  write("t.csv", "time,temperature\n2023-01-01T00:00:00Z,10\n");
  const auto scenario = read(
      "utc_offset: 1h\nprice: [{from: 0, until: 7, price: 0.1}, {from: 7, until: 24, price: 0.3}]\n"
      "pue: {temperatures: t.csv, points: [[0, 1.1], [20, 1.3]]}\ncarbon: 250\n");
  ASSERT_TRUE(scenario) << to_string(scenario.error());
  const Costs today = costs(*scenario, hours(24));
  const Costs tomorrow = costs(*scenario, hours(24, kFirst + 24));
  EXPECT_DOUBLE_EQ(today.used.money(), tomorrow.used.money());
  EXPECT_DOUBLE_EQ(today.used.carbon, tomorrow.used.carbon);
  EXPECT_DOUBLE_EQ(today.used.kwh, 24 * 8 * 1.2);
  EXPECT_DOUBLE_EQ(today.used.energy, 8 * 1.2 * (7 * 0.1 + 17 * 0.3));
}

TEST_F(Scenarios, TakeTheHourOfTheTariffInLocalTime) {
  const auto scenario = read(
      "utc_offset: -5h\nprice: [{from: 0, until: 12, price: 0}, {from: 12, until: 24, price: "
      "1}]\n");
  ASSERT_TRUE(scenario) << to_string(scenario.error());
  EXPECT_EQ(costs(*scenario, hours(1, kFirst + 16)).used.energy, 0);
  EXPECT_EQ(costs(*scenario, hours(1, kFirst + 17)).used.energy, 8);
}

TEST_F(Scenarios, ChargeTheHighestHourOfEachMonth) {
  const auto scenario = read("demand_charge: 2\n");
  auto two = hours(2, kFirst + 31 * 24 - 1);  // the last of January, the first of February
  two[1].used = watts(3'000) * std::chrono::hours(1);
  EXPECT_DOUBLE_EQ(costs(*scenario, two).used.demand, 2 * 8 + 2 * 3);
}

TEST_F(Scenarios, ReadCarbonOfElectricityMaps) {
  write("c.csv",
        "Datetime (UTC),Country,Zone name,Zone id,Carbon intensity gCO₂eq/kWh (direct),"
        "Carbon intensity gCO₂eq/kWh (Life cycle),Data source\n"
        "2024-01-01 00:00:00,France,France,FR,100,200,x\n"
        "2024-01-01 01:00:00,France,France,FR,300,,x\n");
  auto scenario = read("carbon: {file: c.csv, kind: direct}\n");
  ASSERT_TRUE(scenario) << to_string(scenario.error());
  EXPECT_DOUBLE_EQ(costs(*scenario, hours(2)).used.carbon, 8 * 0.1 + 8 * 0.3);
  EXPECT_EQ(costs(*scenario, hours(2)).hours_without_carbon, 0U);
  scenario = read("carbon: {file: c.csv, kind: life-cycle}\n");
  EXPECT_DOUBLE_EQ(costs(*scenario, hours(2)).used.carbon, 2 * 8 * 0.2);
  EXPECT_EQ(costs(*scenario, hours(2)).hours_without_carbon, 1U);
  write("c.csv",
        "Datetime (UTC),Carbon Intensity gCO₂eq/kWh (direct),Carbon Intensity gCO₂eq/kWh (LCA)\n"
        "2024-01-01 00:00:00,1,2\n");
  EXPECT_DOUBLE_EQ(costs(*read("carbon: {file: c.csv, kind: life-cycle}\n"), hours(1)).used.carbon,
                   0.016);
}

// 9 x 1000 kg over 6 years of 8766 hours.
TEST_F(Scenarios, ShareWhatPartsEmbodyOverTheirYears) {
  const auto scenario = read(
      "embodied:\n"
      "  - {part: switch, count: 9, kg: 1000, years: 6, source: the maker}\n"
      "  - {part: module, kg: 5.5, years: 4, source: a guess}\n");
  ASSERT_TRUE(scenario) << to_string(scenario.error());
  ASSERT_EQ(scenario->embodied.size(), 2U);
  EXPECT_DOUBLE_EQ(scenario->embodied[0].kg_of(std::chrono::hours(8766)), 1500);
  EXPECT_DOUBLE_EQ(scenario->embodied[0].kg_of(std::chrono::hours(24)), 1500 * 24 / 8766.0);
  EXPECT_EQ(scenario->embodied[1].count, 1);
  EXPECT_EQ(scenario->embodied[1].source, "a guess");
  EXPECT_EQ(refused("embodied: [{part: switch, kg: 1, years: 6}]\n"), "2: missing key 'source'");
  EXPECT_EQ(refused("embodied: [{part: switch, kg: 1, years: 6, source: ''}]\n"),
            "2: must say where the number is from");
  EXPECT_EQ(refused("embodied: [{part: switch, kg: 1, years: 0.5, source: x}]\n"),
            "2: must be a number from 1 to 100");
}

TEST_F(Scenarios, ThatAreBrokenAreRefused) {
  write("empty.csv", "");
  write("c.csv", "time,other\n1,2\n");
  write("d.csv", "time,temperature\nnow,2\n");
  EXPECT_TRUE(refused("prise: 1\n").starts_with("2: unknown key 'prise'; did you mean 'price'?"));
  EXPECT_EQ(refused("price: cheap\n"), "2: must be a number from -1000000 to 1000000");
  EXPECT_EQ(refused("price: [{from: 0, until: 7, price: 1}]\n"),
            "2: each hour of the day must have one price");
  EXPECT_EQ(refused("pue: 0.9\n"), "2: must be a number from 1 to 10");
  EXPECT_EQ(refused("utc_offset: 90min\n"), "2: must be whole hours, from -14h to 14h");
  EXPECT_EQ(refused("carbon: -1\n"), "2: must be a number from 0 to 10000");
  EXPECT_NE(refused("carbon: {file: none.csv, kind: direct}\n"), "");
  EXPECT_NE(refused("carbon: {file: empty.csv, kind: direct}\n"), "");
  EXPECT_NE(refused("carbon: {file: c.csv, kind: direct}\n"), "");
  EXPECT_NE(refused("carbon: {file: c.csv, kind: indirect}\n"), "");
  EXPECT_NE(refused("pue: {temperatures: d.csv, points: [[0, 1]]}\n"), "");
  write("d.csv", "time,temperature\n1,2\n");
  EXPECT_EQ(refused("pue: {temperatures: d.csv, points: [[9, 1], [3, 1]]}\n"),
            "2: temperatures must ascend");
  EXPECT_EQ(refused("pue: {temperatures: d.csv, points: [[9]]}\n"),
            "2: a point is [temperature, PUE]");
}

}  // namespace
}  // namespace ebb::replay
