// SPDX-License-Identifier: Apache-2.0
//
// A language model: a transformer of equal layers, given by the sizes of its matrices. How many
// parameters it has, and how many of them multiply each token, follows from these.
//
//   const Model model = read_model(text, "llama3-405b.yaml").value();
//   parameter_count(model);  // 405'853'388'800
//
// The form says what a layer consists of besides its matrices:
//   gpt    two FFN matrices, biases, learned positions, one matrix for embedding and output
//   llama  three FFN matrices (a gated unit), no biases, rotary positions, two such matrices
#pragma once

#include "ebb/core/result.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::training {

// Multi-head latent attention (DeepSeek-V2): queries, keys and values are made from vectors of low
// rank, and a head has a part without and a part with a rotary position.
struct LatentAttention {
  std::int64_t query_rank = 0;
  std::int64_t key_value_rank = 0;
  std::int64_t plain_size = 0;
  std::int64_t rotary_size = 0;
  std::int64_t value_size = 0;

  bool operator==(const LatentAttention&) const = default;
};

// A layer has `count` FFNs instead of one; a token goes to `top_k` of them and to all shared ones.
struct Experts {
  std::int64_t count = 0;
  std::int64_t shared = 0;
  std::int64_t top_k = 0;
  std::int64_t ffn = 0;           // of an expert
  std::int64_t dense_layers = 0;  // the first layers, which have one FFN

  bool operator==(const Experts&) const = default;
};

struct Model {
  enum class Form : std::uint8_t { gpt, llama };

  std::string name;
  Form form = Form::llama;
  std::int64_t layers = 0;
  std::int64_t hidden = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;  // of keys and values
  std::int64_t head_size = 0;
  std::int64_t ffn = 0;  // of a layer without experts
  std::int64_t vocabulary = 0;
  std::int64_t sequence = 0;  // tokens
  std::optional<LatentAttention> latent;
  std::optional<Experts> experts;

  bool operator==(const Model&) const = default;
};

// Parameters of a layer, of a part of the model, or of all of it.
struct ParameterCount {
  std::int64_t common = 0;       // all but routed experts
  std::int64_t routed = 0;       // of routed experts
  std::int64_t multiplying = 0;  // matrices that a token is multiplied by

  ParameterCount& operator+=(const ParameterCount& other);
  bool operator==(const ParameterCount&) const = default;
};

[[nodiscard]] bool has_experts(const Model& model, std::int64_t layer);
[[nodiscard]] ParameterCount layer_parameters(const Model& model, std::int64_t layer);
// Before the first layer, and after the last one.
[[nodiscard]] ParameterCount embedding_parameters(const Model& model);
[[nodiscard]] ParameterCount output_parameters(const Model& model);
[[nodiscard]] ParameterCount all_parameters(const Model& model);
[[nodiscard]] std::int64_t parameter_count(const Model& model);

// FLOPs of attention of one layer for each pair of tokens of which one looks at the other: 4 a d.
[[nodiscard]] std::int64_t attention_pair_flops(const Model& model);
// FLOPs of the scores of attention of one layer and one sequence in the forward pass, the whole
// square: 4 s^2 a d; half of it is masked in a model that looks back only.
[[nodiscard]] std::int64_t attention_flops(const Model& model);
// Elements of the keys and values of a token that GPUs which share a sequence exchange.
[[nodiscard]] std::int64_t key_value_elements(const Model& model);

// A model file (docs/programs/training.md); `name` stands in messages. All errors are reported.
[[nodiscard]] Result<Model> read_model(std::string_view text, const std::string& name);

// The models that are part of the library, from the files of share/models.
[[nodiscard]] std::vector<std::string> model_names();
[[nodiscard]] Result<Model> find_model(std::string_view name);

}  // namespace ebb::training
