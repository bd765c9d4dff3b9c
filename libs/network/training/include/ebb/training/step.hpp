// SPDX-License-Identifier: Apache-2.0
//
// How a model is trained: how it is divided among GPUs, the batch, and what a GPU does in a second.
//
//   const auto given = Parameters::resolve(parameters(), {{"model", "llama3-405b"}, {"tp", "8"},
//   ...}); const program::Program steps = make(*given).value();
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/program/program.hpp"
#include "ebb/training/division.hpp"
#include "ebb/training/model.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/parameters.hpp"
#include "ebb/units/quantity.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::training {

struct Step : Division {
  // What is counted of the scores of attention: nothing, the half that is not masked, the square.
  enum class Attention : std::uint8_t { none, causal, full };

  Model model;
  std::uint32_t virtual_stages = 1;
  std::uint32_t global_batch = 1;  // sequences
  std::uint32_t micro_batch = 1;
  std::uint32_t iterations = 1;

  bool shards_optimizer = true;  // ZeRO-1; otherwise gradients are all-reduced
  bool overlaps_gradients = true;
  std::uint32_t gradient_buckets = 1;
  std::int64_t gradient_bytes = 4;  // of a gradient
  std::int64_t dispatch_bytes = 2;  // of an element that goes to an expert

  Ratio peak{1, 1};  // TFLOP/s of a GPU
  Ratio mfu{1, 1};   // of its computation
  Attention attention = Attention::full;
  bool recomputes = false;
  DataRate scale_up{};  // of a GPU, in each direction, to the others of its server

  std::int64_t slow_gpu = -1;  // none
  Ratio slow_factor{1, 1};
  Ratio spread{0, 1};
  std::uint64_t seed = 1;

  [[nodiscard]] std::uint32_t micro_batches() const { return global_batch / data / micro_batch; }
  [[nodiscard]] std::uint32_t chunks() const { return stages * virtual_stages; }
};

// The table: the model by its name, and all else.
[[nodiscard]] std::vector<Parameter> parameters();
// Without the model.
[[nodiscard]] std::vector<Parameter> step_parameters();

// `given` has at least step_parameters. All that does not fit together is reported; the path of an
// error is the name of a parameter.
[[nodiscard]] Result<Step> make_step(Model model, const Parameters& given);

// A training file (docs/programs/training.md): parameters, and a model by its name or its file.
[[nodiscard]] Result<Step> read_step(std::string_view text, const std::string& name);
// Whether a text is a training file: its first line that is no comment says so.
[[nodiscard]] bool is_step(std::string_view text);

// The program of the iterations. Fails when it would have too many operations.
[[nodiscard]] Result<program::Program> make_program(const Step& step, const std::string& name);
// The same from the table with the model, for lists of applications.
[[nodiscard]] Result<program::Program> make(const Parameters& given);

}  // namespace ebb::training
