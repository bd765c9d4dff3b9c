// SPDX-License-Identifier: Apache-2.0
//
// The registry, and applications whose messages have closed forms.
#include "made.hpp"

#include "ebb/program/collective.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <string>
#include <vector>

namespace ebb::applications {
namespace {

using namespace std::chrono_literals;

TEST(EveryApplication, IsListedOnceAndMakesAProgramWithItsDefaults) {
  std::map<std::string, int> names;
  for (const Application& one : applications()) {
    EXPECT_EQ(++names[one.name], 1);
    EXPECT_FALSE(one.summary.empty()) << one.name;
    const bool is_long = one.name == "nas-lu" || one.name == "nas-sp" || one.name == "nas-bt";
    const program::Program program =
        made(one.name, is_long ? ParameterTexts{{"iterations", "1"}} : ParameterTexts{});
    EXPECT_GT(program::summarize(program).sends, 0U) << one.name;
  }
  EXPECT_EQ(names.size(), 22U);
}

TEST(EveryApplication, RunsOnOneRankWithoutMessages) {
  for (const Application& one : applications()) {
    const ParameterTexts alone = one.name == "hpl" ? ParameterTexts{{"grid", "1x1"}, {"n", "512"}}
                                                   : ParameterTexts{{"ranks", "1"}};
    EXPECT_EQ(program::summarize(made(one.name, alone)).sends, 0U) << one.name;
  }
}

TEST(Registry, NamesTheNearestApplicationAndAllMistakes) {
  EXPECT_NE(refused("nas-cgs", {}).find("did you mean 'nas-cg'?"), std::string::npos);
  const std::string said = refused("nas-cg", {{"clas", "A"}, {"ranks", "0"}});
  EXPECT_NE(said.find("did you mean 'class'?"), std::string::npos) << said;
  EXPECT_NE(said.find("'ranks' must be between"), std::string::npos) << said;
}

// A loop has what `append` makes of a collective operation, after its computation, again and again.
TEST(CollectiveLoop, ComputesAndCommunicatesInTurn) {
  const program::Program program = made("all-reduce", {{"ranks", "8"},
                                                       {"size", "64KiB"},
                                                       {"algorithm", "recursive-doubling"},
                                                       {"compute", "200us"},
                                                       {"iterations", "5"}});
  const program::Summary summary = program::summarize(program);
  EXPECT_EQ(summary.compute_time, 8 * 5 * 200us);
  for (std::uint32_t rank = 0; rank < 8; ++rank)
    EXPECT_EQ(sent_by(program, rank), (Sent{{65'536, 15}}));
  EXPECT_NE(refused("all-reduce", {{"compute", "1.5ns"}}).find("whole nanoseconds"),
            std::string::npos);
}

// 3 x 2 ranks have 4 pairs of neighbours in x and 3 in y.
TEST(Halo2d, ExchangesWithItsNeighbours) {
  const program::Program program = made("halo2d", {{"ranks", "6"},
                                                   {"grid", "3x2"},
                                                   {"size_x", "100B"},
                                                   {"size_y", "200B"},
                                                   {"iterations", "2"}});
  EXPECT_EQ(sent_by(program, 1), (Sent{{100, 4}, {200, 2}}));
  EXPECT_EQ(program::summarize(program).sent, bytes(2 * 2 * (4 * 100 + 3 * 200)));
  EXPECT_NE(refused("halo2d", {{"grid", "3x2"}}).find("as many points as there are ranks, 16"),
            std::string::npos);
}

// The middle of 3 x 3 x 3 ranks has all neighbours: two faces on each axis, four edges along each,
// eight corners.
TEST(Halo3d, SendsFacesEdgesAndCorners) {
  const ParameterTexts parameters = {
      {"ranks", "27"}, {"cells", "2x3x5"}, {"fields", "4"}, {"reduce", "no"}, {"iterations", "1"}};
  EXPECT_EQ(sent_by(made("halo3d", parameters), 13),
            (Sent{{32 * 3 * 5, 2}, {32 * 2 * 5, 2}, {32 * 2 * 3, 2}}));
  ParameterTexts with_corners = parameters;
  with_corners.emplace_back("neighbours", "26");
  const program::Program program = made("halo3d", with_corners);
  EXPECT_EQ(sent_by(program, 13), (Sent{{32 * 3 * 5, 2},
                                        {32 * 2 * 5, 2},
                                        {32 * 2 * 3, 2},
                                        {32 * 2, 4},
                                        {32 * 3, 4},
                                        {32 * 5, 4},
                                        {32, 8}}));
  EXPECT_EQ(messages(sent_by(program, 0)), 7);  // a corner
  // 30 cells of 4 fields with 26 operations each, at 10^10 in a second.
  EXPECT_EQ(program::summarize(program).compute_time, 27 * 312ns);
}

// A neighbour is downstream for two of the four corners, twice: 4 messages for each block of
// layers.
TEST(Sweep3d, SendsToItsNeighboursFromEveryCorner) {
  const program::Program program = made("sweep3d", {{"ranks", "9"},
                                                    {"cells", "10x20x30"},
                                                    {"block", "5"},
                                                    {"fields", "2"},
                                                    {"iterations", "1"}});
  const int blocks = 30 / 5;
  EXPECT_EQ(sent_by(program, 4),  // in the middle: two neighbours in x, two in y
            (Sent{{10 * 5 * 2 * 8, 2 * 4 * blocks}, {20 * 5 * 2 * 8, 2 * 4 * blocks}}));
  EXPECT_EQ(messages(sent_by(program, 0)), 2 * 4 * blocks);
  EXPECT_NE(refused("sweep3d", {{"block", "7"}}).find("must divide the 50 layers"),
            std::string::npos);
}

// 4 complex numbers in x, 8 lines in y and 8 in z on 4 x 2 ranks: in a column each rank sends its
// 3 others 1 x 2 x 4 numbers, in a row the other 1 x 4 x 4, there and back.
TEST(Fft3d, TransposesInColumnsAndRows) {
  const program::Program program =
      made("fft3d", {{"ranks", "8"}, {"grid", "4x2"}, {"points", "6x8x8"}});
  Sent sent = sent_by(program, 5);
  EXPECT_EQ(sent.extract(0).mapped(), 6);  // two barriers of log2(8) messages
  EXPECT_EQ(sent, (Sent{{16 * 8, 6}, {16 * 16, 2}}));
}

// What does not divide evenly is sent nevertheless: 51 numbers in x on 3 ranks, 10 lines on 3 and
// 2, 7 on 2.
TEST(Fft3d, SendsWhatDoesNotDivideEvenly) {
  const program::Program program =
      made("fft3d", {{"ranks", "6"}, {"grid", "3x2"}, {"points", "101x10x7"}});
  // Of a column all but what a rank keeps, 17 numbers of each of its own lines.
  const std::int64_t column = 51 * 10 * 7 - 17 * 10 * 7;
  const std::int64_t row = 51 * 10 * 7 - 51 * 5 * 7;
  EXPECT_EQ(program::summarize(program).sent, bytes(2 * 16 * (column + row)));
}

TEST(Hpl, ComputesTwoThirdsOfNCubed) {
  for (const std::string look_ahead : {"0", "1"}) {
    const program::Program program = made("hpl", {{"n", "1000"},
                                                  {"nb", "64"},
                                                  {"grid", "3x2"},
                                                  {"look_ahead", look_ahead},
                                                  {"flops", "1000000"}});
    const double seconds =
        static_cast<double>(program::summarize(program).compute_time.count()) / 1e12;
    EXPECT_NEAR(seconds, 2.0 / 3 * 1e9 / 1e6, 1e-3);
  }
}

// p x q = 2 x 3 ranks and 5 panels of 8 columns. A panel passes on q - 1 times in each row: r rows
// after it, and 8 x 8 numbers, 8 pivots and one more for each of p rows. Its rows are broadcast in
// columns, halves scattered and gathered. Pivots: 40 times both ranks of a column 20 numbers.
TEST(Hpl, SendsPanelsRowsAndPivots) {
  for (const std::string order : {"row", "column"}) {
    const program::Program program =
        made("hpl", {{"n", "40"}, {"nb", "8"}, {"grid", "2x3"}, {"order", order}});
    std::int64_t numbers = 0;
    for (std::int64_t left = 32; left >= 0; left -= 8) {
      numbers += 2 * (left * 8 + 2 * (8 * 8 + 8 + 1));  // panel
      numbers += 8 * left / 2 + 8 * left;               // rows: a half, then both halves
    }
    numbers += 40 * 2 * 20;
    EXPECT_EQ(program::summarize(program).sent, bytes(8 * numbers)) << order;
  }
}

// To whom rank 0, which has the first panel, passes it on.
TEST(Hpl, NumbersRanksAlongRowsOrColumns) {
  const auto next = [](const std::string& order) {
    const program::Program program = made(
        "hpl", {{"n", "16"}, {"nb", "8"}, {"grid", "2x3"}, {"order", order}, {"iterations", "1"}});
    const program::RankOperations rank = program.rank(0);
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      if (rank[i].kind == program::Operation::Kind::send && rank[i].tag == 1) return rank[i].peer;
    }
    return 0U;
  };
  EXPECT_EQ(next("row"), 1U);
  EXPECT_EQ(next("column"), 2U);
  EXPECT_NE(refused("hpl", {{"grid", "2x2x2"}}).find("rows and columns of ranks"),
            std::string::npos);
}

}  // namespace
}  // namespace ebb::applications
