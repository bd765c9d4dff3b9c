// SPDX-License-Identifier: Apache-2.0
#include "ebb/files/transcript_file.hpp"

#include "synthetic_world.hpp"

#include "ebb/policy/policy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

namespace ebb::files {
namespace {

std::string record(const std::string& name, const ParameterTexts& parameters, int samples,
                   std::uint32_t links, std::uint64_t seed = 1) {
  const auto made = policy::make_policy(name, parameters);
  EXPECT_TRUE(made);
  std::string text;
  policy::Recorder recorder({made->name, made->parameters, made->policy->sample_period()},
                            *made->policy, [&](std::string_view line) { text += line; });
  SyntheticWorld(seed, links).run(recorder, samples);
  return text;
}

std::string write(const policy::Transcript& transcript) {
  std::string text = policy::to_line(transcript.header) + "\n";
  for (const policy::Record& record : transcript.records) {
    if (const auto* next_hops = std::get_if<policy::RecordedNextHops>(&record.what))
      text += policy::to_line(next_hops->next_hops);
    if (const auto* sample = std::get_if<policy::RecordedSample>(&record.what))
      text += policy::to_line(policy::Sample{sample->at, sample->channels});
    if (const auto* actions = std::get_if<policy::RecordedActions>(&record.what))
      text += policy::to_line(actions->at, actions->actions);
    if (const auto* outcome = std::get_if<policy::Outcome>(&record.what))
      text += policy::to_line(*outcome);
    text += '\n';
  }
  return text;
}

std::string errors_of(std::string_view text) {
  const auto transcript = read_transcript_text(text, "t.jsonl");
  return transcript ? std::string() : to_string(transcript.error());
}

// Replaces the first `from` after the header.
std::string with(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from, text.find('\n'));
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Transcripts, OfEveryPolicyReplayByteForByte) {
  for (const policy::Entry& entry : policy::policies()) {
    SCOPED_TRACE(entry.name);
    const std::string text = record(entry.name, {}, 3'000, 4);
    const auto transcript = read_transcript_text(text, "t.jsonl");
    ASSERT_TRUE(transcript) << to_string(transcript.error());
    EXPECT_EQ(write(*transcript), text);
    const auto report = policy::replay(*transcript);
    ASSERT_TRUE(report);
    EXPECT_TRUE(report->equal()) << to_text(*report->difference);
    EXPECT_EQ(report->samples, 3'000);
    EXPECT_EQ(text, record(entry.name, {}, 3'000, 4));  // the world is as deterministic
  }
}

TEST(Transcripts, OfTheEpochPolicyHoldManyDecisions) {
  const auto transcript = read_transcript_text(record("epoch", {}, 3'000, 4), "t.jsonl");
  ASSERT_TRUE(transcript);
  const auto report = policy::replay(*transcript);
  EXPECT_GT(report->actions, 1'000);
  EXPECT_GT(report->outcomes, 1'000);
}

TEST(Transcripts, OfPoliciesThatWantWaysHoldThemAndDependOnThem) {
  const std::string text = record("shutdown", {}, 500, 4);
  auto transcript = read_transcript_text(text, "t.jsonl");
  ASSERT_TRUE(transcript) << to_string(transcript.error());
  ASSERT_TRUE(std::holds_alternative<policy::RecordedNextHops>(transcript->records[0].what));
  EXPECT_GT(policy::replay(*transcript)->actions, 5);
  std::get<policy::RecordedNextHops>(transcript->records[0].what).next_hops.pop_back();
  EXPECT_FALSE(policy::replay(*transcript)->equal());
}

TEST(TranscriptReader, ReportsErrorsInNextHops) {
  const std::string text = record("shutdown", {}, 3, 4);
  for (const auto& [from, to, message] : std::vector<std::array<std::string, 3>>{
           {R"("channels":[3])", R"("channels":[])",
            "a next-hop set has at least one channel (at next_hops[1])"},
           {R"("channels":[3])", R"("channels":[3,2])", "must ascend (at next_hops[1])"},
           {R"("channels":[3])", R"("channels":[-3])", "expected whole numbers from 0"},
           {R"("channels":[3])", R"("channels":3)", "expected a list (at next_hops[1].channels)"},
           {R"("channels":[3])", R"("channels":[ 3])", "another form"},
           {R"("device":1,)", "", "missing key 'device'"}})
    EXPECT_NE(errors_of(with(text, from, to)).find(message), std::string::npos)
        << errors_of(with(text, from, to));
  const std::size_t second = text.find('\n') + 1;
  const std::size_t third = text.find('\n', second) + 1;
  const std::string next_hops = text.substr(second, third - second);
  EXPECT_NE(errors_of(text + next_hops).find("directly after the header"), std::string::npos);
}

// Each parameter, changed a little, is noticed.
TEST(Transcripts, NoticeAChangedParameter) {
  const auto transcript = read_transcript_text(record("epoch", {}, 2'000, 4), "t.jsonl");
  ASSERT_TRUE(transcript);
  for (const ParameterTexts& changed :
       {ParameterTexts{{"target", "51%"}}, ParameterTexts{{"epoch", "11us"}},
        ParameterTexts{{"channels", "independent"}}}) {
    const auto other = policy::make_policy("epoch", changed);
    const auto report = policy::replay(*transcript, *other->policy);
    ASSERT_TRUE(report);
    EXPECT_FALSE(report->equal()) << changed[0].first;
  }
  const auto sleep =
      read_transcript_text(record("on-demand", {{"idle", "10us"}}, 10, 4), "t.jsonl");
  const auto other = policy::make_policy("on-demand", {{"idle", "11us"}});
  EXPECT_FALSE(policy::replay(*sleep, *other->policy)->equal());
}

TEST(Transcripts, NoticeALostOutcome) {
  auto transcript =
      read_transcript_text(record("on-demand", {{"idle", "10us"}}, 200, 8), "t.jsonl");
  ASSERT_TRUE(transcript);
  std::erase_if(transcript->records, [](const policy::Record& line) {
    return std::holds_alternative<policy::Outcome>(line.what);
  });
  const auto report = policy::replay(*transcript);
  ASSERT_TRUE(report && report->difference);
  EXPECT_NE(report->difference->recorded, "nothing");
}

TEST(TranscriptReader, RefusesOtherFormsOfTheSameValues) {
  const std::string text = record("epoch", {}, 20, 1);
  EXPECT_EQ(errors_of(text), "");
  EXPECT_NE(errors_of(with(text, R"("rate_levels":5)", R"("rate_levels": 5)"))
                .find("t.jsonl:2: error: ebb"),
            std::string::npos);
  for (const std::string& other :
       {with(text, R"("channel":0,"reverse":1)", R"("reverse":1,"channel":0)"),
        with(text, R"("channel":0,)", R"("channel":0,"colour":"red",)"),
        with(text, R"("channel":0,)", R"("channel":0,"channel":0,)"),
        with(text, R"("busy_ps":0)", R"("busy_ps":-0)"),
        with(text, R"("active")", R"("\u0061ctive")"), with(text, "\n", "\r\n")})
    EXPECT_NE(errors_of(other).find("another form"), std::string::npos) << errors_of(other);
}

TEST(TranscriptReader, ReportsEveryMistakeWithItsLine) {
  std::string text = record("epoch", {}, 3, 1);
  text = with(text, R"("rate_levels":5)", R"("rate_levels":0)");
  text = with(text, R"("kind":"actions")", R"("kind":"action")");
  text = with(text, R"("busy_ps":)", R"("busy":)");
  text += "[]\n{\nnull\n{}";
  const std::string errors = errors_of(text);
  for (const char* part :
       {"t.jsonl:2: error: expected a whole number from 1 to 255 (at channels[0].rate_levels)",
        "t.jsonl:2: error: missing key 'busy_ps' (at channels[0].busy_ps)",
        "t.jsonl:3: error: unknown word 'action'; did you mean 'actions'?", "not JSON: '{'",
        "expected an object", "missing key 'kind'", "the last line is cut"})
    EXPECT_NE(errors.find(part), std::string::npos) << part << " in\n" << errors;
}

TEST(TranscriptReader, RefusesNumbersThatAreNotWhole) {
  const std::string text = record("epoch", {}, 3, 1);
  for (const char* number : {"1.0", "1e3", "9223372036854775808", "18446744073709551616", "-1",
                             "\"1\"", "null", "true", "[]"}) {
    const std::string errors =
        errors_of(with(text, R"("busy_ps":0)", std::string(R"("busy_ps":)") + number));
    EXPECT_NE(errors.find("expected a whole number from 0"), std::string::npos) << number;
  }
}

TEST(TranscriptReader, ChecksTheOrderOfLines) {
  const std::string text = record("epoch", {}, 3, 1);
  const std::size_t header = text.find('\n') + 1;
  EXPECT_NE(errors_of(text.substr(header)).find("is the header"), std::string::npos);
  EXPECT_NE(errors_of(text.substr(0, header) + text).find("is the header"), std::string::npos);
  EXPECT_NE(errors_of(text.substr(0, text.find("{\"kind\":\"actions\""))).find("was cut"),
            std::string::npos);
  EXPECT_NE(errors_of("").find("empty"), std::string::npos);
  EXPECT_NE(errors_of(text.substr(0, text.size() - 1)).find("cut"), std::string::npos);
}

TEST(TranscriptReader, AnswersDeeplyNestedAndLongLines) {
  EXPECT_NE(errors_of(std::string(1'000'000, '[') + "\n").find("not JSON"), std::string::npos);
  EXPECT_NE(errors_of(std::string(kMostTranscriptLineBytes + 1, ' ') + "\n").find("longer"),
            std::string::npos);
  EXPECT_FALSE(read_transcript("no/such/file"));
}

// Thousands of damaged transcripts: each is refused, or is byte for byte what its values are.
TEST(TranscriptReader, AcceptsNothingThatItWouldNotWrite) {
  const std::string text = record("on-demand", {{"idle", "10us"}}, 12, 2);
  RandomStream random(7, "damage");
  int accepted = 0;
  int noticed = 0;
  for (int i = 0; i < 5'000; ++i) {
    std::string damaged = text;
    const auto count = 1 + random.below(3);
    for (std::uint64_t k = 0; k < count; ++k) {
      const std::size_t at = random.below(damaged.size());
      switch (random.below(3)) {
        case 0:
          damaged[at] = static_cast<char>(random.below(256));
          break;
        case 1:
          damaged[at] = static_cast<char>('0' + random.below(10));
          break;
        default:
          damaged.erase(at, 1 + random.below(4));
          break;
      }
    }
    const auto transcript = read_transcript_text(damaged, "damaged");
    if (!transcript) continue;
    ++accepted;
    ASSERT_EQ(write(*transcript), damaged);
    const auto report = policy::replay(*transcript);
    if (damaged != text && (!report || !report->equal())) ++noticed;
  }
  EXPECT_GT(accepted, 50);  // digits of a time or a size can be changed into other sound ones
  EXPECT_GT(noticed, 3);    // and some of those change what the policy says
}

}  // namespace
}  // namespace ebb::files
