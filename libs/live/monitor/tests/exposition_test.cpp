// SPDX-License-Identifier: Apache-2.0
#include "ebb/monitor/exposition.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace ebb::monitor {
namespace {

TEST(Exposition, WritesFamiliesAndSamples) {
  Exposition page;
  page.family("a_total", Kind::counter, "How many.");
  page.sample({}, 3);
  page.sample({{"x", "1"}, {"y", "two"}}, 0.25);
  EXPECT_EQ(page.text(),
            "# HELP a_total How many.\n# TYPE a_total counter\n"
            "a_total 3\na_total{x=\"1\",y=\"two\"} 0.25\n");
}

TEST(Exposition, EscapesWhatWouldEndALabelOrALine) {
  Exposition page;
  page.family("a", Kind::gauge, "back\\slash\nand \"quotes\"");
  page.sample({{"x", "q\" b\\ n\n"}}, std::numeric_limits<double>::infinity());
  EXPECT_EQ(page.text(),
            "# HELP a back\\\\slash\\nand \"quotes\"\n# TYPE a gauge\n"
            "a{x=\"q\\\" b\\\\ n\\n\"} +Inf\n");
}

TEST(Exposition, AddsUpTheBucketsOfAHistogram) {
  Histogram lag({1, 2});
  for (const double value : {0.5, 1.0, 1.5, 7.0}) lag.add(value);
  Exposition page;
  page.family("lag", Kind::histogram, "h");
  page.histogram({{"x", "y"}}, lag);
  EXPECT_EQ(page.text(),
            "# HELP lag h\n# TYPE lag histogram\n"
            "lag_bucket{x=\"y\",le=\"1\"} 2\nlag_bucket{x=\"y\",le=\"2\"} 3\n"
            "lag_bucket{x=\"y\",le=\"+Inf\"} 4\nlag_sum{x=\"y\"} 10\nlag_count{x=\"y\"} 4\n");
}

}  // namespace
}  // namespace ebb::monitor
