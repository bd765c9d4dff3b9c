// SPDX-License-Identifier: Apache-2.0
#include "ebb/fabric_config/traffic_matrix.hpp"

#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

namespace ebb::fabric_config {
namespace {

Result<std::vector<controller::PairAmount>> read(const std::string& text) {
  static const topology::Graph graph =
      *topology::build("complete", {{"switches", "2"}, {"hosts", "2"}}, {megabits_per_second(100)});
  return read_traffic_matrix_text(text, "m.csv", graph);
}

TEST(ATrafficMatrix, SaysWhoSendsHowMuchToWhom) {
  EXPECT_EQ(*read("# a run\nfrom,to,amount\n\nh0,h3,2kB\r\nh3,h0,1MB"),
            (std::vector<controller::PairAmount>{{0, 3, bytes(2000)}, {3, 0, bytes(1'000'000)}}));
}

TEST(ATrafficMatrix, SaysEveryMistakeWithItsPlace) {
  const auto wrong = read("from,to,amount\nh0,h33,1kB\nh1,h1,1kB\nh0,h2,5\nh0,h1\nh0,h2,1kB,1\n");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().size(), 5U);
  EXPECT_EQ(wrong.error()[0].where.line, 2);
  EXPECT_EQ(wrong.error()[0].where.column, 4);
  EXPECT_EQ(wrong.error()[0].message, "there is no host 'h33'; did you mean 'h3'?");
  EXPECT_EQ(wrong.error()[2].where.column, 7);
}

TEST(ATrafficMatrix, HasAHeader) {
  EXPECT_FALSE(read(""));
  EXPECT_FALSE(read("h0,h1,1kB\n"));
}

}  // namespace
}  // namespace ebb::fabric_config
