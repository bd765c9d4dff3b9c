// SPDX-License-Identifier: Apache-2.0
#include "ebb/trace/chakra.hpp"

#include "support/corpus.hpp"
#include "support/temporary_folder.hpp"

#include "ebb/program/check.hpp"
#include "ebb/program/goal.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

namespace ebb::trace {
namespace {

using program::Operation;

// Fields of Protocol Buffers, written by hand so that a mistake of the writer is not shared.
std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7U) bytes += static_cast<char>(value | 0x80U);
  return bytes + static_cast<char>(value);
}
std::string number(int field, std::uint64_t value) {
  return varint(static_cast<std::uint64_t>(field) << 3U) + varint(value);
}
std::string text(int field, const std::string& value) {
  return varint(static_cast<std::uint64_t>(field) << 3U | 2U) + varint(value.size()) + value;
}
std::string delimited(const std::string& message) { return varint(message.size()) + message; }
std::string attribute(const std::string& name, std::uint64_t value, int kind = 9) {
  return text(10, text(1, name) + number(kind, value));
}

const std::string kMetadata = delimited(text(1, "0.0.4"));
enum Type { metadata = 1, load = 2, comp = 4, send = 5, receive = 6, collective = 7 };

struct NodeText {
  std::uint64_t id = 0;
  int type = comp;
  std::vector<std::uint64_t> data_deps;
  std::vector<std::uint64_t> ctrl_deps;
  std::uint64_t microseconds = 0;
  std::string rest;

  [[nodiscard]] std::string bytes() const {
    std::string packed;
    for (const std::uint64_t one : data_deps) packed += varint(one);
    std::string node = number(1, id) + number(3, static_cast<std::uint64_t>(type));
    for (const std::uint64_t one : ctrl_deps) node += number(4, one);  // not packed
    if (!packed.empty()) node += text(5, packed);
    return delimited(node + number(7, microseconds) + rest);
  }
};

std::string all_reduce(std::uint64_t comm_type = 0, std::uint64_t size = 4096) {
  return attribute("is_cpu_op", 0, 27) + attribute("comm_type", comm_type) +
         attribute("comm_size", size);
}

std::string file(const std::vector<NodeText>& nodes) {
  std::string bytes = kMetadata;
  for (const NodeText& node : nodes) bytes += node.bytes();
  return bytes;
}

Parameters chakra_parameters(const ParameterTexts& given = {}) {
  const auto format = std::ranges::find(formats(), "chakra", &Format::name);
  return Parameters::resolve(format->parameters, given).value();
}

Result<Trace> read_ranks(const std::vector<std::string>& ranks, const ParameterTexts& given = {},
                         const std::string& groups = {}) {
  std::vector<ChakraFile> files;
  files.reserve(ranks.size());
  for (const std::string& one : ranks) files.push_back({fmt::format("t.{}.et", files.size()), one});
  return read_chakra(files, {"t.json", groups}, chakra_parameters(given));
}

std::string refusal(const std::vector<std::string>& ranks, const ParameterTexts& given = {},
                    const std::string& groups = {}) {
  const auto trace = read_ranks(ranks, given, groups);
  return trace ? "" : to_string(trace.error());
}

std::string texts(const std::vector<std::string>& lines) {
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  return all;
}

std::uint64_t count_of(const Trace& trace, std::string_view what) {
  const auto found =
      std::ranges::find(trace.contents, what, [](const auto& entry) { return entry.first; });
  return found == trace.contents.end() ? ~std::uint64_t{0} : found->second;
}

class Chakra : public testing::Test {
 protected:
  void SetUp() override {
    if (!chakra_missing().empty()) GTEST_SKIP() << chakra_missing();
  }
};

TEST_F(Chakra, NodesAreOperations) {
  const std::string message = attribute("comm_size", 64) + attribute("comm_tag", 3, 7);
  const auto trace =
      read_ranks({file({{5, comp, {9}, {}, 7, ""},  // waits for a node that comes later
                        {9, send, {}, {}, 0, message + attribute("comm_dst", 1, 7)},
                        {10, load, {5}, {9}, 2, attribute("is_cpu_op", 1, 27)}}),
                  file({{0, receive, {}, {}, 0, message + attribute("comm_src", 0, 11)}})});
  ASSERT_TRUE(trace) << to_string(trace.error());
  EXPECT_TRUE(trace->repairs.empty()) << texts(trace->repairs);
  const auto rank = trace->program.rank(0);
  ASSERT_EQ(rank.size(), 3U);
  EXPECT_EQ(rank[0], (Operation{.time = std::chrono::microseconds(7)}));
  EXPECT_EQ(rank[1],
            (Operation{.kind = Operation::Kind::send, .peer = 1, .tag = 3, .size = bytes(64)}));
  EXPECT_EQ(rank[2], (Operation{.time = std::chrono::microseconds(2), .cpu = 1}));
  EXPECT_EQ(rank.dependencies(0), 1U);
  EXPECT_EQ(rank.dependencies(2), 2U);
  EXPECT_EQ(rank.after_end(1).size(), 2U);
  EXPECT_TRUE(check(trace->program, program::Markers::refuse).empty());
  EXPECT_EQ(count_of(*trace, "nodes"), 4U);
  EXPECT_EQ(count_of(*trace, "data_deps"), 2U);
  EXPECT_EQ(count_of(*trace, "ctrl_deps"), 1U);
  EXPECT_EQ(count_of(*trace, "microseconds"), 9U);
}

