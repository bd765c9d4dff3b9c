// SPDX-License-Identifier: Apache-2.0
//
// A chunk: the layers that a micro-batch passes in one visit to a GPU, and what a visit costs:
// time, and bytes of each operation between GPUs. A pipeline of P stages with v virtual stages has
// P v chunks; chunk g is on stage g mod P.
//
// Below, b is the micro-batch, s the sequence, h the hidden size, w = 2 the bytes of an element
// (BF16), and t, c, e the sizes of the tensor, context and expert groups. Elements of a micro-batch
// on a GPU are b s h / c, and b s h / (c t) where the tensor group divides the sequence.
#pragma once

#include "ebb/training/step.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <vector>

namespace ebb::training {

inline constexpr std::int64_t kElementBytes = 2;  // activations and weights in BF16

struct Chunk {
  std::int64_t first_layer = 0;
  std::int64_t layers = 0;
  std::int64_t expert_layers = 0;
  bool has_embedding = false;
  bool has_output = false;
  ParameterCount parameters;  // of all GPUs that share it
};

// All of the pipeline, in order. Where layers do not divide evenly, chunks at the ends have one
// fewer: the last, the first, the one before the last, and so on, because they have the output and
// the embedding besides.
[[nodiscard]] std::vector<Chunk> chunks_of(const Model& model, std::uint32_t count);
[[nodiscard]] std::vector<Chunk> chunks_of(const Step& step);

// FLOPs of a pass of one GPU: (2 N b s + A) / (t c) forward, with the N parameters that multiply a
// token and the scores of attention A; backward twice that, and with recomputation the layers
// again.
[[nodiscard]] std::int64_t forward_flops(const Step& step, const Chunk& chunk);
[[nodiscard]] std::int64_t backward_flops(const Step& step, const Chunk& chunk);
// FLOPs / (peak MFU), rounded up to whole nanoseconds; the peak is in TFLOP/s.
[[nodiscard]] Duration compute_time(Ratio peak, Ratio mfu, std::int64_t flops);
[[nodiscard]] Duration compute_time(const Step& step, std::int64_t flops);

// What each of some GPUs sends in an all-reduce of n bytes by a ring: 2 (g - 1) / g n.
[[nodiscard]] DataSize all_reduce_data(DataSize buffer, std::uint32_t gpus);
// What a GPU sends to its tensor group in a pass: two all-reduces of b s h w / c for each layer,
// one for the embedding and, forward, three of 4 b s / c for the loss.
[[nodiscard]] DataSize tensor_data(const Step& step, const Chunk& chunk, bool is_forward);
// From a stage to the next, or back: b s h w / (c t).
[[nodiscard]] DataSize stage_message(const Step& step);
// Keys and values of a GPU that its context group gathers in a forward pass, and whose gradients it
// gets in a backward pass.
[[nodiscard]] DataSize context_share(const Step& step, const Chunk& chunk);
// From each GPU of an expert group to each in a pass: b s / (c t) tokens go to k experts each with
// h elements, and come back, in each layer of experts.
[[nodiscard]] DataSize expert_message(const Step& step, const Chunk& chunk);

// Bytes of gradients, or of weights, of a GPU: of all but routed experts, N / t, and of routed
// experts, N / (t e).
struct Replicated {
  std::int64_t common = 0;
  std::int64_t routed = 0;
};
[[nodiscard]] Replicated gradients_of(const Step& step, const Chunk& chunk);
[[nodiscard]] Replicated weights_of(const Step& step, const Chunk& chunk);
// Gradients of a matrix that is embedding and output: the first and the last stage add theirs.
[[nodiscard]] DataSize tied_gradients(const Step& step);

}  // namespace ebb::training
