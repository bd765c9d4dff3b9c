// SPDX-License-Identifier: Apache-2.0
#include "ebb/config/sweep_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace ebb::config {
namespace {

std::string texts(const std::vector<Settings>& all) {
  std::string text;
  for (const Settings& one : all) {
    for (const Setting& setting : one) text += setting.text() + " ";
    text += "\n";
  }
  return text;
}

SweepSpec sweep(const std::string& text) {
  const auto spec = read_sweep_text("schema_version: 1\nbase: sim.yaml\n" + text, "dir/load.yaml");
  EXPECT_TRUE(spec) << to_string(spec.error());
  return spec.value_or(SweepSpec{});
}

TEST(SweepFile, DefaultsToOneRun) {
  const SweepSpec spec = sweep("");
  EXPECT_EQ(spec.name, "load");
  EXPECT_EQ(spec.base, "dir/sim.yaml");
  EXPECT_TRUE(spec.seeds.empty());
  EXPECT_EQ(combinations(spec).size(), 1U);
}

TEST(SweepFile, TheLastKeyOfTheGridChangesFastest) {
  const SweepSpec spec = sweep(
      "runs: [{policy: always-on}, {policy: {name: epoch, target: 50%}}]\n"
      "vary:\n  b.c: [1, [2, x]]\n  a:\n  - y\n");
  EXPECT_EQ(texts(combinations(spec)),
            "policy=always-on b.c=1 a=y \n"
            "policy=always-on b.c=[2, x] a=y \n"
            "policy={name: epoch, target: 50%} b.c=1 a=y \n"
            "policy={name: epoch, target: 50%} b.c=[2, x] a=y \n");
  EXPECT_EQ(spec.vary[0][1].where.line, 5);
}

TEST(SweepFile, SeedsAreAListOrACount) {
  EXPECT_EQ(sweep("seeds: 3").seeds, (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_EQ(sweep("seeds: [7, 0]").seeds, (std::vector<std::uint64_t>{7, 0}));
}

TEST(SweepFile, SaysAllMistakesAtOnce) {
  const auto spec = read_sweep_text(
      "schema_version: 1\n"
      "bse: sim.yaml\n"
      "name: ''\n"
      "set: {a=b: 1}\n"
      "runs: [{policy: x}, 5]\n"
      "vary: {policy: [y], seed: [1], load: 5%, none: []}\n"
      "seeds: [1, 1, -2]\n",
      "s.yaml");
  ASSERT_FALSE(spec);
  EXPECT_EQ(
      to_string(spec.error()),
      "s.yaml:3:7: error: a name must not be empty (at name)\n"
      "s.yaml:1:1: error: missing key 'base'\n"
      "s.yaml:4:12: error: 'a=b' is not a key of a simulation file, as traffic.injection.load (at "
      "set.a=b)\n"
      "s.yaml:5:21: error: expected a map of keys to values, got a single value (at runs[1])\n"
      "s.yaml:6:27: error: seeds are given with 'seeds' (at vary.seed)\n"
      "s.yaml:6:38: error: expected a list, got a single value (at vary.load)\n"
      "s.yaml:6:48: error: expected at least one value (at vary.none)\n"
      "s.yaml:7:12: error: seed 1 is given twice (at seeds[1])\n"
      "s.yaml:7:15: error: expected a number between 0 and 9223372036854775807, got -2 (at "
      "seeds[2])\n"
      "s.yaml:2:6: error: unknown key 'bse'; did you mean 'base'? (at bse)\n"
      "s.yaml:5:17: error: 'policy' is also in 'vary' (at runs[0].policy)\n");
}

// Aliases make a small file large, or name themselves.
TEST(SweepFile, RefusesValuesWithoutEnd) {
  std::string text = "schema_version: 1\nbase: b\nvary:\n  a: [&x0 [1, 2]]\n";
  for (int i = 1; i < 40; ++i)
    text += fmt::format("  a{}: [&x{} [*x{}, *x{}]]\n", i, i, i - 1, i - 1);
  const auto large = read_sweep_text(text, "s.yaml");
  ASSERT_FALSE(large);
  EXPECT_NE(to_string(large.error()).find("a value that is too large or too deep"),
            std::string::npos);
  const auto endless =
      read_sweep_text("schema_version: 1\nbase: b\nvary:\n  a: [&x [*x, 1]]\n", "s.yaml");
  ASSERT_FALSE(endless);
  EXPECT_EQ(to_string(endless.error()),
            "s.yaml:4:7: error: a value that is too large or too deep (at vary.a[0])\n");
}

TEST(SweepFile, RefusesMoreRunsThanAnybodyMeans) {
  std::string text = "schema_version: 1\nbase: b\nvary:\n";
  for (const char* key : {"a", "b", "c", "d", "e", "f"})
    text += std::string("  ") + key + ": [1, 2, 3, 4, 5, 6, 7]\n";
  const auto spec = read_sweep_text(text, "s.yaml");
  ASSERT_FALSE(spec);
  EXPECT_EQ(to_string(spec.error()), "s.yaml:1:1: error: more than 100000 runs\n");
}

}  // namespace
}  // namespace ebb::config
