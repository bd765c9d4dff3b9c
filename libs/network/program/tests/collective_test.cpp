// SPDX-License-Identifier: Apache-2.0
//
// That an algorithm does what it is for is proved by carrying its messages out: a block of data is
// how often the contribution of each rank is in it.
#include "ebb/program/collective.hpp"

#include "../src/collective_schedule.hpp"

#include "ebb/program/check.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <chrono>
#include <deque>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ebb::program {
namespace {

using namespace std::chrono_literals;
using Kind = Collective::Kind;

constexpr std::array kKinds = {Kind::all_reduce, Kind::reduce,         Kind::all_gather,
                               Kind::gather,     Kind::scatter,        Kind::broadcast,
                               Kind::all_to_all, Kind::reduce_scatter, Kind::barrier};

std::vector<std::uint32_t> world(std::uint32_t ranks) {
  std::vector<std::uint32_t> all(ranks);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

// By block: contributions, as pairs of the rank that made it and the block that it made it for,
// with how often they are in it.
using Contributions = std::map<std::pair<std::uint32_t, std::uint32_t>, int>;
using Data = std::map<std::uint32_t, Contributions>;

Data beginning(const Collective& collective, std::uint32_t blocks) {
  const auto ranks = static_cast<std::uint32_t>(collective.ranks.size());
  const std::uint32_t me = collective.me;
  Data data;
  const auto own = [&](std::uint32_t block) { data[block] = {{{me, block}, 1}}; };
  switch (collective.kind) {
    case Kind::all_gather:
    case Kind::gather:
      own(me);
      break;
    case Kind::broadcast:
    case Kind::scatter:
      for (std::uint32_t block = 0; block < blocks && me == collective.root; ++block) own(block);
      break;
    case Kind::all_to_all:
      for (std::uint32_t block = 0; block < ranks; ++block) own(block);
      break;
    default:
      for (std::uint32_t block = 0; block < blocks; ++block) own(block);
  }
  return data;
}

// Runs the schedules of all ranks, and takes messages of a pair of ranks in their order.
class Interpreter {
 public:
  explicit Interpreter(Collective collective) : collective_(collective) {
    for (std::uint32_t me = 0; me < collective.ranks.size(); ++me) {
      collective.me = me;
      schedules_.push_back(schedule(collective));
      data_.push_back(beginning(collective, schedules_.back().blocks));
    }
    next_.resize(schedules_.size());
    sent_.resize(schedules_.size());
  }

  // False when ranks wait for each other, or messages are left.
  bool run() {
    for (bool goes_on = true; goes_on;) {
      goes_on = false;
      for (std::uint32_t rank = 0; rank < schedules_.size(); ++rank)
        while (run_round(rank)) goes_on = true;
    }
    for (std::uint32_t rank = 0; rank < schedules_.size(); ++rank)
      if (next_[rank] != schedules_[rank].transfers.size()) return false;
    for (const auto& [pair, messages] : messages_)
      if (!messages.empty()) return false;
    return true;
  }

  [[nodiscard]] const Data& data(std::uint32_t rank) const { return data_[rank]; }
  // What an all-to-all brought: the rank that it came from.
  [[nodiscard]] const std::set<std::uint32_t>& heard(std::uint32_t rank) { return heard_[rank]; }

 private:
  std::vector<std::uint32_t> list(std::uint32_t rank, Blocks blocks) const {
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < blocks.count; ++i)
      all.push_back((blocks.first + i) % schedules_[rank].blocks);
    return all;
  }

  // Sends what the rank has at the beginning of a round; then the round ends when all its messages
  // are there.
  bool run_round(std::uint32_t rank) {
    const auto& transfers = schedules_[rank].transfers;
    const std::size_t first = next_[rank];
    if (first == transfers.size()) return false;
    std::size_t end = first;
    while (end < transfers.size() && transfers[end].round == transfers[first].round) ++end;
    if (!sent_[rank]) send(rank, first, end);
    sent_[rank] = true;
    for (std::size_t i = first; i < end; ++i) {
      if (transfers[i].kind == Transfer::Kind::send) continue;
      if (messages_[{transfers[i].peer, rank}].empty()) return false;
    }
    for (std::size_t i = first; i < end; ++i) receive(rank, transfers[i]);
    next_[rank] = end;
    sent_[rank] = false;
    return true;
  }

  void send(std::uint32_t rank, std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      const Transfer& transfer = schedules_[rank].transfers[i];
      if (transfer.kind != Transfer::Kind::send) continue;
      Data message;
      for (const std::uint32_t block : list(rank, transfer.blocks)) {
        EXPECT_TRUE(data_[rank].contains(block)) << "rank " << rank << " has no block " << block;
        message[block] = data_[rank][block];
      }
      messages_[{rank, transfer.peer}].push_back(message);
    }
  }

