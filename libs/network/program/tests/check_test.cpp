// SPDX-License-Identifier: Apache-2.0
#include "ebb/program/check.hpp"

#include "programs.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <string>

namespace ebb::program {
namespace {

using namespace std::chrono_literals;

std::string found(std::string_view text, Markers markers = Markers::refuse) {
  return to_string(check(read(text), markers));
}

TEST(Summary, CountsEverything) {
  const Summary summary = summarize(read(kEverything));
  EXPECT_EQ(summary, (Summary{.ranks = 4,
                              .ranks_with_operations = 3,
                              .sends = 3,
                              .receives = 3,
                              .computations = 2,
                              .sent = bytes(4120),
                              .largest = bytes(4096),
                              .compute_time = 1500ns,
                              .after_end = 2,
                              .after_start = 1,
                              .any_source = 1,
                              .any_tag = 1,
                              .markers = 0,
                              .cpus = 2,
                              .nics = 2}));
}

TEST(Summary, OfMoreThanCanBeCountedIsTheMost) {
  std::string text = "num_ranks 1\nrank 0 {\n";
  for (int i = 0; i < 40; ++i) text += "send 100000000000000000b to 0\ncalc 1000000000000000\n";
  const Summary summary = summarize(read(text + "}\n"));
  EXPECT_EQ(summary.sent.count(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(summary.compute_time, Duration::max());
}

TEST(Check, AcceptsAProgramWhosePartnersAreAllThere) { EXPECT_EQ(found(kEverything), ""); }

TEST(Check, NamesMessagesThatNobodyReceivesAndReceivesThatNobodySends) {
  const std::string said = found(
      "num_ranks 2\nrank 0 {\nsend 1b to 1 tag 1\nsend 1b to 1 tag 2\n}\n"
      "rank 1 {\nrecv 1b from 0 tag 2\nrecv 1b from 0 tag 3\n}\n");
  EXPECT_NE(said.find("test.goal:3: error: rank 1 never receives this message (tag 1)"),
            std::string::npos)
      << said;
  EXPECT_NE(
      said.find("test.goal:8: error: waits for a message from rank 0 with tag 3 that nobody sends"),
      std::string::npos)
      << said;
}

// The first receive would take what only the second may have, if it were asked first.
TEST(Check, GivesMessagesToThoseWhoSayMostFirst) {
  constexpr std::string_view kText =
      "num_ranks 3\nrank 0 {\nsend 1b to 2 tag 1\nsend 1b to 2 tag 2\n}\nrank 1 {\nsend 1b to 2 "
      "tag 1\n}\n"
      "rank 2 {\nrecv 1b from -1 tag -1\nrecv 1b from 0 tag -1\nrecv 1b from 0 tag 1\n}\n";
  EXPECT_EQ(found(kText), "");
}

TEST(Check, NamesPeersThatDoNotExistAndAcceptsMarkersWhenAsked) {
  constexpr std::string_view kText = "num_ranks 1\nrank 0 {\nsend 0b to 9\n}\n";
  EXPECT_NE(
      found(kText).find("test.goal:3: error: sends to rank 9, and there are 1 ranks (--markers"),
      std::string::npos);
  EXPECT_EQ(found(kText, Markers::accept), "");
  EXPECT_NE(
      found("num_ranks 1\nrank 0 {\nsend 1b to 9\n}\n", Markers::accept).find("sends to rank 9"),
      std::string::npos);
  EXPECT_NE(found("num_ranks 1\nrank 0 {\nrecv 1b from 9\n}\n").find("receives from rank 9"),
            std::string::npos);
}

TEST(Check, FindsCycles) {
  const std::string said = found(
      "num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\nc: calc 1\nc requires b\nb irequires c\n}\n");
  EXPECT_NE(said.find("test.goal:4: error: waits for itself, by way of 2 operations"),
            std::string::npos)
      << said;
}

}  // namespace
}  // namespace ebb::program
