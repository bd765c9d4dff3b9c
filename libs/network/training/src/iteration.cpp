// SPDX-License-Identifier: Apache-2.0
#include "ebb/training/iteration.hpp"

#include "groups.hpp"

#include "ebb/units/quantity.hpp"

#include <algorithm>

namespace ebb::training {
namespace {

DataSize bytes_rounded_up(Int128 dividend, Int128 divisor) {
  return bytes(static_cast<std::int64_t>((dividend + divisor - 1) / divisor));
}

// GPUs of a tensor group that keys and values are divided among: each has its heads, and all have
// the latent vector of a token.
std::int64_t key_value_shares(const Inference& inference) {
  if (inference.model.latent) return 1;
  return std::min<std::int64_t>(inference.division.tensor, inference.model.kv_heads);
}

}  // namespace

IterationCosts::IterationCosts(const Inference& inference)
    : inference_(inference),
      chunks_(chunks_of(inference.model, inference.division.stages)),
      layers_(chunks_.size()) {
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    const Chunk& chunk = chunks_[i];
    for (std::int64_t layer = chunk.first_layer; layer < chunk.first_layer + chunk.layers; ++layer)
      layers_[i] += layer_parameters(inference.model, layer);
  }
}

std::int64_t IterationCosts::flops(const Iteration& iteration, std::uint32_t stage) const {
  const Model& model = inference_.model;
  const Chunk& chunk = chunks_[stage];
  Int128 flops = Int128{2} * layers_[stage].multiplying * iteration.tokens;
  flops += Int128{attention_pair_flops(model)} * iteration.pairs * chunk.layers;
  if (chunk.has_output)
    flops += Int128{2} * output_parameters(model).multiplying * iteration.requests;
  const Int128 gpus = Int128{inference_.division.tensor} * inference_.division.context;
  return static_cast<std::int64_t>((flops + gpus - 1) / gpus);
}

DataSize IterationCosts::memory_data(const Iteration& iteration, std::uint32_t stage) const {
  const Model& model = inference_.model;
  const Int128 tensor = inference_.division.tensor;
  Int128 common = layers_[stage].common;
  if (chunks_[stage].has_output) common += output_parameters(model).multiplying;
  DataSize data = bytes_rounded_up(common * kElementBytes, tensor);
  if (model.experts) {
    const Int128 touched =
        std::min<Int128>(Int128{iteration.tokens} * model.experts->top_k, model.experts->count);
    data += bytes_rounded_up(Int128{layers_[stage].routed} * kElementBytes * touched,
                             tensor * inference_.division.context * model.experts->count);
  }
  return data + key_values(iteration.context, stage);
}

Duration IterationCosts::inside_time(const Iteration& iteration, std::uint32_t stage,
                                     std::uint32_t replica) const {
  const Division& division = inference_.division;
  const Chunk& chunk = chunks_[stage];
  DataSize sent;
  if (!inference_.tensor_leaves_server()) {
    const std::int64_t layers = 2 * chunk.layers + (chunk.has_embedding ? 1 : 0);
    sent += all_reduce_data(reduced(iteration, layers), division.tensor);
  }
  if (!inference_.experts_leave_server()) {
    const DataSize each =
        dispatched(iteration, chunk.expert_layers) + combined(iteration, chunk.expert_layers);
    sent += each * (std::int64_t{division.context} - 1);
  }
  const Groups groups(division);
  if (!chunk.has_output &&
      groups.in_one_server({groups.rank_of({.stage = stage, .data = replica}),
                            groups.rank_of({.stage = stage + 1, .data = replica})})) {
    sent += stage_message(iteration);
  }
  return serialization_time(sent, inference_.scale_up);
}

Duration IterationCosts::stage_time(const Iteration& iteration, std::uint32_t stage,
                                    std::uint32_t replica) const {
  const Duration computing = compute_time(inference_.peak, inference_.mfu, flops(iteration, stage));
  const Duration reading = serialization_time(memory_data(iteration, stage), inference_.memory);
  return std::chrono::ceil<std::chrono::nanoseconds>(std::max(computing, reading) +
                                                     inside_time(iteration, stage, replica));
}

DataSize IterationCosts::reduced(const Iteration& iteration, std::int64_t layers) const {
  return bytes_rounded_up(
      Int128{iteration.tokens} * inference_.model.hidden * kElementBytes * layers,
      inference_.division.context);
}

DataSize IterationCosts::exchanged(const Iteration& iteration, std::int64_t layers,
                                   std::int64_t element_bytes) const {
  if (!inference_.model.experts) return {};
  const Int128 elements =
      Int128{iteration.tokens} * inference_.model.experts->top_k * inference_.model.hidden;
  const Int128 gpus = inference_.division.context;
  return bytes_rounded_up(elements * layers * element_bytes,
                          gpus * gpus * inference_.division.tensor);
}

DataSize IterationCosts::dispatched(const Iteration& iteration, std::int64_t layers) const {
  return exchanged(iteration, layers, inference_.dispatch_bytes);
}

DataSize IterationCosts::combined(const Iteration& iteration, std::int64_t layers) const {
  return exchanged(iteration, layers, kElementBytes);
}

DataSize IterationCosts::stage_message(const Iteration& iteration) const {
  return bytes_rounded_up(Int128{iteration.tokens} * inference_.model.hidden * kElementBytes,
                          Int128{inference_.division.context} * inference_.division.tensor);
}

DataSize IterationCosts::key_values(std::int64_t tokens, std::uint32_t stage) const {
  const Int128 elements =
      Int128{tokens} * key_value_elements(inference_.model) * chunks_[stage].layers;
  return bytes_rounded_up(elements * kElementBytes,
                          Int128{inference_.division.context} * key_value_shares(inference_));
}

}  // namespace ebb::training