  void receive(std::uint32_t rank, const Transfer& transfer) {
    if (transfer.kind == Transfer::Kind::send) return;
    auto& waiting = messages_[{transfer.peer, rank}];
    const Data message = waiting.front();
    waiting.pop_front();
    Data expected;
    for (const std::uint32_t block : list(rank, transfer.blocks)) expected[block];
    EXPECT_EQ(message.size(), expected.size());
    for (const auto& [block, contributions] : message) {
      EXPECT_TRUE(expected.contains(block)) << "rank " << rank << " got block " << block;
      if (collective_.kind == Kind::all_to_all) {
        heard_[rank].insert(contributions.begin()->first.first);
      } else if (collective_.kind == Kind::barrier) {  // hearing twice of a rank is no mistake
        for (const auto& [who, times] : contributions) data_[rank][block][who] = 1;
      } else if (transfer.kind == Transfer::Kind::reduce) {
        for (const auto& [who, times] : contributions) data_[rank][block][who] += times;
      } else {
        data_[rank][block] = contributions;
      }
    }
  }

  Collective collective_;
  std::vector<Schedule> schedules_;
  std::vector<Data> data_;
  std::vector<std::size_t> next_;  // transfer, by rank
  std::vector<bool> sent_;         // what the round sends, by rank
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::deque<Data>> messages_;
  std::map<std::uint32_t, std::set<std::uint32_t>> heard_;
};

// The contribution of each rank once, and nothing else.
Contributions sum_of_all(std::uint32_t ranks, std::uint32_t block) {
  Contributions all;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) all[{rank, block}] = 1;
  return all;
}

// What must be where in the end.
void expect_result(const Collective& collective, Interpreter& run, std::uint32_t me,
                   std::uint32_t blocks) {
  const auto ranks = static_cast<std::uint32_t>(collective.ranks.size());
  Data data = run.data(me);
  switch (collective.kind) {
    case Kind::reduce:
      if (me != collective.root) return;
      [[fallthrough]];
    case Kind::all_reduce:
    case Kind::barrier:
      for (std::uint32_t block = 0; block < blocks; ++block)
        EXPECT_EQ(data[block], sum_of_all(ranks, block)) << block;
      return;
    case Kind::reduce_scatter:
      EXPECT_EQ(data[me], sum_of_all(ranks, me));
      return;
    case Kind::gather:
      if (me != collective.root) return;
      [[fallthrough]];
    case Kind::all_gather:
      for (std::uint32_t block = 0; block < ranks; ++block)
        EXPECT_EQ(data[block], (Contributions{{{block, block}, 1}})) << block;
      return;
    case Kind::scatter:
      EXPECT_EQ(data[me], (Contributions{{{collective.root, me}, 1}}));
      return;
    case Kind::broadcast:
      for (std::uint32_t block = 0; block < blocks; ++block)
        EXPECT_EQ(data[block], (Contributions{{{collective.root, block}, 1}})) << block;
      return;
    case Kind::all_to_all:
      EXPECT_EQ(run.heard(me).size(), ranks - 1);
      return;
  }
}

class EveryAlgorithm : public testing::TestWithParam<std::uint32_t> {
 protected:
  // From every root.
  template <class Do>
  static void for_each(const Do& use) {
    const std::uint32_t ranks = GetParam();
    std::vector<std::uint32_t> group = world(ranks);
    for (const Kind kind : kKinds) {
      for (const std::string_view algorithm : algorithms(kind)) {
        for (std::uint32_t root = 0; root < ranks; ++root) {
          SCOPED_TRACE(std::string(algorithm) + " of kind " +
                       std::to_string(static_cast<int>(kind)) + ", root " + std::to_string(root));
          use(Collective{.kind = kind,
                         .ranks = group,
                         .root = root,
                         .size = bytes(1003),
                         .reduction = 1us,
                         .tag = 5,
                         .algorithm = algorithm});
        }
      }
    }
  }
};

