// SPDX-License-Identifier: Apache-2.0
//
// Programs by what their GPUs send.
#include "steps.hpp"

#include "ebb/program/check.hpp"
#include "ebb/training/chunk.hpp"
#include "ebb/training/schedule.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace ebb::training {
namespace {

using program::Operation;

struct Sent {
  std::int64_t messages = 0;
  std::int64_t bytes = 0;

  bool operator==(const Sent&) const = default;
};

// Messages of a rank by how far away their receiver is; those of the norm, 8 B, are left out.
std::map<std::int64_t, Sent> sent_by(const program::Program& program, std::uint32_t rank) {
  std::map<std::int64_t, Sent> sent;
  const auto operations = program.rank(rank);
  for (std::uint32_t i = 0; i < operations.size(); ++i) {
    const Operation operation = operations[i];
    if (operation.kind != Operation::Kind::send || operation.size == bytes(8)) continue;
    Sent& to = sent[std::int64_t{operation.peer} - rank];
    ++to.messages;
    to.bytes += operation.size.count() / 8;
  }
  return sent;
}

std::int64_t all_bytes(const program::Program& program) {
  std::int64_t sum = 0;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    for (const auto& [distance, sent] : sent_by(program, rank)) sum += sent.bytes;
  }
  return sum;
}

program::Program program_of(const Step& step) {
  auto program = make_program(step, "test");
  EXPECT_TRUE(program) << to_string(program.error());
  EXPECT_EQ(to_string(check(*program, program::Markers::refuse)), "");
  EXPECT_EQ(program->ranks(), step.ranks());
  return *std::move(program);
}

Step small_step(const ParameterTexts& given) {
  auto step = step_with(small_model(), given);
  EXPECT_TRUE(step) << to_string(step.error());
  return *std::move(step);
}

Step small_expert_step(const ParameterTexts& given) {
  auto step = step_with(small_experts(), given);
  EXPECT_TRUE(step) << to_string(step.error());
  return *std::move(step);
}

TEST(TrainingProgram, ReducesAndGathersInADataGroup) {
  const Step step = small_step({{"dp", "4"}, {"global_batch", "8"}, {"server_gpus", "1"}});
  const auto program = program_of(step);
  const std::int64_t parameters = parameter_count(step.model);
  // (d - 1) / d of 4 B for each gradient and 2 B for each weight, in d - 1 messages each.
  const Sent expected{6, 3 * ((parameters * 4 + 3) / 4) + 3 * ((parameters * 2 + 3) / 4)};
  EXPECT_EQ(sent_by(program, 1), (std::map<std::int64_t, Sent>{{1, expected}}));
  EXPECT_EQ(sent_by(program, 3), (std::map<std::int64_t, Sent>{{-3, expected}}));
  EXPECT_NEAR(static_cast<double>(all_bytes(program)), 3 * 6.0 * static_cast<double>(parameters),
              100);
}

TEST(TrainingProgram, ReducesAllWithoutShards) {
  const Step step = small_step(
      {{"dp", "4"}, {"global_batch", "8"}, {"data_parallel", "all-reduce"}, {"server_gpus", "1"}});
  const std::int64_t buffer = parameter_count(step.model) * 4;
  const auto sent = sent_by(program_of(step), 1);
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_EQ(sent.at(1).messages, 6);  // 2 (d - 1)
  EXPECT_NEAR(static_cast<double>(sent.at(1).bytes), 2 * 3 / 4.0 * static_cast<double>(buffer), 6);
}

TEST(TrainingProgram, CutsGradientsIntoBuckets) {
  const ParameterTexts given = {{"pp", "2"},
                                {"dp", "4"},
                                {"global_batch", "16"},
                                {"virtual_stages", "4"},
                                {"server_gpus", "1"}};
  Step step = small_step(given);
  const auto whole = sent_by(program_of(step), 0);
  step.gradient_buckets = 4;
  for (const bool overlaps : {true, false}) {
    step.overlaps_gradients = overlaps;
    const auto cut = sent_by(program_of(step), 0);
    EXPECT_EQ(cut.at(2).messages, 4 * whole.at(2).messages);
    EXPECT_NEAR(static_cast<double>(cut.at(2).bytes), static_cast<double>(whole.at(2).bytes), 100);
  }
}

