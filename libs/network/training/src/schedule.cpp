// SPDX-License-Identifier: Apache-2.0
#include "ebb/training/schedule.hpp"

#include <algorithm>

namespace ebb::training {
namespace {

// The k-th forward, or backward, pass of a stage.
Pass pass_at(const Pipeline& pipeline, bool is_forward, std::uint32_t k) {
  const std::uint32_t v = pipeline.virtual_stages;
  if (v == 1) return {is_forward, 0, k};
  const std::uint32_t round = pipeline.stages * v;
  const std::uint32_t chunk = k % round / pipeline.stages;
  return {is_forward, is_forward ? chunk : v - 1 - chunk,
          k / round * pipeline.stages + k % pipeline.stages};
}

}  // namespace

std::vector<Pass> passes_of(const Pipeline& pipeline, std::uint32_t stage) {
  const std::uint32_t v = pipeline.virtual_stages;
  const std::uint32_t all = pipeline.micro_batches * v;
  const std::uint32_t behind = pipeline.stages - 1 - stage;
  const std::uint32_t warm_up =
      std::min(v == 1 ? behind : 2 * behind + (v - 1) * pipeline.stages, all);
  std::vector<Pass> passes;
  passes.reserve(std::size_t{2} * all);
  for (std::uint32_t k = 0; k < warm_up; ++k) passes.push_back(pass_at(pipeline, true, k));
  for (std::uint32_t k = warm_up; k < all; ++k) {
    passes.push_back(pass_at(pipeline, true, k));
    passes.push_back(pass_at(pipeline, false, k - warm_up));
  }
  for (std::uint32_t k = all - warm_up; k < all; ++k) passes.push_back(pass_at(pipeline, false, k));
  return passes;
}

}  // namespace ebb::training
