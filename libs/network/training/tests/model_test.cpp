// SPDX-License-Identifier: Apache-2.0
#include "ebb/training/model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace ebb::training {
namespace {

// Published numbers are rounded to their last digit.
void expect_billions(const std::string& name, double published, double last_digit) {
  const double billions = static_cast<double>(parameter_count(find_model(name).value())) / 1e9;
  EXPECT_NEAR(billions, published, last_digit / 2) << name;
}

TEST(Model, HasAsManyParametersAsPublished) {
  expect_billions("llama3-405b", 405, 2);
  expect_billions("llama3-70b", 70.6, 0.1);
  expect_billions("gpt3-175b", 174.6, 0.1);
  expect_billions("mixtral-8x7b", 46.7, 0.1);
  expect_billions("deepseek-v3", 671, 1);
}

TEST(Model, OfTheLlamaFormHasTheParametersOfTheFormula) {
  const Model model = find_model("llama3-405b").value();
  const std::int64_t layer =
      16384L * 128 * 128 * 2 + 2 * 16384L * 8 * 128 + 3 * 16384L * 53248 + 2 * 16384L;
  EXPECT_EQ(parameter_count(model), 126 * layer + 2 * 128256L * 16384 + 16384);
}

TEST(Model, OfTheGptFormHasTheParametersOfTheFormula) {
  const Model model = find_model("gpt3-175b").value();
  const double h = 12288;
  const double layers = 96;
  const double formula =
      12 * layers * h * h * (1 + 13 / (12 * h) + (51200 + 2048) / (12 * layers * h));
  EXPECT_NEAR(static_cast<double>(parameter_count(model)), formula, 1);
}

TEST(Model, MultipliesATokenByTheExpertsItGoesTo) {
  const ParameterCount deepseek = all_parameters(find_model("deepseek-v3").value());
  const ParameterCount mixtral = all_parameters(find_model("mixtral-8x7b").value());
  // Active parameters are published with the embedding, which is looked up.
  EXPECT_NEAR(static_cast<double>(deepseek.multiplying + 129280L * 7168) / 1e9, 37, 0.6);
  EXPECT_NEAR(static_cast<double>(mixtral.multiplying + 32000L * 4096) / 1e9, 12.9, 0.05);
  EXPECT_EQ(mixtral.routed, 32L * 8 * 3 * 4096 * 14336);
}

constexpr auto kSmall =
    "ebb: model\nschema_version: 1\nname: small\nform: llama\nlayers: 4\nhidden: 8\nheads: 2\n"
    "kv_heads: 1\nhead_size: 4\nffn: 16\nvocabulary: 10\nsequence: 32\n";

TEST(ModelFile, IsRead) {
  const Model model = read_model(kSmall, "small.yaml").value();
  EXPECT_EQ(model.name, "small");
  EXPECT_EQ(parameter_count(model), 4 * (2 * 8 * 4 * 3 + 3 * 8 * 16 + 16) + 2 * 10 * 8 + 8);
  EXPECT_EQ(attention_flops(model), 4 * 32 * 32 * 8);
}

TEST(ModelFile, ReportsEveryMistake) {
  const auto model = read_model(
      "ebb: modle\nschema_version: 1\nname: x\nform: bert\nlayers: 0\nhidden: 8\nheads: 2\n"
      "kv_heads: 3\nhead_size: 4\nffn: 16\nvocabulary: 10\nsequence: 32\nexperts: {count: 4, "
      "top_k: 5, ffn: 3, colour: red}\nwidth: 3\n",
      "x.yaml");
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().size(), 8U) << to_string(model.error());
}

TEST(ModelFile, RefusesSizesWhoseProductsAreTooLarge) {
  std::string text = kSmall;
  text.replace(text.find("ffn: 16"), 7, "experts: {count: 10000, top_k: 1, ffn: 1000000}");
  text.replace(text.find("hidden: 8"), 9, "hidden: 1000000");
  const auto parameters = read_model(text, "x");
  ASSERT_FALSE(parameters);
  EXPECT_EQ(parameters.error().front().message, "the model has more than 2^50 parameters");
  text = kSmall;
  text.replace(text.find("sequence: 32"), 12, "sequence: 16777216");
  text.replace(text.find("head_size: 4"), 12, "head_size: 100000");
  const auto attention = read_model(text, "x");
  ASSERT_FALSE(attention);
  EXPECT_EQ(attention.error().front().message,
            "the attention of a sequence takes more than 2^62 FLOPs");
}

}  // namespace
}  // namespace ebb::training
