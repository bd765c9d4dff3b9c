// SPDX-License-Identifier: Apache-2.0
//
// Steps of a training on a network where nothing costs anything: what is left is the schedule.
#include "ebb/loggops/loggops.hpp"
#include "ebb/training/chunk.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ebb::loggops {
namespace {

using training::Model;
using training::Step;

// 32 equal layers and hardly a word: all chunks compute alike.
Step step_with(const ParameterTexts& given) {
  Model model;
  model.layers = 32;
  model.hidden = 1024;
  model.heads = 16;
  model.kv_heads = 16;
  model.head_size = 64;
  model.ffn = 4096;
  model.vocabulary = 1;
  model.sequence = 1024;
  const auto resolved = ebb::Parameters::resolve(training::step_parameters(), given);
  EXPECT_TRUE(resolved) << to_string(resolved.error());
  auto step = training::make_step(model, *resolved);
  EXPECT_TRUE(step) << to_string(step.error());
  return *std::move(step);
}

double seconds_of(const Step& step) {
  const auto program = training::make_program(step, "step").value();
  Parameters free;
  free.latency = free.overhead = free.gap = free.gap_per_byte = Duration();
  const auto times = run(program, free);
  EXPECT_TRUE(times) << to_string(times.error());
  return std::chrono::duration<double>(times->last).count();
}

// Of all passes of a GPU without waiting.
double ideal_seconds(const Step& step) {
  double seconds = 0;
  for (const training::Chunk& chunk : training::chunks_of(step)) {
    const std::int64_t flops = forward_flops(step, chunk) + backward_flops(step, chunk);
    seconds += std::chrono::duration<double>(compute_time(step, flops)).count();
  }
  return seconds * step.micro_batches() / step.stages * step.iterations;
}

struct Shape {
  const char* stages;
  const char* virtual_stages;
  const char* batch;
};

class Bubble : public testing::TestWithParam<Shape> {};

// The pipeline waits for (p - 1) / (v m) of the time in which it computes.
TEST_P(Bubble, IsThatOfTheFormula) {
  const Shape shape = GetParam();
  const Step step = step_with({{"pp", shape.stages},
                               {"virtual_stages", shape.virtual_stages},
                               {"dp", "2"},
                               {"server_gpus", "1"},
                               {"global_batch", shape.batch}});
  const double bubble = seconds_of(step) / ideal_seconds(step) - 1;
  const double formula =
      (step.stages - 1.0) / (double{1} * step.virtual_stages * step.micro_batches());
  EXPECT_NEAR(bubble, formula, 0.002);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Bubble,
                         testing::Values(Shape{"1", "1", "8"}, Shape{"4", "1", "16"},
                                         Shape{"8", "1", "16"}, Shape{"8", "1", "128"},
                                         Shape{"4", "2", "16"}, Shape{"8", "4", "16"},
                                         Shape{"8", "2", "64"}, Shape{"4", "8", "64"}));

TEST(TrainingStep, OfTwoIterationsTakesTwiceAsLong) {
  Step step = step_with({{"pp", "4"}, {"dp", "2"}, {"global_batch", "16"}, {"server_gpus", "1"}});
  const double once = seconds_of(step);
  step.iterations = 2;
  EXPECT_NEAR(seconds_of(step), 2 * once, 1e-6);
}

// The other GPUs of its data group wait for its gradients.
TEST(TrainingStep, WaitsForASlowGpu) {
  Step step = step_with({{"dp", "4"}, {"global_batch", "16"}, {"server_gpus", "1"}});
  const double even = seconds_of(step);
  step.slow_gpu = 2;
  step.slow_factor = Ratio(3, 2);
  EXPECT_NEAR(seconds_of(step), 1.5 * even, 1e-6);
  step.slow_gpu = -1;
  step.spread = Ratio(1, 10);
  EXPECT_GT(seconds_of(step), even);
  EXPECT_LT(seconds_of(step), 1.1 * even + 1e-6);
}

// A tensor group takes 4 (t - 1) / t b s h w bytes of a layer in each direction of a micro-batch.
TEST(TrainingStep, HasTheTimeOfTheScaleUpDomain) {
  const Step step = step_with({{"tp", "8"}, {"global_batch", "4"}, {"scale_up", "100GB/s"}});
  const double data = 4.0 * (2 * 4 * 32 + 4) * 7 / 8 * 1024 * 1024 * 2 + 4.0 * 3 * 2 * 7 / 8 * 4096;
  EXPECT_NEAR(seconds_of(step), ideal_seconds(step) + data / 100e9, 1e-6);
}

}  // namespace
}  // namespace ebb::loggops
