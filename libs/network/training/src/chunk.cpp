// SPDX-License-Identifier: Apache-2.0
#include "ebb/training/chunk.hpp"

#include "ebb/units/quantity.hpp"

namespace ebb::training {
namespace {

constexpr std::int64_t kLossBytes = 4;  // of a token, in each of three all-reduces

std::int64_t ceiling(Int128 dividend, Int128 divisor) {
  return static_cast<std::int64_t>((dividend + divisor - 1) / divisor);
}

std::int64_t tokens(const Step& step) { return step.micro_batch * step.model.sequence; }

// Whether the chunk has one layer fewer than others, if `fewer` have.
bool is_short(std::int64_t chunk, std::int64_t chunks, std::int64_t fewer) {
  return chunks - 1 - chunk < (fewer + 1) / 2 || chunk < fewer / 2;
}

Int128 scores_of(const Step& step, const Chunk& chunk) {
  const Int128 square = Int128{attention_flops(step.model)} * chunk.layers * step.micro_batch;
  switch (step.attention) {
    case Step::Attention::none:
      return 0;
    case Step::Attention::causal:
      return square / 2;
    case Step::Attention::full:
      return square;
  }
  return 0;
}

Int128 divided(const Step& step, Int128 flops) {
  return flops / (Int128{step.tensor} * step.context);
}

Replicated bytes_of(const Step& step, const Chunk& chunk, std::int64_t each) {
  const std::int64_t t = step.tensor;
  return {ceiling(chunk.parameters.common, t) * each,
          ceiling(chunk.parameters.routed, static_cast<Int128>(t) * step.expert) * each};
}

}  // namespace

std::vector<Chunk> chunks_of(const Step& step) { return chunks_of(step.model, step.chunks()); }

std::vector<Chunk> chunks_of(const Model& model, std::uint32_t number) {
  const std::int64_t count = number;
  const std::int64_t longest = ceiling(model.layers, count);
  const std::int64_t fewer = longest * count - model.layers;
  std::vector<Chunk> chunks(static_cast<std::size_t>(count));
  std::int64_t layer = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    Chunk& chunk = chunks[static_cast<std::size_t>(i)];
    chunk.first_layer = layer;
    chunk.layers = longest - (is_short(i, count, fewer) ? 1 : 0);
    chunk.has_embedding = i == 0;
    chunk.has_output = i + 1 == count;
    for (; layer < chunk.first_layer + chunk.layers; ++layer) {
      chunk.parameters += layer_parameters(model, layer);
      if (has_experts(model, layer)) ++chunk.expert_layers;
    }
    if (chunk.has_embedding) chunk.parameters += embedding_parameters(model);
    if (chunk.has_output) chunk.parameters += output_parameters(model);
  }
  return chunks;
}

std::int64_t forward_flops(const Step& step, const Chunk& chunk) {
  const Int128 matrices = Int128{2} * chunk.parameters.multiplying * tokens(step);
  return static_cast<std::int64_t>(divided(step, matrices + scores_of(step, chunk)));
}

std::int64_t backward_flops(const Step& step, const Chunk& chunk) {
  const std::int64_t forward = forward_flops(step, chunk);
  if (!step.recomputes) return 2 * forward;
  const std::int64_t output =
      chunk.has_output ? output_parameters(step.model).multiplying : std::int64_t{0};
  const Int128 not_repeated = divided(step, Int128{2} * output * tokens(step));
  return 3 * forward - static_cast<std::int64_t>(not_repeated);
}

Duration compute_time(Ratio peak, Ratio mfu, std::int64_t flops) {
  // A TFLOP/s is a FLOP in a picosecond.
  const Int128 dividend = Int128{flops} * peak.den() * mfu.den();
  const Int128 rate = Int128{peak.num()} * mfu.num();
  return std::chrono::nanoseconds(ceiling(dividend, 1000 * rate));
}

Duration compute_time(const Step& step, std::int64_t flops) {
  return compute_time(step.peak, step.mfu, flops);
}

DataSize all_reduce_data(DataSize buffer, std::uint32_t gpus) {
  return bytes(ceiling(2 * (gpus - Int128{1}) * (buffer.count() / 8), gpus));
}

DataSize tensor_data(const Step& step, const Chunk& chunk, bool is_forward) {
  const Int128 share = tokens(step) / step.context;
  const std::int64_t visits = is_forward || !step.recomputes ? 1 : 2;
  const std::int64_t operations = 2 * visits * chunk.layers + (chunk.has_embedding ? 1 : 0);
  Int128 reduced = operations * share * step.model.hidden * kElementBytes;
  if (chunk.has_output && is_forward) reduced += 3 * share * kLossBytes;
  return all_reduce_data(bytes(static_cast<std::int64_t>(reduced)), step.tensor);
}

DataSize stage_message(const Step& step) {
  return bytes(ceiling(Int128{tokens(step)} * step.model.hidden * kElementBytes,
                       Int128{step.context} * step.tensor));
}

DataSize context_share(const Step& step, const Chunk& chunk) {
  // All GPUs of a tensor group have the latent vector of a token; of keys and values each has its
  // heads.
  const std::int64_t sharing = step.model.latent ? 1 : step.tensor;
  const Int128 elements = Int128{tokens(step)} * key_value_elements(step.model) * chunk.layers;
  return bytes(ceiling(elements * kElementBytes, Int128{step.context} * sharing));
}

DataSize expert_message(const Step& step, const Chunk& chunk) {
  if (!step.model.experts) return {};
  const Int128 elements = Int128{tokens(step)} * step.model.experts->top_k * step.model.hidden;
  return bytes(ceiling(elements * chunk.expert_layers * (step.dispatch_bytes + kElementBytes),
                       Int128{step.context} * step.tensor * step.expert));
}

Replicated gradients_of(const Step& step, const Chunk& chunk) {
  return bytes_of(step, chunk, step.gradient_bytes);
}

Replicated weights_of(const Step& step, const Chunk& chunk) {
  return bytes_of(step, chunk, kElementBytes);
}

DataSize tied_gradients(const Step& step) {
  if (step.model.form != Model::Form::gpt || step.stages == 1) return {};
  return bytes(
      ceiling(static_cast<Int128>(step.model.vocabulary) * step.model.hidden, step.tensor) *
      step.gradient_bytes);
}

}  // namespace ebb::training
