// SPDX-License-Identifier: Apache-2.0
//
// Steps for tests.
#pragma once

#include "ebb/training/step.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ebb::training {

inline Result<Step> step_with(Model model, const ParameterTexts& given) {
  const auto resolved = Parameters::resolve(step_parameters(), given);
  if (!resolved) return fail(resolved.error());
  return make_step(std::move(model), *resolved);
}

inline Step step_of(const std::string& model, const ParameterTexts& given) {
  auto step = step_with(find_model(model).value(), given);
  EXPECT_TRUE(step) << to_string(step.error());
  return *std::move(step);
}

// Small enough to run, with layers of 2 h (2 h) + 3 h 4 h = 16 h^2 parameters and hardly a word.
inline Model small_model() {
  Model model;
  model.name = "small";
  model.layers = 16;
  model.hidden = 1024;
  model.heads = 16;
  model.kv_heads = 16;
  model.head_size = 64;
  model.ffn = 4096;
  model.vocabulary = 1;
  model.sequence = 128;
  return model;
}

inline Model small_experts() {
  Model model = small_model();
  model.experts = Experts{.count = 8, .shared = 1, .top_k = 2, .ffn = 512, .dense_layers = 2};
  return model;
}

}  // namespace ebb::training
