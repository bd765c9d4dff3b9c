// SPDX-License-Identifier: Apache-2.0
//
// In which order a stage of a pipeline makes the passes of its micro-batches: one forward, one
// backward (1F1B), as in D. Narayanan et al., "Efficient large-scale language model training on GPU
// clusters using Megatron-LM" (2021), sections 2.2.1 and 2.2.2.
#pragma once

#include <cstdint>
#include <vector>

namespace ebb::training {

struct Pass {
  bool is_forward = true;
  std::uint32_t chunk = 0;  // of the stage: 0 to virtual stages - 1
  std::uint32_t micro_batch = 0;

  bool operator==(const Pass&) const = default;
};

struct Pipeline {
  std::uint32_t stages = 1;
  std::uint32_t virtual_stages = 1;
  std::uint32_t micro_batches = 1;  // with more virtual stages than one a multiple of the stages
};

// A stage begins with forward passes alone, so many that the first gradient comes back when they
// are done: p - 1 - s of stage s, and 2 (p - 1 - s) + (v - 1) p with v virtual stages. Then it
// makes a forward and a backward pass in turns, and then the backward passes that are left. With
// virtual stages, p micro-batches after one another pass a chunk before the next chunk.
[[nodiscard]] std::vector<Pass> passes_of(const Pipeline& pipeline, std::uint32_t stage);

}  // namespace ebb::training