TEST_P(EveryAlgorithm, GivesEveryRankWhatItMustHave) {
  for_each([](const Collective& collective) {
    Interpreter run(collective);
    ASSERT_TRUE(run.run()) << "ranks wait for each other, or messages are left";
    for (std::uint32_t me = 0; me < collective.ranks.size(); ++me)
      expect_result(collective, run, me, schedule(collective).blocks);
  });
}

Program program_of(const Collective& collective) {
  ProgramBuilder builder(static_cast<std::uint32_t>(collective.ranks.size()));
  for (std::uint32_t me = 0; me < collective.ranks.size(); ++me) {
    Collective mine = collective;
    mine.me = me;
    RankBuilder rank;
    append(rank, mine, std::nullopt);
    builder.add(rank);
  }
  return std::move(builder).build("made");
}

TEST_P(EveryAlgorithm, HasPartnersForAllItsMessages) {
  for_each([](const Collective& collective) {
    ASSERT_EQ(to_string(check(program_of(collective), Markers::refuse)), "");
  });
}

// Bytes that all ranks send together; p ranks, q of them active, of n bytes.
TEST_P(EveryAlgorithm, SendsWhatItsFormulaSays) {
  const std::int64_t p = GetParam();
  const std::int64_t q = std::bit_floor(GetParam());
  const std::int64_t r = p - q;
  const std::int64_t log_q = std::countr_zero(std::bit_floor(GetParam()));
  constexpr std::int64_t kSize = 1003;
  const auto sent = [&](Kind kind, std::string_view algorithm) {
    const auto group = world(GetParam());
    const Program program =
        program_of({.kind = kind, .ranks = group, .size = bytes(kSize), .algorithm = algorithm});
    return summarize(program).sent.count() / 8;
  };
  EXPECT_EQ(sent(Kind::all_reduce, "ring"), 2 * (p - 1) * kSize);
  EXPECT_EQ(sent(Kind::all_reduce, "recursive-doubling"), (q * log_q + 2 * r) * kSize);
  EXPECT_EQ(sent(Kind::all_reduce, "halving-doubling"), (2 * (q - 1) + 2 * r) * kSize);
  EXPECT_EQ(sent(Kind::all_reduce, "binomial-tree"), 2 * (p - 1) * kSize);
  EXPECT_EQ(sent(Kind::reduce_scatter, "ring"), p * (p - 1) * kSize);
  for (const std::string_view algorithm : {"binomial-tree", "linear"}) {
    EXPECT_EQ(sent(Kind::reduce, algorithm), (p - 1) * kSize);
    EXPECT_EQ(sent(Kind::broadcast, algorithm), (p - 1) * kSize);
  }
  EXPECT_EQ(sent(Kind::all_gather, "ring"), p * (p - 1) * kSize);
  EXPECT_EQ(sent(Kind::all_gather, "bruck"), p * (p - 1) * kSize);
  EXPECT_EQ(sent(Kind::gather, "linear"), (p - 1) * kSize);
  EXPECT_EQ(sent(Kind::scatter, "linear"), (p - 1) * kSize);
  EXPECT_EQ(sent(Kind::all_to_all, "pairwise"), p * (p - 1) * kSize);
  EXPECT_EQ(sent(Kind::all_to_all, "linear"), p * (p - 1) * kSize);
  if (p == q) {  // each of log2 p levels of the tree carries half of all blocks
    EXPECT_EQ(sent(Kind::gather, "binomial-tree"), p * log_q / 2 * kSize);
    EXPECT_EQ(sent(Kind::scatter, "binomial-tree"), p * log_q / 2 * kSize);
    EXPECT_EQ(sent(Kind::all_gather, "recursive-doubling"), p * (p - 1) * kSize);
    EXPECT_EQ(sent(Kind::reduce_scatter, "recursive-halving"), p * (p - 1) * kSize);
  }
  for (const std::string_view algorithm : algorithms(Kind::barrier))
    EXPECT_EQ(sent(Kind::barrier, algorithm), 0);
}

