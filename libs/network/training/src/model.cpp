// SPDX-License-Identifier: Apache-2.0
//
// Parameters of a model with L layers of width h, a heads and k heads of keys and values of size d,
// FFN size f, vocabulary V and sequence s:
//
//   llama  L (h a d + 2 h k d + a d h + 3 h f + 2 h) + 2 V h + h
//   gpt    L (h a d + 2 h k d + a d h + 2 h f + biases and norms) + (V + s) h
//
// With k = a, a d = h and f = 4 h the second is 12 L h^2 (1 + 13 / (12 h) + (V + s) / (12 L h)), as
// in D. Narayanan et al., "Efficient large-scale language model training on GPU clusters using
// Megatron-LM" (2021), equation 2. A layer of experts has h n f_e for each matrix of its n experts
// and a gate of h n.
#include "ebb/training/model.hpp"

#include "shipped_models.hpp"

#include "ebb/core/check.hpp"
#include "ebb/core/names.hpp"

namespace ebb::training {
namespace {

bool is_gpt(const Model& model) { return model.form == Model::Form::gpt; }

std::int64_t attention_matrices(const Model& model) {
  const std::int64_t h = model.hidden;
  const std::int64_t a = model.heads;
  if (const auto& latent = model.latent) {
    return h * latent->query_rank +
           latent->query_rank * a * (latent->plain_size + latent->rotary_size) +
           h * (latent->key_value_rank + latent->rotary_size) +
           latent->key_value_rank * a * (latent->plain_size + latent->value_size) +
           a * latent->value_size * h;
  }
  return 2 * h * model.head_size * (a + model.kv_heads);
}

// Vectors of a layer: scales of its norms, and biases.
std::int64_t layer_vectors(const Model& model) {
  const std::int64_t h = model.hidden;
  if (model.latent) return 2 * h + model.latent->query_rank + model.latent->key_value_rank;
  if (!is_gpt(model)) return 2 * h;
  const std::int64_t attention_biases = (model.heads + 2 * model.kv_heads) * model.head_size + h;
  return 4 * h + attention_biases + model.ffn + h;
}

std::int64_t ffn_matrices(const Model& model, std::int64_t size) {
  return (is_gpt(model) ? 2 : 3) * model.hidden * size;
}

}  // namespace

ParameterCount& ParameterCount::operator+=(const ParameterCount& other) {
  common += other.common;
  routed += other.routed;
  multiplying += other.multiplying;
  return *this;
}

bool has_experts(const Model& model, std::int64_t layer) {
  return model.experts && layer >= model.experts->dense_layers;
}

ParameterCount layer_parameters(const Model& model, std::int64_t layer) {
  const std::int64_t attention = attention_matrices(model);
  ParameterCount count{attention + layer_vectors(model), 0, attention};
  if (!has_experts(model, layer)) {
    const std::int64_t ffn = ffn_matrices(model, model.ffn);
    count += {ffn, 0, ffn};
    return count;
  }
  const Experts& experts = *model.experts;
  const std::int64_t expert = ffn_matrices(model, experts.ffn);
  const std::int64_t gate = model.hidden * experts.count;
  count += {gate + experts.shared * expert, experts.count * expert,
            gate + (experts.shared + experts.top_k) * expert};
  return count;
}

ParameterCount embedding_parameters(const Model& model) {
  const std::int64_t rows = model.vocabulary + (is_gpt(model) ? model.sequence : 0);
  return {rows * model.hidden, 0, 0};  // it is looked up
}

ParameterCount output_parameters(const Model& model) {
  const std::int64_t matrix = model.vocabulary * model.hidden;
  return {is_gpt(model) ? 0 : matrix + model.hidden, 0, matrix};
}

ParameterCount all_parameters(const Model& model) {
  ParameterCount count = embedding_parameters(model);
  for (std::int64_t layer = 0; layer < model.layers; ++layer)
    count += layer_parameters(model, layer);
  count += output_parameters(model);
  return count;
}

std::int64_t parameter_count(const Model& model) {
  const ParameterCount count = all_parameters(model);
  return count.common + count.routed;
}

std::int64_t attention_pair_flops(const Model& model) {
  if (const auto& latent = model.latent)
    return 2 * model.heads * (latent->plain_size + latent->rotary_size + latent->value_size);
  return 4 * model.heads * model.head_size;
}

std::int64_t attention_flops(const Model& model) {
  return model.sequence * model.sequence * attention_pair_flops(model);
}

std::int64_t key_value_elements(const Model& model) {
  if (const auto& latent = model.latent) return latent->key_value_rank + latent->rotary_size;
  return 2 * model.kv_heads * model.head_size;
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  names.reserve(shipped_models().size());
  for (const ShippedModel& model : shipped_models()) names.emplace_back(model.name);
  return names;
}

Result<Model> find_model(std::string_view name) {
  const auto found = find_named("model", shipped_models(), name, &ShippedModel::name);
  if (!found) return fail(found.error());
  auto model = read_model((*found)->text, std::string(name) + ".yaml");
  EBB_CHECK(model.has_value(), "a model of the library is not valid");
  return model;
}

}  // namespace ebb::training