// Bytes that each rank sends, by what comm_size means for a kind.
TEST_F(Chakra, CollectivesAreTheirMessages) {
  struct Case {
    std::uint64_t comm_type;
    std::int64_t sent;  // by all four ranks, of 4,096 bytes that each brings
  };
  for (const Case& one : {Case{0, 4 * 6 * 1024},
                          {1, 3 * 4096},
                          {2, 4 * 3 * 4096},
                          {5, 3 * 4096},
                          {6, 4 * 3 * 1024},
                          {7, 4 * 3 * 1024},
                          {8, 4 * 3 * 1024},
                          {9, 0}}) {
    const std::string rank = file({{1, comp, {}, {}, 5, ""},
                                   {2, collective, {1}, {}, 0, all_reduce(one.comm_type)},
                                   {3, comp, {2}, {}, 5, ""}});
    const auto trace = read_ranks({rank, rank, rank, rank});
    ASSERT_TRUE(trace) << to_string(trace.error());
    const auto summary = summarize(trace->program);
    EXPECT_EQ(summary.sent, bytes(one.sent)) << one.comm_type;
    EXPECT_GE(summary.sends, 3U);
    EXPECT_TRUE(check(trace->program, program::Markers::refuse).empty());
  }
}

TEST_F(Chakra, GroupsAreNamedByAFileByMetadataOrByDimensions) {
  const auto in_group = [](const std::string& name) {
    return file(
        {{1, collective, {}, {}, 0, all_reduce() + text(10, text(1, "pg_name") + text(29, name))}});
  };
  const auto pairs = read_ranks({in_group("a"), in_group("b"), in_group("a"), in_group("b")}, {},
                                R"({"a": [0, 2], "b": [1, 3]})");
  ASSERT_TRUE(pairs) << to_string(pairs.error());
  EXPECT_EQ(pairs->program.rank(0)[0].peer, 2U);
  EXPECT_EQ(summarize(pairs->program).sent, bytes(4 * 2 * 2048));
  EXPECT_NE(refusal({in_group("a"), in_group("c")}, {}, R"({"a": [0]})").find("did you mean 'a'?"),
            std::string::npos);
  EXPECT_NE(refusal({in_group("a"), in_group("a")}, {}, R"({"a": [0]})").find("rank 1 is not in"),
            std::string::npos);
  EXPECT_NE(refusal({in_group("a")}, {}, R"({"a": [0, 1]})").find("has rank 1"), std::string::npos);
  EXPECT_NE(refusal({in_group("a")}, {}, R"({"a": "all"})").find("t.json"), std::string::npos);

  const std::string defined =
      NodeText{
          .id = 0, .type = metadata, .rest = text(8, text(1, R"([{"pg_name": "x", "ranks": []}])"))}
          .bytes();
  const std::string with_metadata = kMetadata + defined + in_group("x").substr(kMetadata.size());
  const auto world = read_ranks({with_metadata, with_metadata});
  ASSERT_TRUE(world) << to_string(world.error());
  EXPECT_EQ(summarize(world->program).sends, 4U);

  const std::string second =
      text(10, text(1, "involved_dim") + text(28, text(1, varint(0) + varint(1))));
  const std::string along = file({{1, collective, {}, {}, 0, all_reduce() + second}});
  const auto columns = read_ranks({along, along, along, along}, {{"dimensions", "2x2"}});
  ASSERT_TRUE(columns) << to_string(columns.error());
  EXPECT_EQ(columns->program.rank(1)[0].peer, 3U);
  EXPECT_NE(refusal({along, along}).find("dimensions"), std::string::npos);
  EXPECT_NE(refusal({along, along}, {{"dimensions", "2x2"}}).find("4 places for 2 ranks"),
            std::string::npos);
}