INSTANTIATE_TEST_SUITE_P(Ranks, EveryAlgorithm, testing::Values(1, 2, 3, 5, 8, 16));

TEST(Append, SharesTheTimeOfReducingOverTheParts) {
  const auto group = world(4);
  const auto computing = [&](std::string_view algorithm) {
    return summarize(program_of({.kind = Kind::all_reduce,
                                 .ranks = group,
                                 .size = bytes(4000),
                                 .reduction = 1us,
                                 .algorithm = algorithm}))
               .compute_time /
           4;
  };
  EXPECT_EQ(computing("ring"), 750ns);  // three parts of a quarter
  EXPECT_EQ(computing("recursive-doubling"), 2us);
  EXPECT_EQ(computing("halving-doubling"), 500ns + 250ns);
}

struct Chosen {
  Kind kind;
  std::uint32_t ranks;
  std::int64_t size;
  std::string_view algorithm;
};

// Both sides of every threshold.
TEST(Automatic, ChoosesBySizeAndRanks) {
  constexpr std::int64_t kKiB = 1024;
  for (const Chosen& chosen : std::vector<Chosen>{
           {Kind::all_reduce, 8, 2 * kKiB, "recursive-doubling"},
           {Kind::all_reduce, 8, 2 * kKiB + 1, "halving-doubling"},
           {Kind::all_gather, 8, 64 * kKiB - 1, "recursive-doubling"},
           {Kind::all_gather, 8, 64 * kKiB, "ring"},
           {Kind::all_gather, 10, 8 * kKiB - 1, "bruck"},
           {Kind::all_gather, 10, 8 * kKiB, "ring"},
           {Kind::broadcast, 8, 12 * kKiB - 1, "binomial-tree"},
           {Kind::broadcast, 8, 12 * kKiB, "scatter-doubling"},
           {Kind::broadcast, 7, 1024 * kKiB, "binomial-tree"},
           {Kind::broadcast, 10, 12 * kKiB, "scatter-ring"},
           {Kind::broadcast, 8, 512 * kKiB, "scatter-ring"},
           {Kind::all_to_all, 8, 32 * kKiB, "linear"},
           {Kind::all_to_all, 8, 32 * kKiB + 1, "pairwise"},
           {Kind::reduce_scatter, 8, 64 * kKiB - 1, "recursive-halving"},
           {Kind::reduce_scatter, 8, 64 * kKiB, "ring"},
           {Kind::barrier, 8, 0, ""},
       }) {
    const auto group = world(chosen.ranks);
    EXPECT_EQ(
        automatic_algorithm({.kind = chosen.kind, .ranks = group, .size = bytes(chosen.size)}),
        chosen.algorithm)
        << static_cast<int>(chosen.kind) << ' ' << chosen.ranks << ' ' << chosen.size;
  }
}

// A vector of 1,024 bytes on 8 ranks: in a binomial scatter each of three levels carries half of
// the parts, and then seven parts go to each rank.
TEST(Append, BroadcastsByScatteringAndGathering) {
  const auto group = world(8);
  for (const std::string_view algorithm : {"scatter-ring", "scatter-doubling"}) {
    const Program program = program_of(
        {.kind = Kind::broadcast, .ranks = group, .size = bytes(1024), .algorithm = algorithm});
    EXPECT_EQ(summarize(program).sent, bytes(3 * 512 + 7 * 1024)) << algorithm;
  }
}

// Six ranks in groups of at most 4 are two groups of 3: n = 600 bytes in thirds inside, there and
// back, and sixths across.
TEST(Append, ReducesInGroupsAndBetweenThem) {
  const auto group = world(6);
  Collective collective{.kind = Kind::all_reduce,
                        .ranks = group,
                        .size = bytes(600),
                        .algorithm = "hierarchical",
                        .group = 4};
  Interpreter run(collective);
  ASSERT_TRUE(run.run());
  for (std::uint32_t me = 0; me < 6; ++me) expect_result(collective, run, me, 6);
  const Program program = program_of(collective);
  EXPECT_EQ(summarize(program).sent, bytes(6 * (2 * 2 * 200 + 2 * 100)));
  EXPECT_EQ(summarize(program).largest, bytes(200));
}

