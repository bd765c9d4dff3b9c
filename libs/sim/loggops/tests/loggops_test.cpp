// SPDX-License-Identifier: Apache-2.0
#include "ebb/loggops/loggops.hpp"

#include "ebb/program/builder.hpp"
#include "ebb/program/check.hpp"
#include "ebb/program/goal.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace ebb::loggops {
namespace {

using namespace std::chrono_literals;
using program::Operation;
using program::Program;
using program::RankBuilder;
using Kind = Operation::Kind;

Operation send(std::uint32_t to, DataSize size) {
  return {.kind = Kind::send, .peer = to, .size = size};
}
Operation receive(std::uint32_t from, DataSize size) {
  return {.kind = Kind::receive, .peer = from, .size = size};
}

Program made(std::uint32_t ranks, const std::function<void(std::uint32_t, RankBuilder&)>& fill) {
  program::ProgramBuilder builder(ranks);
  for (std::uint32_t which = 0; which < ranks; ++which) {
    RankBuilder rank;
    fill(which, rank);
    builder.add(rank);
  }
  Program program = std::move(builder).build("made");
  EXPECT_TRUE(check(program, program::Markers::refuse).empty());
  return program;
}

Program of_text(std::string_view text) {
  return program::read_goal_text(text, "test.goal").value();
}

std::vector<Duration> ends(const Program& program, const Parameters& parameters = {}) {
  return run(program, parameters).value().end;
}

// The result in the README of LogGOPSim: a binomial tree reduces 1,024 bytes of 8 ranks. A leaf
// ends after o = 1500 ns; a message is there after o + L = 4000 and takes o + 1023 G = 7638 to
// receive.
TEST(Published, ABinomialReduceOfEightRanks) {
  const Program program = made(8, [](std::uint32_t which, RankBuilder& rank) {
    std::vector<std::uint32_t> received;
    for (std::uint32_t child = 4; child > 0; child /= 2) {
      if (child > which) received.push_back(rank.add(receive(which + child, bytes(1024))));
    }
    if (which == 0) return;
    const std::uint32_t up = rank.add(send(which - std::bit_floor(which), bytes(1024)));
    for (const std::uint32_t one : received) rank.wait_for_end(up, one);
  });
  EXPECT_EQ(ends(program), (std::vector<Duration>{34914ns, 24776ns, 13138ns, 13138ns, 1500ns,
                                                  1500ns, 1500ns, 1500ns}));
}

// The result in the documentation of LogGOPSim: four rounds, each 2 o + L = 5500 ns.
TEST(Published, ADisseminationOfSixteenRanks) {
  const Program program = made(16, [](std::uint32_t which, RankBuilder& rank) {
    std::uint32_t received = 0;
    for (std::uint32_t step = 1; step < 16; step *= 2) {
      const std::uint32_t sent = rank.add(send((which + step) % 16, bytes(1)));
      if (step > 1) rank.wait_for_end(sent, received);
      received = rank.add(receive((which + 16 - step) % 16, bytes(1)));
    }
  });
  EXPECT_EQ(ends(program), std::vector<Duration>(16, 22000ns));
}

// 2 (p - 1) steps, each o + L + o + (s - 1) G.
TEST(LogGops, ARingAllReduceTakesItsFormula) {
  constexpr std::uint32_t kRanks = 8;
  const Program program = made(kRanks, [](std::uint32_t which, RankBuilder& rank) {
    std::uint32_t received = 0;
    for (std::uint32_t step = 0; step < 2 * (kRanks - 1); ++step) {
      const std::uint32_t sent = rank.add(send((which + 1) % kRanks, bytes(125)));
      if (step > 0) rank.wait_for_end(sent, received);
      received = rank.add(receive((which + kRanks - 1) % kRanks, bytes(125)));
    }
  });
  EXPECT_EQ(ends(program),
            std::vector<Duration>(kRanks, 14 * (1500ns + 2500ns + 1500ns + 124 * 6ns)));
}

// A message of S bytes ends its send at once; one more byte, and the send ends when the receive,
// which is posted after 10 us, takes it: then the CPU is free for the computation.
TEST(LogGops, SendsAboveTheLimitEndWithTheirReceive) {
  const auto end_with = [](const std::string& size) {
    return ends(of_text("num_ranks 2\nrank 0 {\na: send " + size +
                        "b to 1\nb: calc 100\nb requires a\n}\n"
                        "rank 1 {\nc: calc 10000\nd: recv 8b from 0\nd requires c\n}\n"))[0];
  };
  EXPECT_EQ(end_with("65535"), 1500ns + 100ns);
  EXPECT_EQ(end_with("65536"), 10000ns + 100ns);
}

// Messages that a rank sends one after the other: the CPU is free after o, the NIC after
// g + (s - 1) G.
TEST(LogGops, CpuAndNicAreBusyOneAfterTheOther) {
  constexpr std::string_view kText =
      "num_ranks 2\nrank 0 {\nsend 101b to 1 tag 1\nsend 101b to 1 tag 2\n}\n"
      "rank 1 {\nrecv 101b from 0 tag 1\nrecv 101b from 0 tag 2\n}\n";
  // The NIC is busy for 1000 + 600 ns, longer than the CPU: the second send begins after it.
  EXPECT_EQ(ends(of_text(kText))[0], 1600ns + 1500ns);
  Parameters slow;
  slow.overhead_per_byte = 10ns;  // the CPU for 1500 + 1000
  EXPECT_EQ(ends(of_text(kText), slow)[0], 2500ns + 2500ns);
  // The first is there after 4000 and takes 1500 + 600; the second, there after 5600, waits for it.
  EXPECT_EQ(ends(of_text(kText))[1], 4000ns + 2 * 2100ns);
}

TEST(LogGops, OperationsOnOtherCpusGoOnMeanwhile) {
  EXPECT_EQ(ends(of_text("num_ranks 1\nrank 0 {\ncalc 100\ncalc 200\ncalc 50 cpu 1\n}\n"))[0],
            300ns);
}

TEST(LogGops, SaysWhichRankWaitsForWhatWhenAProgramStalls) {
  const auto times = run(
      of_text("num_ranks 3\nrank 0 {\na: recv 1b from 1\nb: send 1b to 1\nb requires a\n}\n"
              "rank 1 {\na: recv 1b from 0 tag 0\nb: send 1b to 0\nb requires a\n}\nrank 2 {}\n"),
      {});
  ASSERT_FALSE(times.has_value());
  const std::string said = to_string(times.error());
  EXPECT_NE(said.find("test.goal:3: error: the program stalls: the rank waits for a message from "
                      "rank 1 with tag 0, and "
                      "has 2 operations left"),
            std::string::npos)
      << said;
  EXPECT_EQ(times.error().size(), 2U);
}

TEST(LogGops, RefusesARunThatIsLongerThanTimeCounts) {
  EXPECT_FALSE(run(
      of_text(
          "num_ranks 2\nrank 0 {\nsend 100000000000000000b to 1\n}\nrank 1 {\nrecv 1b from 0\n}\n"),
      {}));
  std::string text = "num_ranks 1\nrank 0 {\n";
  for (int i = 0; i < 6; ++i) text += "calc 1000000000000000\n";
  EXPECT_FALSE(run(of_text(text + "}\n"), {}));
  EXPECT_FALSE(run(of_text("num_ranks 1\nrank 0 {}\n"), {.latency = Duration::max()}));
}

}  // namespace
}  // namespace ebb::loggops
