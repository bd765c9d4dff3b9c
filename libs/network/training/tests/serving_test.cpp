// SPDX-License-Identifier: Apache-2.0
//
// Programs of requests by what their ranks send, and the files they come from.
#include "servings.hpp"

#include "ebb/program/check.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace ebb::training {
namespace {

using program::Operation;

struct SentTo {
  std::int64_t messages = 0;
  std::int64_t bytes = 0;

  bool operator==(const SentTo&) const = default;
};
using Receivers = std::map<std::uint32_t, SentTo>;

Receivers receivers_of(const program::Program& program, std::uint32_t rank) {
  Receivers sent;
  const auto operations = program.rank(rank);
  for (std::uint32_t i = 0; i < operations.size(); ++i) {
    const Operation operation = operations[i];
    if (operation.kind != Operation::Kind::send) continue;
    ++sent[operation.peer].messages;
    sent[operation.peer].bytes += operation.size.count() / 8;
  }
  return sent;
}

program::Program served(const Inference& inference) {
  auto program = make_program(inference, "test");
  EXPECT_TRUE(program) << to_string(program.error());
  EXPECT_EQ(to_string(check(*program, program::Markers::refuse)), "");
  EXPECT_EQ(program->ranks(), inference.front_end() + 1);
  return *std::move(program);
}

// A prompt of 100 tokens, then 4 iterations of one token each.
const std::vector<Request> kOne = {at(0, 100, 5)};

TEST(InferenceProgram, SendsRequestsAndTokens) {
  const auto program = served(inference_of(small_model(), kOne, {{"tp", "4"}}));
  EXPECT_EQ(receivers_of(program, 4), (Receivers{{0, {1, 400}}}));
  // To the others of the stage that the request is there, and five tokens to the front end.
  EXPECT_EQ(receivers_of(program, 0),
            (Receivers{{1, {1, 0}}, {2, {1, 0}}, {3, {1, 0}}, {4, {5, 20}}}));
  EXPECT_EQ(receivers_of(program, 1), Receivers());
}

TEST(InferenceProgram, SendsActivationsToTheNextStageAndTokensBack) {
  const auto program = served(inference_of(small_model(), kOne, {{"tp", "8"}, {"pp", "3"}}));
  // n h w / t of 100 tokens, and of one four times.
  const SentTo activations{5, 104 * 1024 * 2 / 8};
  EXPECT_EQ(receivers_of(program, 3), (Receivers{{11, activations}}));
  EXPECT_EQ(receivers_of(program, 11), (Receivers{{19, activations}}));
  EXPECT_EQ(receivers_of(program, 19), (Receivers{{3, {4, 16}}}));
  EXPECT_EQ(receivers_of(program, 16), (Receivers{{0, {4, 16}}, {24, {5, 20}}}));
}

TEST(InferenceProgram, ReducesInATensorGroupThatLeavesItsServer) {
  const auto program =
      served(inference_of(small_model(), kOne, {{"tp", "4"}, {"server_gpus", "2"}}));
  // Two all-reduces of each of 16 layers and one of the embedding, in each of five iterations, by
  // rings of 2 (t - 1) messages; of a buffer 2 (t - 1) / t is sent.
  EXPECT_EQ(receivers_of(program, 1), (Receivers{{2, {33 * 5 * 6, 33 * 104 * 1024 * 2 * 3 / 2}}}));
}

TEST(InferenceProgram, FoldsLayersWithTheSameBytes) {
  ParameterTexts given = {{"tp", "4"}, {"server_gpus", "2"}};
  const Inference each = inference_of(small_model(), kOne, given);
  given.emplace_back("folded_layers", "5");
  const Inference folded = inference_of(small_model(), kOne, given);
  // 16 layers are groups of 5, 5, 5 and 1.
  EXPECT_EQ(receivers_of(served(folded), 1).at(2),
            (SentTo{9 * 5 * 6, receivers_of(served(each), 1).at(2).bytes}));
  const auto computing = [](const program::Program& program) {
    Duration sum{};
    const auto operations = program.rank(1);
    for (std::uint32_t i = 0; i < operations.size(); ++i) sum += operations[i].time;
    return sum;
  };
  EXPECT_EQ(computing(served(folded)), computing(served(each)));
}

TEST(InferenceProgram, ExchangesTokensWithExperts) {
  const auto program = served(inference_of(
      small_experts(), kOne, {{"ep", "4"}, {"server_gpus", "1"}, {"dispatch_bytes", "1"}}));
  // 14 layers of experts, there with 1 B and back with 2 B, two experts for each token, of which a
  // GPU has a fourth and sends a fourth to each.
  const auto each = [](std::int64_t tokens, std::int64_t element) {
    return (tokens * 2 * 1024 * element + 15) / 16;
  };
  const std::int64_t bytes = 14 * (each(100, 1) + each(100, 2) + 4 * (each(1, 1) + each(1, 2)));
  const SentTo expected{14 * 2 * 5, bytes};
  EXPECT_EQ(receivers_of(program, 1), (Receivers{{0, expected}, {2, expected}, {3, expected}}));
}

// 2 L k d w bytes of each token of a prompt, each GPU its heads and its layers.
TEST(InferenceProgram, SendsKeysAndValuesToTheDecoder) {
  const std::vector<Request> three = {at(0, 100, 5), at(0, 30, 1), at(1, 50, 2)};
  const ParameterTexts given = {{"tp", "4"}, {"pp", "2"}, {"server_gpus", "4"}};
  const Inference inference = inference_of(small_model(), three, given, Disaggregated{1, 2});
  const auto program = served(inference);
  // Replicas 0, 1 and 2 have the ranks from 0, 8 and 16. The request with one token is done, and
  // those with an even number are decoded by the first decoder.
  const std::int64_t keys = 150 * 8 * 2 * 16 * 64 * 2 / 4;
  EXPECT_EQ(receivers_of(program, 1).at(9), (SentTo{2, keys}));
  EXPECT_EQ(receivers_of(program, 5).at(13), (SentTo{2, keys}));
  std::int64_t all = 0;
  for (std::uint32_t rank = 0; rank < 8; ++rank)
    all += receivers_of(program, rank).at(rank + 8).bytes;
  EXPECT_EQ(all, 2 * 16 * 16 * 64 * 2 * 150);
  EXPECT_EQ(receivers_of(program, 16), Receivers());
  EXPECT_EQ(receivers_of(program, 5).at(9), (SentTo{2, 8}));  // their first tokens
  // The first token of each is of the prefill: 4 and 1 are left.
  EXPECT_EQ(receivers_of(program, 12).at(24).bytes, 5 * 4);
}

TEST(InferenceProgram, OfOneRailSendsItsPart) {
  ParameterTexts given = {{"tp", "4"}, {"pp", "2"}, {"server_gpus", "4"}};
  const Inference all = inference_of(small_model(), kOne, given);
  given.emplace_back("rails", "one");
  const auto one = served(inference_of(small_model(), kOne, given));
  EXPECT_EQ(one.ranks(), 3U);
  EXPECT_EQ(receivers_of(one, 0).at(1), receivers_of(served(all), 0).at(4));
}

TEST(InferenceProgram, IsTheSameEachTime) {
  const auto drawn = Parameters::resolve(
      drawn_request_parameters(),
      {{"count", "30"}, {"rate", "500"}, {"prompt_tokens", "60"}, {"output_tokens", "8"}});
  for (const auto roles : {std::optional<Disaggregated>(), std::optional(Disaggregated{2, 1})}) {
    const Inference inference =
        inference_of(small_experts(), draw_requests(*drawn).value(),
                     {{"tp", "2"}, {"pp", "2"}, {"ep", "2"}, {"server_gpus", "2"}}, roles);
    EXPECT_TRUE(std::ranges::equal(served(inference).bytes(), served(inference).bytes()));
  }
}

TEST(InferenceProgram, IsRefusedWhenItIsTooLarge) {
  const std::vector<Request> many(2'000, at(0, 10, 1000));
  const Inference inference =
      inference_of(small_model(), many, {{"tp", "16"}, {"server_gpus", "8"}, {"max_batch", "8"}});
  const auto program = make_program(inference, "large.yaml");
  ASSERT_FALSE(program);
  EXPECT_NE(to_string(program.error()).find("iterations"), std::string::npos);
  EXPECT_NE(to_string(program.error()).find("2000 requests"), std::string::npos)
      << to_string(program.error());
}

TEST(Inference, ReportsAllThatDoesNotFit) {
  const auto inference = inference_with(small_model(), kOne,
                                        {{"tp", "3"},
                                         {"pp", "17"},
                                         {"ep", "2"},
                                         {"dispatch_bytes", "1"},
                                         {"folded_layers", "2"},
                                         {"mfu", "0.1234567"}},
                                        Disaggregated{1, 1});
  ASSERT_FALSE(inference);
  std::set<std::string> paths;
  for (const Error& error : inference.error()) paths.insert(error.where.path);
  EXPECT_EQ(paths, (std::set<std::string>{"tp", "pp", "ep", "dispatch_bytes", "folded_layers",
                                          "mfu", "disaggregated"}));
}

TEST(Requests, AreReadFromBothHeaders) {
  const auto seconds =
      read_requests("arrival_s,prompt_tokens,output_tokens\n0,374,44\n4.314579,396,109\n", "a.csv");
  const auto stamps = read_requests(
      "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 23:59:58.6805900,374,44\n"
      "2023-11-17 00:00:02.9951690+00:00,396,109\n",
      "b.csv");
  ASSERT_TRUE(seconds) << to_string(seconds.error());
  ASSERT_TRUE(stamps) << to_string(stamps.error());
  EXPECT_EQ(*seconds, *stamps);
  EXPECT_EQ((*seconds)[1], (Request{std::chrono::nanoseconds(4'314'579'000), 396, 109}));
}

TEST(Requests, ReportEveryMistake) {
  const auto requests = read_requests(
      "arrival_s,prompt_tokens,output_tokens\n1,2\nsoon,2,3\n5,0,3\n6,1,many\n7,1,1\n6,1,1\n",
      "a.csv");
  ASSERT_FALSE(requests);
  EXPECT_EQ(requests.error().size(), 5U) << to_string(requests.error());
  EXPECT_EQ(requests.error()[1].where.line, 3);
  EXPECT_FALSE(read_requests("time,prompt\n", "a.csv"));
  EXPECT_FALSE(read_requests("arrival_s,prompt_tokens,output_tokens\n", "a.csv"));
}

TEST(Requests, AreDrawnWithTheirMeans) {
  const auto given = Parameters::resolve(
      drawn_request_parameters(),
      {{"count", "20000"}, {"rate", "40"}, {"prompt_tokens", "500"}, {"output_tokens", "50"}});
  const auto requests = draw_requests(*given).value();
  double prompts = 0;
  double outputs = 0;
  for (const Request& request : requests) {
    prompts += static_cast<double>(request.prompt) / 20000;
    outputs += static_cast<double>(request.output) / 20000;
  }
  EXPECT_NEAR(std::chrono::duration<double>(requests.back().arrival).count(), 500, 10);
  EXPECT_NEAR(prompts, 500.5, 10);
  EXPECT_NEAR(outputs, 50.5, 1);
  EXPECT_TRUE(std::ranges::is_sorted(requests, {}, &Request::arrival));
}

TEST(InferenceFile, IsRead) {
  const auto inference = read_inference(
      "ebb: inference\nschema_version: 1\nmodel: mixtral-8x7b\ntp: 2\nep: 4\n"
      "requests: |\n  arrival_s,prompt_tokens,output_tokens\n  0.5,10,20\n",
      "chat.yaml");
  ASSERT_TRUE(inference) << to_string(inference.error());
  EXPECT_EQ(inference->requests, (std::vector<Request>{at(500, 10, 20)}));
  EXPECT_EQ(inference->division.context, 4U);
  EXPECT_TRUE(is_inference("# a comment\nebb: inference\n"));
  EXPECT_FALSE(is_inference("ebb: training\n"));
}

TEST(InferenceFile, ReportsEveryMistake) {
  const auto inference = read_inference(
      "ebb: inference\nschema_version: 1\nmodel: llama\ntp: 0\nreplicas: 2\n"
      "disaggregated: {prefill: 1, colour: red}\nrequests: {count: 3, rate: 0, prompt_tokens: 5}\n",
      "chat.yaml");
  ASSERT_FALSE(inference);
  // The model, tp, replicas, decode, colour, rate, output_tokens.
  EXPECT_EQ(inference.error().size(), 7U) << to_string(inference.error());
}

}  // namespace
}  // namespace ebb::training