TEST_F(Chakra, OneRankStandsForAll) {
  const std::string rank = file({{1, collective, {}, {}, 3, attribute("is_cpu_op", 1, 27)},
                                 {2, collective, {1, 77}, {78}, 0, all_reduce(5)}});
  const auto alone = read_ranks({rank});
  ASSERT_TRUE(alone) << to_string(alone.error());
  EXPECT_EQ(summarize(alone->program).sends, 0U);
  EXPECT_EQ(summarize(alone->program).compute_time, std::chrono::microseconds(3));
  ASSERT_EQ(alone->repairs.size(), 2U);
  EXPECT_NE(alone->repairs[0].find("2 dependencies"), std::string::npos) << alone->repairs[0];
  EXPECT_NE(alone->repairs[0].find("node 2 on node 77"), std::string::npos) << alone->repairs[0];
  EXPECT_NE(alone->repairs[1].find("ranks=N"), std::string::npos) << alone->repairs[1];

  const auto eight = read_ranks({rank}, {{"ranks", "8"}});
  ASSERT_TRUE(eight) << to_string(eight.error());
  EXPECT_EQ(summarize(eight->program).sends, 7U);
  EXPECT_NE(texts(eight->repairs).find("each of 8 ranks"), std::string::npos);
  EXPECT_NE(texts(eight->repairs).find("1 collectives name no root"), std::string::npos)
      << texts(eight->repairs);
  EXPECT_NE(refusal({rank, rank}, {{"ranks", "3"}}).find("files of 2 ranks"), std::string::npos);
  const std::string sends =
      file({{1, send, {}, {}, 0, attribute("comm_size", 1) + attribute("comm_dst", 0)}});
  EXPECT_NE(refusal({sends}, {{"ranks", "2"}}).find("node 1"), std::string::npos);
}

TEST_F(Chakra, CtrlDepsThatMakeCyclesAreDropped) {
  // 1 and 2 wait for each other by data_deps one way and ctrl_deps the other; 3 names itself; 4
  // comes before what it waits for, which is no cycle.
  const auto trace = read_ranks({file({{1, comp, {}, {2}, 0, ""},
                                       {2, comp, {1}, {}, 0, ""},
                                       {3, comp, {}, {3, 1}, 0, ""},
                                       {4, comp, {}, {5}, 0, ""},
                                       {5, comp, {3}, {}, 0, ""}})});
  ASSERT_TRUE(trace) << to_string(trace.error());
  ASSERT_EQ(trace->repairs.size(), 1U);
  EXPECT_EQ(trace->repairs[0].substr(0, 12), "2 ctrl_deps ") << trace->repairs[0];
  EXPECT_NE(trace->repairs[0].find("node 1 on node 2"), std::string::npos) << trace->repairs[0];
  EXPECT_EQ(summarize(trace->program).after_end, 4U);
  EXPECT_EQ(trace->program.rank(0).dependencies(3), 1U);
  EXPECT_TRUE(check(trace->program, program::Markers::refuse).empty());
}

TEST_F(Chakra, AllMistakesAreNamed) {
  const std::string wrong = refusal({file({{1, comp, {2}, {}, 0, ""},
                                           {2, comp, {3}, {}, 0, ""},
                                           {3, comp, {1}, {}, 0, ""},
                                           {4, comp, {4}, {}, 0, ""}})});
  EXPECT_NE(wrong.find("3 nodes wait for each other: 1, 2, 3"), std::string::npos) << wrong;
  EXPECT_NE(wrong.find("node 4 waits for itself"), std::string::npos) << wrong;

  const std::string fields =
      refusal({file({{1, send, {}, {}, 0, attribute("comm_size", 8) + attribute("comm_dest", 1)},
                     {1, comp, {}, {}, 2'000'000'000'000, ""},
                     {2, 99, {}, {}, 0, ""},
                     {3, collective, {}, {}, 0, all_reduce(12)},
                     {4,
                      receive,
                      {},
                      {},
                      0,
                      attribute("comm_size", ~std::uint64_t{0}) + attribute("comm_src", 1)}}) +
               "\x7fshort"});
  for (const char* mistake :
       {"no comm_dst, and 'comm_dest' is unknown", "a second node 1", "more than 11 days",
        "type is 99", "comm_type is 12", "comm_size is no number", "longer than the rest"}) {
    EXPECT_NE(fields.find(mistake), std::string::npos) << mistake << "\n" << fields;
  }

  const std::string one = file({{1, collective, {}, {}, 0, all_reduce()}});
  const std::string other = file({{1, collective, {}, {}, 0, all_reduce(6)}});
  EXPECT_NE(refusal({one, other}).find("another kind"), std::string::npos);
  EXPECT_NE(refusal({one, kMetadata}).find("takes part in 0 of the 1 collectives"),
            std::string::npos);
  const auto unequal = read_ranks({one, file({{1, collective, {}, {}, 0, all_reduce(0, 8192)}})});
  ASSERT_TRUE(unequal) << to_string(unequal.error());
  EXPECT_NE(texts(unequal->repairs).find("took the largest"), std::string::npos);
  EXPECT_EQ(summarize(unequal->program).largest, bytes(4096));
}