TEST(TrainingProgram, SendsActivationsAndGradientsBetweenStages) {
  // Tensor groups fill their servers.
  const Step step = small_step({{"tp", "8"}, {"pp", "4"}, {"global_batch", "6"}});
  const auto program = program_of(step);
  const std::int64_t message = 128L * 1024 * 2 / 8;  // b s h w / t
  EXPECT_EQ(sent_by(program, 3), (std::map<std::int64_t, Sent>{{8, {6, 6 * message}}}));
  EXPECT_EQ(sent_by(program, 11),
            (std::map<std::int64_t, Sent>{{8, {6, 6 * message}}, {-8, {6, 6 * message}}}));
  EXPECT_EQ(all_bytes(program), 8 * 2 * 3 * 6 * message);  // t, both ways, p - 1, m
}

TEST(TrainingProgram, SendsMoreOftenWithVirtualStages) {
  const Step step =
      small_step({{"tp", "8"}, {"pp", "4"}, {"global_batch", "8"}, {"virtual_stages", "2"}});
  const std::int64_t message = 128L * 1024 * 2 / 8;
  // 8 chunks, and 7 borders between them: the last stage sends activations to the first one.
  EXPECT_EQ(all_bytes(program_of(step)), 8 * 2 * 7 * 8 * message);
  EXPECT_EQ(sent_by(program_of(step), 24).at(-24), (Sent{8, 8 * message}));
}

TEST(TrainingProgram, SendsNoDataInsideOfAServer) {
  const Step step = small_step({{"tp", "4"}, {"pp", "2"}, {"global_batch", "6"}});
  const auto program = program_of(step);
  EXPECT_EQ(all_bytes(program), 0);
  EXPECT_EQ(sent_by(program, 0).at(4).messages, 6);  // that the data is there
  const Step one_server = small_step({{"dp", "8"}, {"cp", "1"}, {"global_batch", "8"}});
  EXPECT_EQ(all_bytes(program_of(one_server)), 0);
}

TEST(TrainingProgram, GathersKeysAndValuesInAContextGroup) {
  const Step step = small_step({{"tp", "8"}, {"cp", "4"}, {"global_batch", "3"}, {"dp", "1"}});
  const auto sent = sent_by(program_of(step), 0);
  // Forward and backward (c - 1) / c of 2 b s k d w / t for each of 16 layers and 3 micro-batches;
  // gradients and weights likewise, because the group has the same ones.
  const std::int64_t keys = 3 * 2 * 3 * 16 * (2 * 128L * 16 * 64 * 2 / 8 / 4);
  const std::int64_t parameters = (parameter_count(step.model) + 7) / 8;
  const std::int64_t replicas = 3 * ((parameters * 4 + 3) / 4) + 3 * ((parameters * 2 + 3) / 4);
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_EQ(sent.at(8), (Sent{3 * 2 * 3 + 6, keys + replicas}));
}

TEST(TrainingProgram, ExchangesTokensInAnExpertGroup) {
  const Step step =
      small_expert_step({{"tp", "8"}, {"dp", "4"}, {"ep", "4"}, {"global_batch", "4"}});
  const auto sent = sent_by(program_of(step), 8);
  // To each of the others, forward and backward: b s / t tokens, two experts, 14 layers, there and
  // back in BF16, of which each has a fourth.
  const std::int64_t tokens = 2 * (128 / 8) * 2L * 1024 * 14 * 4 / 4;
  EXPECT_EQ(sent.at(16).bytes, tokens);
  EXPECT_EQ(sent.at(-8).bytes, tokens);
  const std::int64_t common = all_parameters(step.model).common / 8;
  EXPECT_NEAR(static_cast<double>(sent.at(8).bytes - tokens),
              static_cast<double>(common) * 6 * 3 / 4, 50);
}

TEST(TrainingProgram, ReducesExpertsWhereTheSameOnesAre) {
  const Step step =
      small_expert_step({{"tp", "8"}, {"dp", "4"}, {"ep", "2"}, {"global_batch", "4"}});
  const auto sent = sent_by(program_of(step), 0);
  // GPUs 0 and 2 of a data group of four have the same experts, each half of its (t e)-th part.
  const std::int64_t routed = all_parameters(step.model).routed / 8 / 2;
  EXPECT_EQ(sent.at(16).bytes, routed * 4 / 2 + routed * 2 / 2);
}

TEST(TrainingProgram, AddsTheGradientsOfATiedMatrix) {
  Model model = small_model();
  model.form = Model::Form::gpt;
  model.vocabulary = 1000;
  const auto step = step_with(model, {{"tp", "8"}, {"pp", "4"}, {"global_batch", "4"}}).value();
  const auto sent = sent_by(program_of(step), 0);
  EXPECT_EQ(sent.at(24).bytes, 1000 * 1024 / 8 * 4);  // 2 (2 - 1) / 2 of it
}

