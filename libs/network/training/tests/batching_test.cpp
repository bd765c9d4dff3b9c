// SPDX-License-Identifier: Apache-2.0
//
// Which iteration holds which requests, and what iterations cost.
#include "servings.hpp"

#include <algorithm>

namespace ebb::training {
namespace {

// A prefill of 128 tokens takes some 30 us and an iteration that decodes some 160 us, for the
// weights of 268 M parameters: a request that comes a millisecond later meets one of 20 tokens.
TEST(Batching, LetsRequestsThatOverlapShareIterations) {
  const Inference apart = inference_of(small_model(), {at(0, 128, 20), at(1000, 100, 20)}, {});
  const Inference together = inference_of(small_model(), {at(0, 128, 20), at(1, 100, 20)}, {});
  EXPECT_EQ(plans_of(apart)[0].iterations.size(), 40U);
  const ReplicaPlan plan = plans_of(together)[0];
  EXPECT_LT(plan.iterations.size(), 40U);
  const auto joined = std::ranges::find_if(
      plan.iterations, [](const Iteration& one) { return one.first_join == 1 && one.joins == 1; });
  ASSERT_NE(joined, plan.iterations.end());
  const std::int64_t made = joined - plan.iterations.begin();
  EXPECT_EQ(joined->requests, 2U);
  EXPECT_EQ(joined->tokens, 100 + 1);
  // The first request has its prompt and as many tokens as iterations were made.
  EXPECT_EQ(joined->context, 128 + made + 100);
  EXPECT_EQ(joined->pairs, 128 + made + 100 * 101 / 2);
  // It leaves after 20 iterations, and the second one goes on alone for as many as it missed.
  EXPECT_EQ(plan.iterations[19].requests, 2U);
  EXPECT_EQ(plan.iterations[20].requests, 1U);
  EXPECT_EQ(plan.iterations.size(), static_cast<std::size_t>(made) + 20);
}

TEST(Batching, MakesAsManyTokensAsWereAskedFor) {
  std::vector<Request> requests;
  std::int64_t outputs = 0;
  for (int i = 0; i < 50; ++i) {
    requests.push_back(at(i / 3, 10 + 7 * i % 90, 1 + i % 17));
    outputs += requests.back().output;
  }
  for (const char* stages : {"1", "4"}) {
    for (const auto roles : {std::optional<Disaggregated>(), std::optional(Disaggregated{2, 3})}) {
      const Inference inference =
          inference_of(small_model(), requests,
                       {{"pp", stages}, {"max_batch", "4"}, {"server_gpus", "1"}}, roles);
      std::int64_t made = 0;
      for (const ReplicaPlan& plan : plans_of(inference)) {
        for (const Iteration& iteration : plan.iterations) {
          made += iteration.requests;
          EXPECT_LE(iteration.requests, 4U);
        }
      }
      EXPECT_EQ(made, outputs);
    }
  }
}

TEST(Batching, KeepsToTheLargestBatchAndTokens) {
  const std::vector<Request> four(4, at(0, 100, 3));
  const auto joins = [&](const ParameterTexts& given) {
    std::vector<std::uint32_t> counts;
    const auto plans = plans_of(inference_of(small_model(), four, given));
    for (const Iteration& one : plans[0].iterations) counts.push_back(one.joins);
    return counts;
  };
  EXPECT_EQ(joins({}), (std::vector<std::uint32_t>{4, 0, 0}));
  EXPECT_EQ(joins({{"max_batch", "3"}}), (std::vector<std::uint32_t>{3, 0, 0, 1, 0, 0}));
  EXPECT_EQ(joins({{"max_tokens", "250"}}), (std::vector<std::uint32_t>{2, 2, 0, 0}));
  // A longer prompt joins alone.
  EXPECT_EQ(joins({{"max_tokens", "50"}}), (std::vector<std::uint32_t>{1, 1, 1, 1, 0, 0}));
}

TEST(Batching, GivesReplicasTurns) {
  const std::vector<Request> five(5, at(0, 100, 3));
  const auto plans = plans_of(inference_of(small_model(), five, {{"replicas", "2"}}));
  EXPECT_EQ(plans[0].queue.size(), 3U);
  EXPECT_EQ(plans[1].queue.size(), 2U);
}

// Two batches pass two equal stages in turns, so that both are made in the time of one.
TEST(Batching, HasABatchForEachStage) {
  Model even = small_model();
  even.layers = 64;
  const Inference one =
      inference_of(even, {at(0, 8, 200)}, {{"pp", "2"}, {"max_batch", "1"}, {"server_gpus", "1"}});
  const Inference two = inference_of(even, {at(0, 8, 200), at(0, 8, 200)},
                                     {{"pp", "2"}, {"max_batch", "1"}, {"server_gpus", "1"}});
  const double alone = std::chrono::duration<double>(plans_of(one)[0].end).count();
  const double both = std::chrono::duration<double>(plans_of(two)[0].end).count();
  EXPECT_EQ(plans_of(two)[0].iterations.size(), 400U);
  EXPECT_NEAR(both / alone, 1.0, 0.02);
}

TEST(IterationCosts, AreTheFormulas) {
  const Inference inference = inference_of(small_model(), {at(0, 128, 2)}, {});
  const IterationCosts costs(inference);
  Iteration prefill;
  prefill.requests = 1;
  prefill.tokens = prefill.context = 128;
  prefill.pairs = 128 * 129 / 2;
  // Layers of 16 h^2 parameters that multiply, and one word: h of the output.
  const std::int64_t h = 1024;
  const std::int64_t layers = 16 * 16 * h * h;
  EXPECT_EQ(costs.flops(prefill, 0),
            2 * layers * 128 + 2 * h + 4 * 16 * 64 * (128 * 129 / 2) * 16L);
  // Norms have 2 h parameters of a layer; of keys and values 2 k d w are read for each token.
  EXPECT_EQ(costs.memory_data(prefill, 0),
            bytes(2 * (layers + 16 * 2 * h + h) + 128 * 16 * 2 * 16 * 64 * 2));
  // 989 TFLOP/s at 50 %; the prefill of few tokens reads longer than it computes.
  const double seconds = static_cast<double>(costs.memory_data(prefill, 0).count()) / 8 / 3350e9;
  EXPECT_NEAR(std::chrono::duration<double>(costs.stage_time(prefill, 0, 0)).count(), seconds,
              2e-9);
  prefill.tokens = 4096;
  EXPECT_EQ(costs.stage_time(prefill, 0, 0),
            compute_time(Ratio(989, 1), Ratio(1, 2), costs.flops(prefill, 0)));
}

TEST(IterationCosts, AreDividedAmongGpus) {
  const ParameterTexts given = {{"tp", "2"}, {"ep", "4"}};
  const Inference inference = inference_of(small_experts(), {at(0, 128, 2)}, given);
  const IterationCosts costs(inference);
  Iteration decode;
  decode.requests = 3;
  decode.tokens = 3;
  decode.context = decode.pairs = 800;
  const ParameterCount all = all_parameters(inference.model);
  const std::int64_t common = all.common - 1024 - 1024 - 1024 + 1024;  // output without its norm
  // Three tokens go to at most 6 of 8 experts.
  EXPECT_EQ(costs.memory_data(decode, 0), bytes(common * 2 / 2 + all.routed * 2 * 6 / 8 / (2 * 4) +
                                                800 * 16 * 2 * 16 * 64 * 2 / (4 * 2)));
  // Inside of a server: 33 all-reduces of n h w / e in pairs, and 14 layers to three others.
  const std::int64_t reduced = (33 * 3 * 1024 * 2 + 3) / 4;
  const std::int64_t exchanged = (14 * 3 * 2 * 1024 * 2 + 31) / 32;
  const Duration inside =
      serialization_time(bytes(reduced + 3 * 2 * exchanged), inference.scale_up);
  const Duration reading = serialization_time(costs.memory_data(decode, 0), inference.memory);
  EXPECT_EQ(costs.stage_time(decode, 0, 0),
            std::chrono::ceil<std::chrono::nanoseconds>(inside + reading));
}

// A tensor group of more GPUs than heads of keys and values has some of them twice.
TEST(IterationCosts, KeepKeysAndValuesWhereTheirHeadsAre) {
  Model grouped = small_model();
  grouped.kv_heads = 4;
  const auto share = [&](const char* tensor) {
    const Inference inference = inference_of(grouped, {at(0, 1, 1)}, {{"tp", tensor}});
    return IterationCosts(inference).key_values(10, 0);
  };
  EXPECT_EQ(share("1"), bytes(10 * 16 * 2 * 4 * 64 * 2));
  EXPECT_EQ(share("4"), bytes(10 * 16 * 2 * 4 * 64 * 2 / 4));
  EXPECT_EQ(share("8"), share("4"));
}

}  // namespace
}  // namespace ebb::training
