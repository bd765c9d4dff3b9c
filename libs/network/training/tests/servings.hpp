// SPDX-License-Identifier: Apache-2.0
//
// Inferences for tests.
#pragma once

#include "steps.hpp"

#include "ebb/training/iteration.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

namespace ebb::training {

inline Result<Inference> inference_with(Model model, std::vector<Request> requests,
                                        const ParameterTexts& given,
                                        std::optional<Disaggregated> roles = {}) {
  const auto resolved = Parameters::resolve(inference_parameters(), given);
  if (!resolved) return fail(resolved.error());
  return make_inference(std::move(model), std::move(requests), roles, *resolved);
}

inline Inference inference_of(Model model, std::vector<Request> requests,
                              const ParameterTexts& given,
                              std::optional<Disaggregated> roles = {}) {
  auto inference = inference_with(std::move(model), std::move(requests), given, roles);
  EXPECT_TRUE(inference) << to_string(inference.error());
  return *std::move(inference);
}

// Milliseconds, prompt, output.
inline Request at(std::int64_t milliseconds, std::int64_t prompt, std::int64_t output) {
  return {std::chrono::milliseconds(milliseconds), prompt, output};
}

inline std::vector<ReplicaPlan> plans_of(const Inference& inference) {
  auto plans = plan_replicas(inference, IterationCosts(inference));
  EXPECT_TRUE(plans) << to_string(plans.error());
  return *std::move(plans);
}

}  // namespace ebb::training