TEST_F(Chakra, TagsOfMessagesAreBelowThoseOfCollectives) {
  const auto with_tag = [](std::uint64_t tag) {
    return NodeText{
        1,  send,
        {}, {},
        0,  attribute("comm_size", 8) + attribute("comm_dst", 0) + attribute("comm_tag", tag)};
  };
  const NodeText other{2, collective, {}, {}, 0, all_reduce()};
  EXPECT_EQ(refusal({file({with_tag(0x3fff'ffff), other})}), "");
  EXPECT_NE(refusal({file({with_tag(0x4000'0000), other})}).find("comm_tag is 1073741824"),
            std::string::npos);
  EXPECT_EQ(refusal({file({with_tag(0x4000'0000)})}), "");
}

// Files in a folder, and programs that are written.
class ChakraFiles : public Chakra {
 protected:
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_.file(name), std::ios::binary) << bytes;
  }
  [[nodiscard]] Result<Trace> read(const std::string& name) const {
    return read_trace(folder_.file(name), {});
  }
  test::TemporaryFolder folder_;
};

TEST_F(ChakraFiles, OfAllRanksAreFoundByOne) {
  const std::string rank = file(
      {{1, collective, {}, {}, 0, all_reduce() + text(10, text(1, "pg_name") + text(29, "g"))}});
  for (int i = 0; i < 11; ++i) write(fmt::format("job.{}.et", i), rank);
  write("job.json", R"({"g": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]})");
  const auto trace = read("job.10.et");
  ASSERT_TRUE(trace) << to_string(trace.error());
  EXPECT_EQ(trace->format, "chakra");
  EXPECT_EQ(trace->program.ranks(), 11U);
  write("job.13.et", rank);
  const auto gaps = read("job.0.et");
  ASSERT_FALSE(gaps);
  EXPECT_EQ(gaps.error().size(), 2U);
  EXPECT_NE(to_string(gaps.error()).find("job.12.et: error: is missing"), std::string::npos);
}

TEST_F(ChakraFiles, HoldWhatAProgramIs) {
  constexpr std::string_view kGoal =
      "num_ranks 3\n"
      "rank 0 {\na: calc 7000\nb: calc 1400 cpu 1\ns: send 8b to 1 tag 5\ns requires a\ns requires "
      "b\n}\n"
      "rank 1 {\nr: recv 8b from 0 tag 5\nc: calc 2000\nr requires c\n}\nrank 2 {\n}\n";
  const auto program = program::read_goal_text(kGoal, "t.goal").value();
  const auto losses = chakra_losses(program);
  ASSERT_TRUE(losses);
  ASSERT_EQ(losses->size(), 1U);
  EXPECT_EQ(losses->front(), "1 computations were rounded to whole microseconds, by 400ns in all");
  for (std::uint32_t rank = 0; rank < 3; ++rank)
    write(fmt::format("t.{}.et", rank), chakra_file(program, rank));
  const auto again = read("t.1.et");
  ASSERT_TRUE(again) << to_string(again.error());
  std::string rounded(kGoal);
  rounded.replace(rounded.find("1400"), 4, "1000");
  const auto expected = program::read_goal_text(rounded, "t.goal").value();
  EXPECT_TRUE(std::ranges::equal(again->program.bytes(), expected.bytes()));
}

TEST_F(Chakra, CannotSayEverything) {
  const auto program = program::read_goal_text(
                           "num_ranks 2\nrank 0 {\nrecv 8b from -1\na: calc 1000 cpu 3\nb: send 0b "
                           "to 1 nic 1\nb irequires a\n}\n"
                           "rank 1 {\nsend 8b to 0\nrecv 0b from 0 tag -1\n}\n",
                           "t.goal")
                           .value();
  const auto losses = chakra_losses(program);
  ASSERT_FALSE(losses);
  EXPECT_EQ(losses.error().size(), 2U);
  EXPECT_EQ(losses.error().front().where.line, 3);
  const auto others = chakra_losses(
      program::read_goal_text(
          "num_ranks 1\nrank 0 {\na: calc 1000 cpu 3\nb: send 0b to 0 nic 1\nb irequires a\n}\n",
          "t")
          .value());
  ASSERT_TRUE(others);
  EXPECT_EQ(texts(*others),
            "1 dependencies on starts became dependencies on ends\n"
            "1 operations lost the number of their CPU\n"
            "1 operations lost the number of their NIC\n");
}

TEST_F(Chakra, CorpusIsAnswered) {
  const auto replay = [](const std::string& bytes) { return read_ranks({bytes}).has_value(); };
  EXPECT_GE(test::replay_corpus("chakra", replay), 3);
}

}  // namespace
}  // namespace ebb::trace
