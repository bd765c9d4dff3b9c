// SPDX-License-Identifier: Apache-2.0
//
// Bytes and FLOPs against published formulas and numbers that were worked out from them.
#include "ebb/training/chunk.hpp"

#include "steps.hpp"

#include <cmath>

namespace ebb::training {
namespace {

double megabytes(DataSize size) { return static_cast<double>(size.count()) / 8e6; }
double gigabytes(std::int64_t bytes) { return static_cast<double>(bytes) / 1e9; }

Step llama_405b() {
  return step_of("llama3-405b", {{"tp", "8"},
                                 {"pp", "16"},
                                 {"dp", "128"},
                                 {"global_batch", "2048"},
                                 {"virtual_stages", "8"}});
}

TEST(Chunk, ShortOnesAreAtTheEnds) {
  const auto chunks = chunks_of(llama_405b());
  ASSERT_EQ(chunks.size(), 128U);
  EXPECT_EQ(chunks.front().layers, 0);  // the embedding alone
  EXPECT_EQ(chunks.back().layers, 0);   // the output alone
  EXPECT_EQ(chunks[1].layers, 1);
  Step step = step_of("llama3-70b", {{"pp", "3"}, {"global_batch", "3"}});
  step.model.layers = 7;
  std::vector<std::int64_t> layers;
  for (const Chunk& chunk : chunks_of(step)) layers.push_back(chunk.layers);
  EXPECT_EQ(layers, (std::vector<std::int64_t>{2, 3, 2}));
  step.model.layers = 8;
  EXPECT_EQ(chunks_of(step)[2].layers, 2);
  EXPECT_EQ(chunks_of(step)[2].first_layer, 6);
}

// Llama 3 405B, TP 8, PP 16: b s h w = 268.4 MB.
TEST(Chunk, OfLlama405BSendsWhatTheFormulasSay) {
  const Step step = llama_405b();
  const Chunk layer = chunks_of(step)[1];
  EXPECT_NEAR(megabytes(stage_message(step)), 33.6, 0.05);
  EXPECT_NEAR(megabytes(tensor_data(step, layer, true) + tensor_data(step, layer, false)), 1879,
              0.5);
  Replicated gradients;
  Replicated weights;
  for (const Chunk& chunk : chunks_of(step)) {
    gradients.common += gradients_of(step, chunk).common;
    weights.common += weights_of(step, chunk).common;
  }
  EXPECT_NEAR(gigabytes(gradients.common) / 16, 12.7, 0.05);  // of a stage
  EXPECT_NEAR(gigabytes(weights.common) / 16, 6.3, 0.05);
}

TEST(Chunk, OfLlama70BSendsWhatTheFormulasSay) {
  const Step step =
      step_of("llama3-70b", {{"tp", "4"}, {"pp", "8"}, {"dp", "2"}, {"global_batch", "128"}});
  const Chunk middle = chunks_of(step)[1];
  EXPECT_EQ(middle.layers, 10);
  EXPECT_NEAR(megabytes(stage_message(step)), 33.6, 0.05);
  EXPECT_NEAR(megabytes(tensor_data(step, middle, true)) / 10, 805 / 2.0, 0.5);
  EXPECT_NEAR(gigabytes(parameter_count(step.model)) / 32, 2.2, 0.05);
  EXPECT_NEAR(gigabytes(gradients_of(step, middle).common), 80 / 8 * 0.856 * 4 / 4, 0.05);
}

TEST(Chunk, OfGpt175BSendsWhatTheFormulasSay) {
  const Step step =
      step_of("gpt3-175b", {{"tp", "8"}, {"pp", "8"}, {"dp", "48"}, {"global_batch", "6144"}});
  const Chunk middle = chunks_of(step)[1];
  EXPECT_NEAR(megabytes(stage_message(step)), 6.3, 0.05);
  EXPECT_NEAR(megabytes(tensor_data(step, middle, false)) / 12, 352 / 2.0, 0.5);
  std::int64_t gradients = 0;
  for (const Chunk& chunk : chunks_of(step)) gradients += gradients_of(step, chunk).common;
  EXPECT_NEAR(gigabytes(gradients) / 8, 10.9, 0.05);
  EXPECT_EQ(tied_gradients(step), bytes(51200L * 12288 / 8 * 4));
}

// 57,344 B of a token to its experts in FP8, and twice that back in BF16.
TEST(Chunk, OfDeepSeekSendsWhatTheFormulasSay) {
  const Step step = step_of("deepseek-v3", {{"pp", "16"},
                                            {"dp", "128"},
                                            {"ep", "64"},
                                            {"global_batch", "15360"},
                                            {"dispatch_bytes", "1"}});
  const auto chunks = chunks_of(step);
  EXPECT_EQ(chunks[0].expert_layers, 0);  // three layers, which are dense
  EXPECT_EQ(chunks[1].expert_layers, 4);
  EXPECT_EQ(expert_message(step, chunks[1]) * 64, bytes(4L * 4096 * 3 * 57'344));
  EXPECT_NEAR(megabytes(stage_message(step)), 58.7, 0.05);
  EXPECT_EQ(gradients_of(step, chunks[1]).routed, 4L * 4 * 256 * 3 * 7168 * 2048 / 64);
}

TEST(Chunk, OfASharedSequenceGathersKeysAndValues) {
  const Step step =
      step_of("llama3-405b",
              {{"tp", "8"}, {"cp", "16"}, {"pp", "16"}, {"dp", "8"}, {"global_batch", "128"}});
  const Chunk middle = chunks_of(step)[1];
  // 2 b s k d w / t of 8 layers, of which a GPU has the 16th part.
  EXPECT_EQ(context_share(step, middle) * 16, bytes(8L * 2 * 8192 * 8 * 128 * 2 / 8));
  EXPECT_EQ(stage_message(step), bytes(8192L * 16384 * 2 / 16 / 8));
}

// 96 B s L h^2 (1 + s / (6 h) + V / (16 L h)) with recomputation (Narayanan et al., equation 3).
TEST(Chunk, OfGptTakesTheFlopsOfTheFormula) {
  Step step = step_of(
      "gpt3-175b",
      {{"tp", "8"}, {"pp", "8"}, {"dp", "4"}, {"global_batch", "4"}, {"recompute", "full"}});
  double flops = 0;
  for (const Chunk& chunk : chunks_of(step)) {
    flops += static_cast<double>(forward_flops(step, chunk) + backward_flops(step, chunk));
  }
  const double h = 12288;
  const double layers = 96;
  const double formula =
      96 * 2048 * layers * h * h * (1 + 2048 / (6 * h) + 51200 / (16 * layers * h)) / 8;
  EXPECT_NEAR(flops / formula, 1, 1e-9);
  step.recomputes = false;
  step.attention = Step::Attention::none;
  double plain = 0;
  for (const Chunk& chunk : chunks_of(step)) {
    plain += static_cast<double>(forward_flops(step, chunk) + backward_flops(step, chunk));
  }
  EXPECT_NEAR(plain, 6 * 2048 * (12 * layers * h * h + 51200 * h) / 8, 1e6);
}

TEST(Chunk, TakesFlopsOverPeakAndMfu) {
  Step step =
      step_of("llama3-70b", {{"global_batch", "1"}, {"peak_tflops", "1000"}, {"mfu", "40%"}});
  EXPECT_EQ(compute_time(step, 400'000'000'000), std::chrono::milliseconds(1));
  EXPECT_EQ(compute_time(step, 1), std::chrono::nanoseconds(1));  // rounded up
}

}  // namespace
}  // namespace ebb::training