// The longer parts come first: 10 bytes on 4 ranks are 3, 3, 2 and 2.
TEST(Append, CutsAVectorWithTheLongerPartsFirst) {
  const auto group = world(4);
  RankBuilder rank;
  append(rank, {.kind = Kind::all_reduce, .ranks = group, .size = bytes(10)}, std::nullopt);
  ProgramBuilder builder(4);
  builder.add(rank);
  const Program program = std::move(builder).build("made");
  std::vector<std::int64_t> sizes;
  for (std::uint32_t i = 0; i < program.rank(0).size(); ++i) {
    const Operation operation = program.rank(0)[i];
    if (operation.kind == Operation::Kind::send) sizes.push_back(operation.size.count() / 8);
  }
  EXPECT_EQ(sizes, (std::vector<std::int64_t>{2, 2, 3, 3, 2, 2}));  // parts 3, 2, 1, then 0, 3, 2
}

// Ranks that give 1, 2 and 3 bytes: rank 0 sends its own to rank 1, and then that of rank 2.
TEST(Append, TakesSizesThatDifferByRank) {
  const auto group = world(3);
  const std::vector<DataSize> sizes = {bytes(1), bytes(2), bytes(3)};
  const Collective gathering{.kind = Kind::all_gather, .ranks = group, .sizes = sizes};
  const Program program = program_of(gathering);
  EXPECT_EQ(to_string(check(program, Markers::refuse)), "");
  EXPECT_EQ(program.rank(0)[0].size, bytes(1));
  EXPECT_EQ(program.rank(0)[2].size, bytes(3));
  EXPECT_EQ(summarize(program).sent, bytes(2 * (1 + 2 + 3)));
}

// Rank 7 of a program, with something to wait for: its operations, and where the collective ends.
TEST(Append, BeginsAfterWhatCameBeforeAndNamesItsEnd) {
  const std::vector<std::uint32_t> group = {9, 7, 8};
  RankBuilder rank;
  const std::uint32_t before = rank.add({.kind = Operation::Kind::compute, .time = 5ns});
  const std::uint32_t end = append(
      rank,
      {.kind = Kind::broadcast, .ranks = group, .me = 1, .root = 1, .size = bytes(8), .tag = 3},
      before);
  ProgramBuilder builder(1);
  builder.add(rank);
  const Program program = std::move(builder).build("made");
  const RankOperations made = program.rank(0);
  ASSERT_EQ(made.size(), 3U);
  EXPECT_EQ(made.roots().size(), 1U);
  EXPECT_EQ(end, 2U);
  EXPECT_EQ(made[1],
            (Operation{.kind = Operation::Kind::send, .peer = 9, .tag = 3, .size = bytes(8)}));
  EXPECT_EQ(made[2].peer, 8U);
  EXPECT_EQ(made.dependencies(2), 1U);
}

TEST(Append, OfOneRankAddsNothingThatTakesTime) {
  const std::vector<std::uint32_t> group = {4};
  RankBuilder rank;
  const std::uint32_t alone =
      append(rank, {.kind = Kind::all_reduce, .ranks = group, .size = bytes(8), .reduction = 1s},
             std::nullopt);
  EXPECT_EQ(append(rank, {.kind = Kind::barrier, .ranks = group}, alone), alone);
  EXPECT_EQ(rank.size(), 1U);
}

// Sizes that no machine has still make a program.
TEST(Append, BoundsWhatAMessageMayHave) {
  const auto group = world(64);
  const Program program = program_of({.kind = Kind::gather,
                                      .ranks = group,
                                      .size = bytes(std::int64_t{1} << 57),
                                      .reduction = Duration::max()});
  EXPECT_EQ(summarize(program).largest, bytes(std::int64_t{1} << 57));
  program_of({.kind = Kind::reduce_scatter,
              .ranks = group,
              .size = bytes(std::int64_t{1} << 57),
              .reduction = Duration::max()});
}

}  // namespace
}  // namespace ebb::program