TEST(TrainingProgram, OfTwoIterationsSendsTwice) {
  const ParameterTexts given = {{"tp", "4"}, {"pp", "4"},           {"dp", "2"},
                                {"ep", "2"}, {"global_batch", "8"}, {"virtual_stages", "2"}};
  Step step = small_expert_step(given);
  const std::int64_t once = all_bytes(program_of(step));
  step.iterations = 2;
  EXPECT_EQ(all_bytes(program_of(step)), 2 * once);
}

// Of eight rails, each of which sends the same.
TEST(TrainingProgram, OfOneRailSendsAnEighth) {
  const ParameterTexts given = {{"tp", "8"}, {"cp", "2"},           {"pp", "4"},
                                {"dp", "2"}, {"global_batch", "8"}, {"ep", "2"}};
  Step step = small_expert_step(given);
  const auto all = program_of(step);
  step.one_rail = true;
  const auto one = program_of(step);
  EXPECT_EQ(one.ranks(), 16U);
  EXPECT_EQ(8 * all_bytes(one), all_bytes(all));
  const auto of_all = sent_by(all, 24);
  for (const auto& [distance, sent] : sent_by(one, 3)) EXPECT_EQ(sent, of_all.at(8 * distance));
}

// A program is sound whatever is combined.
TEST(TrainingProgram, OfManyShapesIsSound) {
  for (const char* stages : {"1", "2", "4"}) {
    for (const char* virtual_stages : {"1", "2"}) {
      for (const char* context : {"1", "2"}) {
        for (const char* overlap : {"data-parallel", "none"}) {
          const ParameterTexts given = {
              {"tp", "2"},          {"cp", context},     {"pp", stages},
              {"dp", "4"},          {"ep", "2"},         {"virtual_stages", virtual_stages},
              {"overlap", overlap}, {"iterations", "2"}, {"global_batch", "16"}};
          const auto step = step_with(small_experts(), given);
          if (step) program_of(*step);
        }
      }
    }
  }
}

TEST(TrainingProgram, IsRefusedWhenItIsTooLarge) {
  const Step step =
      small_step({{"dp", "512"}, {"pp", "16"}, {"global_batch", "512000"}, {"iterations", "1000"}});
  const auto program = make_program(step, "large.yaml");
  ASSERT_FALSE(program);
  EXPECT_NE(program.error().front().message.find("8192 ranks with up to"), std::string::npos);
}

TEST(Step, ReportsAllThatDoesNotFit) {
  const auto step = step_with(small_model(), {{"tp", "3"},
                                              {"cp", "7"},
                                              {"pp", "5"},
                                              {"dp", "3"},
                                              {"ep", "2"},
                                              {"virtual_stages", "9"},
                                              {"gradient_buckets", "10"},
                                              {"global_batch", "10"},
                                              {"slow_gpu", "400"},
                                              {"mfu", "0.1234567"}});
  ASSERT_FALSE(step);
  std::set<std::string> at;
  for (const Error& error : step.error()) at.insert(error.where.path);
  EXPECT_EQ(at, (std::set<std::string>{"tp", "cp", "ep", "virtual_stages", "gradient_buckets",
                                       "global_batch", "slow_gpu", "mfu"}));
}

TEST(Step, IsMadeFromTheTable) {
  const auto given = Parameters::resolve(
      parameters(), {{"model", "llama3-70b"}, {"tp", "8"}, {"pp", "8"}, {"global_batch", "8"}});
  ASSERT_TRUE(given) << to_string(given.error());
  EXPECT_EQ(make(*given).value().ranks(), 64U);
}

TEST(StepFile, IsRead) {
  const auto step = read_step(
      "# a comment\nebb: training\nschema_version: 1\nmodel: mixtral-8x7b\ntp: 2\nglobal_batch: "
      "4\n",
      "step.yaml");
  ASSERT_TRUE(step) << to_string(step.error());
  EXPECT_EQ(step->tensor, 2U);
  EXPECT_EQ(step->model.name, "Mixtral 8x7B");
  EXPECT_TRUE(is_step("# a comment\n\nebb: training\n"));
  EXPECT_FALSE(is_step("ebb: model\n"));
}

TEST(StepFile, ReportsEveryMistake) {
  const auto step = read_step(
      "ebb: training\nschema_version: 1\nmodel: llama\ntp: 0\ncolour: red\n", "step.yaml");
  ASSERT_FALSE(step);
  EXPECT_EQ(step.error().size(), 4U) << to_string(step.error());
}

}  // namespace
}  // namespace ebb::training
