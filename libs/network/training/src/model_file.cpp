// SPDX-License-Identifier: Apache-2.0
//
// Model files. Sizes are bounded so that no product of them overflows.
#include "ebb/files/document.hpp"
#include "ebb/training/model.hpp"

namespace ebb::training {
namespace {

constexpr std::int64_t kMostLayers = 10'000;
constexpr std::int64_t kMostWidth = 1'000'000;    // of a matrix
constexpr std::int64_t kMostTokens = 16'777'216;  // of a sequence, and words
constexpr std::int64_t kMostParameters = std::int64_t{1} << 50U;
constexpr std::int64_t kMostAttention = std::int64_t{1} << 62U;

std::int64_t width(files::Section& section, std::string_view key) {
  return section.require_integer(key, 1, kMostWidth).value_or(1);
}

LatentAttention read_latent(const files::Value& value, files::Diagnostics& errors) {
  files::Section section(value, errors);
  LatentAttention latent;
  latent.query_rank = width(section, "query_rank");
  latent.key_value_rank = width(section, "key_value_rank");
  latent.plain_size = width(section, "plain_size");
  latent.rotary_size = width(section, "rotary_size");
  latent.value_size = width(section, "value_size");
  section.finish();
  return latent;
}

Experts read_experts(const files::Value& value, std::int64_t layers, files::Diagnostics& errors) {
  files::Section section(value, errors);
  Experts experts;
  experts.count = section.require_integer("count", 1, kMostLayers).value_or(1);
  experts.shared = section.find_integer("shared", 0, kMostLayers).value_or(0);
  experts.top_k = section.require_integer("top_k", 1, experts.count).value_or(1);
  experts.ffn = width(section, "ffn");
  experts.dense_layers = section.find_integer("dense_layers", 0, layers).value_or(0);
  section.finish();
  return experts;
}

Model read_sizes(files::Section& section, files::Diagnostics& errors) {
  Model model;
  model.name = section.require_text("name").value_or("");
  const auto form = section.require_one_of("form", {"gpt", "llama"});
  model.form = form == "gpt" ? Model::Form::gpt : Model::Form::llama;
  model.layers = section.require_integer("layers", 1, kMostLayers).value_or(1);
  model.hidden = width(section, "hidden");
  model.heads = section.require_integer("heads", 1, kMostLayers).value_or(1);
  if (const auto latent = section.find("latent_attention")) {
    model.latent = read_latent(*latent, errors);
    model.kv_heads = model.heads;
  } else {
    model.kv_heads = section.require_integer("kv_heads", 1, model.heads).value_or(1);
    model.head_size = width(section, "head_size");
  }
  if (const auto experts = section.find("experts"))
    model.experts = read_experts(*experts, model.layers, errors);
  if (!model.experts || model.experts->dense_layers > 0) model.ffn = width(section, "ffn");
  model.vocabulary = section.require_integer("vocabulary", 1, kMostTokens).value_or(1);
  model.sequence = section.require_integer("sequence", 1, kMostTokens).value_or(1);
  return model;
}

// The bounds of single sizes keep what is computed here from overflowing.
void check_sizes(const Model& model, files::Diagnostics& errors) {
  for (const std::int64_t layer : {std::int64_t{0}, model.layers - 1}) {
    const ParameterCount count = layer_parameters(model, layer);
    if (count.common + count.routed > kMostParameters / model.layers)
      return errors.add("the model has more than 2^50 parameters");
  }
  Model token = model;
  token.sequence = 1;
  if (attention_flops(token) > kMostAttention / model.sequence / model.sequence)
    errors.add("the attention of a sequence takes more than 2^62 FLOPs");
}

}  // namespace

Result<Model> read_model(std::string_view text, const std::string& name) {
  files::Diagnostics errors(name);
  const auto root = files::read_yaml(text, errors);
  if (!root) return fail(errors.take());
  files::Section section(*root, errors);
  (void)section.require_one_of("ebb", {"model"});
  section.require_schema_version(1);
  Model model = read_sizes(section, errors);
  section.finish();
  if (errors.empty()) check_sizes(model, errors);
  if (!errors.empty()) return fail(errors.take());
  return model;
}

}  // namespace ebb::training
