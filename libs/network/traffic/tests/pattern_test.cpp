// SPDX-License-Identifier: Apache-2.0
//
// What holds for every pattern of the list, and the refusals that all share.
#include "ebb/traffic/pattern.hpp"

#include "cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace ebb::traffic {
namespace {

TEST(EveryPattern, StaysInRangeAndNeverSendsToItself) {
  for (const PatternCase& c : pattern_cases()) {
    const auto pattern = must_make(c.pattern, c.shape, c.parameters);
    ASSERT_TRUE(pattern);
    for (std::uint32_t source = 0; source < c.shape.hosts; ++source) {
      if (!pattern->sends(source)) continue;
      RandomStream stream(source, "test");
      for (std::uint64_t n = 0; n < 500; ++n) {
        const std::uint32_t to = pattern->destination(source, n, stream);
        ASSERT_LT(to, c.shape.hosts) << c.pattern << " from " << source;
        ASSERT_NE(to, source) << c.pattern;
      }
    }
  }
}

// The smallest network on which a pattern exists is where off-by-one mistakes show.
TEST(EveryPattern, WorksOnItsSmallestNetwork) {
  for (const PatternKind& kind : pattern_kinds()) {
    ParameterTexts parameters;
    if (kind.name == "hotspot") parameters = {{"fraction", "1"}};
    if (kind.name == "shift") parameters = {{"by", "1"}};
    for (std::uint32_t hosts = 2;; ++hosts) {
      ASSERT_LE(hosts, 4U) << kind.name;
      Shape shape{.hosts = hosts, .hosts_per_switch = 1, .hosts_per_group = 1, .dims = {hosts}};
      const auto pattern = make_pattern(kind.name, shape, parameters, 1);
      if (!pattern) continue;
      bool anybody = false;
      RandomStream stream(1, "test");
      for (std::uint32_t source = 0; source < hosts; ++source) {
        if (!(*pattern)->sends(source)) continue;
        anybody = true;
        for (std::uint64_t n = 0; n < 20; ++n) {
          const std::uint32_t to = (*pattern)->destination(source, n, stream);
          ASSERT_TRUE(to < hosts && to != source) << kind.name << " on " << hosts;
        }
      }
      EXPECT_TRUE(anybody) << kind.name;
      break;
    }
  }
}

TEST(EveryPattern, HasANameASummaryAndHelp) {
  std::set<std::string> names;
  for (const PatternKind& kind : pattern_kinds()) {
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name << " is listed twice";
    EXPECT_FALSE(kind.summary.empty()) << kind.name;
    for (const Parameter& parameter : kind.parameters) EXPECT_FALSE(parameter.help.empty());
    EXPECT_EQ(*find_pattern_kind(kind.name), &kind);
  }
}

TEST(MakePattern, NamesTheNearestPattern) {
  const auto made = make_pattern("tornadoes", grid_of_64(), {}, 1);
  ASSERT_FALSE(made);
  EXPECT_NE(to_string(made.error()).find("did you mean 'tornado'"), std::string::npos)
      << to_string(made.error());
}

TEST(MakePattern, ReportsAllMistakesAtOnce) {
  const auto made = make_pattern(
      "hotspot", {.hosts = 1}, {{"fraction", "1.5"}, {"hto", "3"}, {"hot", "3"}, {"hot", "x"}}, 1);
  ASSERT_FALSE(made);
  ASSERT_EQ(made.error().size(), 4U) << to_string(made.error());
  EXPECT_EQ(made.error()[0].message, "traffic needs two hosts or more, got 1");
  EXPECT_EQ(made.error()[1].message, "unknown parameter 'hto'; valid: fraction, hot");
  EXPECT_EQ(made.error()[2].message, "'hot' is given twice");
  EXPECT_EQ(made.error()[3].message, "'fraction' must be between 0 and 1, got 1.5");
}

TEST(MakePattern, RefusesParametersWhereThereAreNone) {
  const auto made = make_pattern("uniform", grid_of_64(), {{"by", "2"}}, 1);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().front().message, "unknown parameter 'by'; there are none");
}

TEST(Shape, MistakesAreNamed) {
  EXPECT_TRUE(validate(grid_of_64()).empty());
  EXPECT_TRUE(validate({.hosts = 2}).empty());
  const Errors errors =
      validate({.hosts = 60, .hosts_per_switch = 4, .hosts_per_group = 61, .dims = {4, 4}});
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_EQ(errors[0].message, "groups of 61 hosts are larger than the network of 60");
  EXPECT_EQ(errors[1].message, "a grid of 4x4 switches with 4 hosts each does not have 60 hosts");
  // 65537^2 is 131073 in 32 bits.
  EXPECT_EQ(validate({.hosts = 131073, .hosts_per_switch = 1, .dims = {65537, 65537}}).size(), 1U);
}

}  // namespace
}  // namespace ebb::traffic
