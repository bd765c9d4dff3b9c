// SPDX-License-Identifier: Apache-2.0
//
// Requests to a model on a network where nothing costs anything: what is left is the plan.
#include "ebb/loggops/loggops.hpp"
#include "ebb/training/iteration.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <ostream>

namespace ebb::loggops {
namespace {

using training::Disaggregated;
using training::Inference;

struct Serving {
  const char* tensor;
  const char* stages;
  const char* experts;
  const char* server;
  std::optional<Disaggregated> roles;
};

// The name of a test has it.
void PrintTo(const Serving& serving, std::ostream* out) {
  *out << "tp" << serving.tensor << "_pp" << serving.stages << "_ep" << serving.experts << "_of"
       << serving.server << (serving.roles ? "_apart" : "");
}

Inference inference_of(const Serving& serving) {
  training::Model model;
  model.layers = 8;
  model.hidden = 1024;
  model.heads = 16;
  model.kv_heads = 16;
  model.head_size = 64;
  model.ffn = 4096;
  model.vocabulary = 1000;
  model.sequence = 1024;
  model.experts = training::Experts{.count = 8, .top_k = 2, .ffn = 512};
  const auto drawn = ebb::Parameters::resolve(
      training::drawn_request_parameters(),
      {{"count", "40"}, {"rate", "2000"}, {"prompt_tokens", "200"}, {"output_tokens", "20"}});
  const auto given =
      ebb::Parameters::resolve(training::inference_parameters(), {{"tp", serving.tensor},
                                                                  {"pp", serving.stages},
                                                                  {"ep", serving.experts},
                                                                  {"server_gpus", serving.server},
                                                                  {"max_batch", "6"}});
  auto inference = training::make_inference(model, training::draw_requests(*drawn).value(),
                                            serving.roles, *given);
  EXPECT_TRUE(inference) << to_string(inference.error());
  return *std::move(inference);
}

class Served : public testing::TestWithParam<Serving> {};

// Every iteration begins when it was planned to, so that the last one ends when it was.
TEST_P(Served, EndsAsPlannedWithoutANetwork) {
  const Inference inference = inference_of(GetParam());
  Duration planned{};
  const training::IterationCosts costs(inference);
  const auto plans = training::plan_replicas(inference, costs);
  ASSERT_TRUE(plans) << to_string(plans.error());
  for (const training::ReplicaPlan& plan : *plans) planned = std::max(planned, plan.end);
  Parameters free;
  free.latency = free.overhead = free.gap = free.gap_per_byte = Duration();
  const auto program = training::make_program(inference, "test").value();
  const auto times = run(program, free);
  ASSERT_TRUE(times) << to_string(times.error());
  EXPECT_EQ(times->last, planned);
  // A network with a latency delays it.
  const auto delayed = run(program, {});
  ASSERT_TRUE(delayed) << to_string(delayed.error());
  EXPECT_GT(delayed->last, planned);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Served,
    testing::Values(Serving{"1", "1", "1", "1", {}}, Serving{"2", "1", "1", "8", {}},
                    Serving{"2", "3", "1", "2", {}}, Serving{"4", "2", "1", "2", {}},
                    Serving{"1", "2", "4", "1", {}}, Serving{"2", "4", "2", "8", {}},
                    Serving{"2", "1", "1", "2", Disaggregated{2, 1}},
                    Serving{"2", "3", "2", "2", Disaggregated{1, 3}}));

}  // namespace
}  // namespace ebb::loggops
