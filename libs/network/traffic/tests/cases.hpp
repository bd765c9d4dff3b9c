// SPDX-License-Identifier: Apache-2.0
//
// Networks and parameters for the tests that hold for every pattern and injection, and messages as
// failed tests print them.
#pragma once

#include "ebb/traffic/message.hpp"
#include "ebb/traffic/pattern.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ebb::traffic {

// One network for each pattern.
struct PatternCase {
  std::string pattern;
  Shape shape;
  ParameterTexts parameters;
};

// 64 hosts: 4 x 4 switches with 4 hosts each, groups of 16.
inline Shape grid_of_64() {
  return {.hosts = 64, .hosts_per_switch = 4, .hosts_per_group = 16, .dims = {4, 4}};
}

inline std::vector<PatternCase> pattern_cases() {
  std::vector<PatternCase> cases;
  for (const PatternKind& kind : pattern_kinds()) {
    ParameterTexts parameters;
    if (kind.name == "hotspot") parameters = {{"fraction", "0.3"}, {"hot", "3"}};
    if (kind.name == "shift") parameters = {{"by", "5"}};
    cases.push_back({kind.name, grid_of_64(), parameters});
  }
  return cases;
}

inline std::unique_ptr<Pattern> must_make(const std::string& name, const Shape& shape,
                                          const ParameterTexts& parameters = {},
                                          std::uint64_t seed = 1) {
  auto made = make_pattern(name, shape, parameters, seed);
  EXPECT_TRUE(made) << to_string(made.error());
  return made ? std::move(*made) : nullptr;
}

// Where messages of one host go: `draws` messages counted by destination.
inline std::vector<std::int64_t> count_destinations(const Pattern& pattern, std::uint32_t hosts,
                                                    std::uint32_t source, std::int64_t draws) {
  RandomStream stream(7, "test/destinations");
  std::vector<std::int64_t> counts(hosts);
  for (std::int64_t i = 0; i < draws; ++i)
    ++counts.at(pattern.destination(source, static_cast<std::uint64_t>(i), stream));
  return counts;
}

// Pearson's statistic; cells that expect nothing must have seen nothing.
inline double chi_square(const std::vector<std::int64_t>& seen,
                         const std::vector<double>& expected) {
  double sum = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const double gap = static_cast<double>(seen[i]) - expected[i];
    if (expected[i] == 0) {
      EXPECT_EQ(seen[i], 0) << "cell " << i;
    } else {
      sum += gap * gap / expected[i];
    }
  }
  return sum;
}

// The injections that need a load and one size, and offer any load up to 1.
inline const std::array<std::string, 3> kPlainInjections = {"poisson", "bernoulli", "periodic"};

// Messages as failed tests print them.
inline void PrintTo(const Message& m, std::ostream* out) {
  *out << "{" << m.at.time_since_epoch().count() << ", " << m.source << "->" << m.destination
       << ", " << m.size.count() << "b, level " << int{m.service} << "}";
}

}  // namespace ebb::traffic
