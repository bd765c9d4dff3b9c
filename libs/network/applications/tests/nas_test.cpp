// SPDX-License-Identifier: Apache-2.0
//
// Messages of the NAS Parallel Benchmarks, as they follow from their code: classes A and B on 16
// and 64 ranks, of one iteration.
#include "made.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace ebb::applications {
namespace {

struct Case {
  std::string size;
  int ranks = 0;
};
const std::vector<Case> kCases = {{"A", 16}, {"A", 64}, {"B", 16}, {"B", 64}};

program::Program nas(const std::string& name, const Case& which, int iterations = 1) {
  return made(name, {{"class", which.size},
                     {"ranks", std::to_string(which.ranks)},
                     {"iterations", std::to_string(iterations)}});
}

// q x q ranks for all of these but MG.
int root_of(const Case& which) { return which.ranks == 16 ? 4 : 8; }

TEST(NasCg, ExchangesSumsInRowsAndWithTheTransposedRank) {
  const std::vector<std::int64_t> vectors = {28'000, 14'000, 150'000, 75'000};
  for (std::size_t i = 0; i < kCases.size(); ++i) {
    const int k = root_of(kCases[i]) == 4 ? 2 : 3;  // log2 of the columns
    const program::Program program = nas("nas-cg", kCases[i]);
    EXPECT_EQ(sent_by(program, 1), (Sent{{vectors[i], 26 * (k + 1)}, {8, 52 * k}, {16, k}}));
    // Rank 0 is its own transposed rank.
    EXPECT_EQ(sent_by(program, 0), (Sent{{vectors[i], 26 * k}, {8, 52 * k}, {16, k}}));
  }
}

// 32 ranks are 4 rows of 8: the two ranks of a pair have half of 3,500 numbers each.
TEST(NasCg, HalvesVectorsWithTwiceAsManyColumns) {
  const Sent sent = sent_by(nas("nas-cg", {"A", 32}), 2);
  EXPECT_EQ(sent.at(14'000), 26 * 4);
  EXPECT_EQ(sent.at(8), 52 * 3);
}

TEST(NasFt, TransposesOnceBeforeAndOnceInEachIteration) {
  const std::vector<std::int64_t> pairs = {524'288, 32'768, 2'097'152, 131'072};
  for (std::size_t i = 0; i < kCases.size(); ++i) {
    const program::Program program = nas("nas-ft", kCases[i], 2);
    for (const std::uint32_t rank : {0U, 7U})
      EXPECT_EQ(sent_by(program, rank).at(pairs[i]), 3 * (kCases[i].ranks - 1));
    EXPECT_FALSE(sent_by(program, 0).contains(16));  // the root of the checksum
    EXPECT_EQ(sent_by(program, 7).at(16), 2);
  }
}

TEST(NasIs, SortsByTwoAllToAllsAndAnAllReduce) {
  const std::vector<std::int64_t> pairs = {131'072, 8'192, 524'288, 32'768};
  for (std::size_t i = 0; i < kCases.size(); ++i) {
    const program::Program program = nas("nas-is", kCases[i]);
    const int others = kCases[i].ranks - 1;
    std::int64_t reduced = 0;
    for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
      Sent sent = sent_by(program, rank);
      EXPECT_EQ(sent.extract(pairs[i]).mapped(), others);
      EXPECT_EQ(sent.extract(4).mapped(), others);
      reduced += bytes_of(sent);
    }
    EXPECT_EQ(reduced, 2 * others * 4'116);  // of 1,029 integers, by halving and doubling
  }
}

TEST(NasEp, SendsThreeSmallAllReduces) {
  const program::Program program = made("nas-ep", {{"class", "B"}, {"ranks", "64"}});
  EXPECT_EQ(sent_by(program, 5), (Sent{{8, 12}, {80, 6}}));  // log2(64) messages each
}

TEST(NasLu, SendsLinesOfWavefrontsAndBorders) {
  struct Sizes {
    int lines;  // 4 (n - 2)
    std::int64_t line;
    std::int64_t longer_line;
    std::int64_t border;
    std::int64_t longer_border;
  };
  const std::vector<Sizes> sizes = {{248, 640, 640, 81'920, 81'920},
                                    {248, 320, 320, 40'960, 40'960},
                                    {400, 1'000, 1'040, 204'000, 212'160},
                                    {400, 480, 520, 97'920, 106'080}};
  for (std::size_t i = 0; i < kCases.size(); ++i) {
    const auto q = static_cast<std::uint32_t>(root_of(kCases[i]));
    const program::Program program = nas("nas-lu", kCases[i]);
    for (const std::uint32_t inner : {q + 1, (q - 2) * q + q - 2}) {
      const Sent sent = sent_by(program, inner);
      for (const auto& [size, count] : sent) {
        EXPECT_TRUE(size == sizes[i].line || size == sizes[i].longer_line ||
                    size == sizes[i].border || size == sizes[i].longer_border)
            << size;
      }
      EXPECT_EQ(messages(sent), sizes[i].lines + 4);
      const bool is_long = inner == q + 1;  // the first ranks have a point more
      EXPECT_EQ(sent.at(is_long ? sizes[i].longer_line : sizes[i].line), sizes[i].lines);
      EXPECT_EQ(sent.at(is_long ? sizes[i].longer_border : sizes[i].border), 4);
    }
    // A corner has two neighbours, and leaves out the border of the box.
    EXPECT_EQ(sent_by(program, 0).at(sizes[i].longer_line - 40), sizes[i].lines / 2);
  }
}

TEST(NasBt, SendsFacesAndBlocksOfLines) {
  struct Sizes {
    std::int64_t faces;
    std::int64_t onwards;
    std::int64_t back;
  };
  const std::vector<Sizes> sizes = {
      {61'440, 69'360, 11'560}, {35'840, 19'440, 3'240}, {0, 162'240, 27'040}, {0, 40'560, 6'760}};
  for (std::size_t i = 0; i < kCases.size(); ++i) {
    const int q = root_of(kCases[i]);
    const program::Program program = nas("nas-bt", kCases[i]);
    for (const std::uint32_t rank : {0U, 6U, 15U}) {
      const Sent sent = sent_by(program, rank);
      EXPECT_EQ(messages(sent), 6 + 6 * (q - 1));
      EXPECT_EQ(sent.at(sizes[i].onwards), 3 * (q - 1));
      EXPECT_EQ(sent.at(sizes[i].back), 3 * (q - 1));
      if (sizes[i].faces != 0) {
        EXPECT_EQ(sent.at(sizes[i].faces), 6);
      }
    }
  }
}

// Faces of all ranks together: 2 (q - 1) of the 2 q faces of cells on each of three axes are inside
// of the box, of n^2 points, two deep, with five numbers of 8 bytes.
TEST(NasBt, SendsEveryFaceOnce) {
  for (const Case& which : kCases) {
    const std::int64_t n = which.size == "A" ? 64 : 102;
    const std::int64_t q = root_of(which);
    const std::int64_t side = n / q + 1;
    std::int64_t sent = 0;
    const program::Program program = nas("nas-bt", which);
    for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
      sent += bytes_of(sent_by(program, rank));
    const std::int64_t lines = which.ranks * 3 * (q - 1) * 35 * side * side;
    EXPECT_EQ(sent, 8 * (3 * 2 * (q - 1) * n * n * 10 + lines));
  }
}

// As BT, but for lines: (n - 2)^2 of them on each axis, q - 1 times onwards and back.
TEST(NasSp, SendsFacesAndInnerLines) {
  for (const Case& which : kCases) {
    const std::int64_t n = which.size == "A" ? 64 : 102;
    const std::int64_t q = root_of(which);
    std::int64_t sent = 0;
    const program::Program program = nas("nas-sp", which);
    for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
      const Sent by_rank = sent_by(program, rank);
      EXPECT_EQ(messages(by_rank), 6 + 6 * (q - 1));
      sent += bytes_of(by_rank);
    }
    EXPECT_EQ(sent, 8 * 3 * (q - 1) * (2 * n * n * 10 + (n - 2) * (n - 2) * 32));
  }
  // Class A divides evenly: lines of inner cells are 16 x 16 and 8 x 8.
  const Sent of_16 = sent_by(nas("nas-sp", {"A", 16}), 6);
  EXPECT_EQ(of_16.at(61'440), 6);
  EXPECT_LE(of_16.rbegin()->first, 61'440);
  EXPECT_TRUE(of_16.contains(45'056));
  EXPECT_TRUE(of_16.contains(20'480));
  const Sent of_64 = sent_by(nas("nas-sp", {"A", 64}), 20);
  EXPECT_EQ(of_64.at(35'840), 6);
  EXPECT_TRUE(of_64.contains(11'264));
  EXPECT_TRUE(of_64.contains(5'120));
}

TEST(NasMg, ExchangesBordersOfLevels) {
  for (const std::string size : {"A", "B"}) {
    const Sent of_16 = sent_by(nas("nas-mg", {size, 16}), 5);
    for (const std::int64_t border : {65'536, 66'560, 135'200, 16'384, 16'896, 34'848})
      EXPECT_EQ(of_16.at(border), 6) << border;  // three exchanges with two neighbours
    for (const std::int64_t border : {4'096, 4'352}) EXPECT_EQ(of_16.at(border), 6) << border;
    const Sent of_64 = sent_by(nas("nas-mg", {size, 64}), 21);
    for (const std::int64_t border : {32'768, 33'792, 34'848, 8'192, 8'704, 9'248})
      EXPECT_EQ(of_64.at(border), 6) << border;
  }
}

// On 64 ranks, 4 on a side, levels of 4 points and more have all ranks; level 2 has a point for
// each rank, level 1 one for every eighth, which give the others their borders.
TEST(NasMg, LetsRanksRestOnCoarseLevels) {
  const program::Program program = nas("nas-mg", {"A", 64});
  int active = 0;
  int most = 0;
  for (std::uint32_t rank = 0; rank < 64; ++rank)
    most = std::max(most, messages(sent_by(program, rank)));
  for (std::uint32_t rank = 0; rank < 64; ++rank)
    active += messages(sent_by(program, rank)) == most;
  EXPECT_EQ(active, 8);
  // Seven levels with three exchanges, level 1 with two, what is given on three axes, and the norms
  // of six messages each.
  EXPECT_EQ(most, 7 * 18 + 12 + 6 + 4 * 6);
}

TEST(EveryNasBenchmark, ComputesTheOperationsOfItsClass) {
  const std::map<std::string, double> operations = {
      // published for class A, 10^9
      {"nas-bt", 168.3},   {"nas-cg", 1.508}, {"nas-ep", 0.5369}, {"nas-ft", 7.16},
      {"nas-is", 0.08389}, {"nas-lu", 119.3}, {"nas-mg", 3.892},  {"nas-sp", 85.0}};
  for (const auto& [name, billions] : operations) {
    const auto program = make_application(name, {{"class", "A"}, {"ranks", "4"}});
    ASSERT_TRUE(program) << to_string(program.error());
    const double seconds =
        static_cast<double>(program::summarize(*program).compute_time.count()) / 1e12;
    EXPECT_NEAR(seconds, billions, 0.01 * billions) << name;
  }
}

TEST(EveryNasBenchmark, NamesTheNearestNumberOfRanks) {
  EXPECT_NE(refused("nas-bt", {{"ranks", "60"}}).find("not 60; the nearest is 64"),
            std::string::npos);
  EXPECT_NE(refused("nas-sp", {{"ranks", "1000"}}).find("the nearest is 441"), std::string::npos);
  EXPECT_NE(refused("nas-ft", {{"ranks", "256"}}).find("the nearest is 128"), std::string::npos);
  for (const std::string name : {"nas-cg", "nas-ft", "nas-is", "nas-lu", "nas-mg"}) {
    EXPECT_NE(refused(name, {{"ranks", "65"}}).find("not 65; the nearest is 64"), std::string::npos)
        << refused(name, {{"ranks", "65"}});
  }
  made("nas-ep", {{"ranks", "65"}});
}

}  // namespace
}  // namespace ebb::applications
