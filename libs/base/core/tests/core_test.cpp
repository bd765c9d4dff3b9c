// SPDX-License-Identifier: Apache-2.0
// Errors and names, child processes, bytes, large vectors.

#include "ebb/core/bytes.hpp"
#include "ebb/core/large_vector.hpp"
#include "ebb/core/names.hpp"
#include "ebb/core/process.hpp"
#include "ebb/core/random.hpp"
#include "ebb/core/result.hpp"
#include "ebb/core/text_lines.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <fcntl.h>
#include <numeric>
#include <string>
#include <unistd.h>
#include <vector>

namespace ebb {
namespace {

TEST(Error, ReadsLikeACompilerMessage) {
  EXPECT_EQ(to_string(Error{"no such rate", {"net.yaml", 3, 9, "links[2].rate"}}),
            "net.yaml:3:9: error: no such rate (at links[2].rate)");
  EXPECT_EQ(to_string(Error{"empty", {}}), "error: empty");
}

TEST(ClosestName, FindsTheTypoAndNotTheStranger) {
  const std::vector<std::string> names{"hosts", "rate", "ports"};
  EXPECT_EQ(closest_name("hsots", names), "hosts");
  EXPECT_EQ(closest_name("port", names), "ports");
  EXPECT_EQ(closest_name("colour", names), std::nullopt);
}

TEST(UnknownName, ListsWhatIsValidWhenNothingIsNear) {
  const std::vector<std::string> names{"hosts", "rate"};
  EXPECT_EQ(unknown_name("key", "hots", names), "unknown key 'hots'; did you mean 'hosts'?");
  EXPECT_EQ(unknown_name("key", "zzzzzz", names), "unknown key 'zzzzzz'; valid: hosts, rate");
}

TEST(ChildProcess, GetsInputAndEnvironmentAndAnswers) {
  const auto done = run_program({"sh", "-c", "cat; echo $TIDE; echo no >&2; exit 3"},
                                {.input = "in\n", .environment = {"TIDE=low"}});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->exit_code, 3);
  EXPECT_EQ(done->output, "in\nlow\n");
  EXPECT_EQ(done->stderr_text, "no\n");
}

TEST(ChildProcess, ThatDoesNotExistIsAnError) {
  EXPECT_FALSE(run_program({"no-such-program-anywhere"}));
}

TEST(ChildProcess, InheritsTheOneFileItIsGiven) {
  const int file = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const std::string test = "test -e /proc/self/fd/" + std::to_string(file);
  EXPECT_NE(run_program({"sh", "-c", test})->exit_code, 0);
  EXPECT_EQ(run_program({"sh", "-c", test}, {.inherited_file = file})->exit_code, 0);
  close(file);
}

TEST(Bytes, ComeOutAsTheyWentIn) {
  Bytes bytes;
  append(bytes, std::uint8_t{7});
  append_text(bytes, "");
  append_list(bytes, std::vector<std::int64_t>{-1, 2});
  append_text(bytes, "seven");
  ByteReader reader(bytes);
  EXPECT_EQ(reader.take<std::uint8_t>(), 7);
  EXPECT_EQ(reader.take_text(), "");
  EXPECT_EQ(reader.take_list<std::int64_t>(), (std::vector<std::int64_t>{-1, 2}));
  EXPECT_FALSE(reader.empty());
  EXPECT_EQ(reader.take_text(), "seven");
  EXPECT_TRUE(reader.empty());
}

TEST(BytesDeathTest, ShortMessage) {
  Bytes bytes;
  append(bytes, std::uint16_t{1});
  ByteReader reader(bytes);
  EXPECT_DEATH((void)reader.take<std::uint32_t>(), "shorter than it should be");
}

template <class T>
std::uintptr_t offset(const LargeVector<T>& values, std::uintptr_t of) {
  return reinterpret_cast<std::uintptr_t>(values.data()) % of;
}

TEST(LargeVector, BeginsWithACacheLineOrALargePage) {
  const LargeVector<std::uint32_t> few(3);
  EXPECT_EQ(offset(few, 64), 0U);
  const LargeVector<std::uint32_t> many(4 << 20);
  EXPECT_EQ(offset(many, std::uintptr_t{2} << 20U), 0U);
}

TEST(LargeVector, KeepsWhatItHoldsWhenItGrows) {
  LargeVector<std::uint64_t> values;
  for (std::uint64_t i = 0; i < (2 << 20); ++i) values.push_back(i);
  LargeVector<std::uint64_t> expected(values.size());
  std::iota(expected.begin(), expected.end(), 0U);
  EXPECT_TRUE(values == expected);
}

// Golden values: the contract that a stream is the same bits on every compiler and machine.
TEST(RandomStream, GivesTheSameBitsEverywhere) {
  RandomStream stream(1, "golden");
  EXPECT_EQ(stream.next(), 0xf1c9955aeeca701aULL);
  EXPECT_EQ(stream.next(), 0x590d02ab60396535ULL);
  EXPECT_EQ(stream.below(1000), 131U);
  EXPECT_EQ(stream.unit(), 0x1.906d47f6aed62p-2);
  EXPECT_EQ(stream.exponential(), 0x1.20a90399a6f3ep+1);
}

TEST(RandomStream, NamesAndSeedsGiveUnrelatedStreams) {
  EXPECT_NE(RandomStream(1, "a").next(), RandomStream(1, "b").next());
  EXPECT_NE(RandomStream(1, "a").next(), RandomStream(2, "a").next());
  EXPECT_EQ(RandomStream(7, "a").next(), RandomStream(7, "a").next());
}

TEST(RandomStream, BelowIsUniform) {
  RandomStream stream(3, "uniform");
  std::array<int, 7> seen{};
  constexpr int kDraws = 70000;
  for (int i = 0; i < kDraws; ++i) ++seen[stream.below(7)];
  double chi_square = 0;
  for (const int count : seen) chi_square += (count - 10000.0) * (count - 10000.0) / 10000.0;
  EXPECT_LT(chi_square, 22.46);  // 6 degrees of freedom, p = 0.001
}

TEST(RandomStream, ExponentialHasMeanOneAndVarianceOne) {
  RandomStream stream(5, "exponential");
  double sum = 0;
  double squares = 0;
  constexpr int kDraws = 200000;
  for (int i = 0; i < kDraws; ++i) {
    const double x = stream.exponential();
    EXPECT_GE(x, 0);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / kDraws, 1.0, 0.01);
  EXPECT_NEAR(squares / kDraws - 1.0, 1.0, 0.04);
}

TEST(PortableLog, AgreesWithTheLibrary) {
  for (double x = 1e-300; x < 1e300; x *= 1.7) {
    EXPECT_NEAR(portable_log(x), std::log(x), 1e-14 * std::abs(std::log(x)) + 1e-15) << x;
  }
  EXPECT_EQ(portable_log(1.0), 0.0);
}

TEST(PortableExp, AgreesWithTheLibraryOnItsRange) {
  for (double x = -700; x <= 700; x += 0.37) {
    EXPECT_NEAR(portable_exp(x) / std::exp(x), 1, 1e-14) << x;
  }
  EXPECT_EQ(portable_exp(0.0), 1.0);
  EXPECT_EQ(portable_exp(-1.0), 0x1.78b56362cef38p-2) << "the same bits everywhere";
}

TEST(TextLines, HaveNumbersAndNoCommentsOrBlanks) {
  TextLines lines("# heading\r\n\n  first 1\t2 \r\nlast", "table.txt");
  ASSERT_TRUE(lines.next());
  EXPECT_EQ(lines.line(), "first 1\t2");
  EXPECT_EQ(lines.number(), 3);
  EXPECT_EQ(fields_of(lines.line()), (std::vector<std::string_view>{"first", "1", "2"}));
  EXPECT_EQ(lines.whole("12", "a rank", 3, 12), 12U);
  EXPECT_EQ(lines.whole("13", "a rank", 3, 12), std::nullopt);
  ASSERT_TRUE(lines.next());
  EXPECT_EQ(lines.line(), "last");
  EXPECT_FALSE(lines.next());
  EXPECT_EQ(to_string(lines.take_errors()),
            "table.txt:3: error: a rank is a whole number from 3 to 12, not '13'\n");
}

TEST(TextLines, EndWhenThereAreManyErrors) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "x\n";
  TextLines lines(text, "table.txt");
  while (lines.next()) lines.report("is wrong");
  EXPECT_EQ(lines.number(), 100);
  EXPECT_EQ(lines.take_errors().size(), 100U);
}

TEST(TextLines, FieldsBetweenSeparatorsMayBeEmpty) {
  EXPECT_EQ(fields_of(" a ,, b", ','), (std::vector<std::string_view>{"a", "", "b"}));
  EXPECT_EQ(fields_of("", ','), std::vector<std::string_view>{""});
}

TEST(TextLines, LinesAreTakenWithoutTheirEnds) {
  std::string_view text = "one\r\n\ntwo";
  EXPECT_EQ(take_line(text), "one");
  EXPECT_EQ(take_line(text), "");
  EXPECT_EQ(take_line(text), "two");
  EXPECT_TRUE(text.empty());
}

TEST(TextLines, MessagesShowTheBeginningOfALongText) {
  EXPECT_EQ(shown(std::string(40, 'x')), std::string(40, 'x'));
  EXPECT_EQ(shown(std::string(41, 'x')), std::string(40, 'x') + "...");
}

}  // namespace
}  // namespace ebb
