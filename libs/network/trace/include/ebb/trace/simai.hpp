// SPDX-License-Identifier: Apache-2.0
//
// Workloads of SimAI and AICB: the layers of a model, each with times and collective operations of
// its forward pass and of the two halves of its backward pass, and the groups in which GPUs work
// together.
//
//   const auto workload = read_simai_workload(text, "workload.txt").value();
//   const auto trace = read_simai(text, "workload.txt", parameters).value();
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/program/collective.hpp"
#include "ebb/trace/trace.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/parameters.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::trace {

// A time of computing and the collective operation after it.
struct SimaiPhase {
  // Who takes part: GPUs that share the tensors of a layer, those that hold the same ones, those
  // that share its experts, those that hold the same experts.
  enum class Group : std::uint8_t { tensor, data, expert, data_expert };

  Duration time{};
  std::optional<program::Collective::Kind> kind;  // none: no operation
  Group group = Group::tensor;
  DataSize size{};  // of the whole buffer
};

struct SimaiLayer {
  std::string name;
  std::uint32_t line = 0;
  SimaiPhase forward;
  SimaiPhase input_gradient;
  SimaiPhase weight_gradient;
  Duration update{};  // after the weight gradient
};

struct SimaiWorkload {
  std::uint32_t tensor = 1;          // GPUs of a tensor group
  std::uint32_t expert = 1;          // of an expert group
  std::uint32_t stages = 1;          // of the pipeline
  std::uint32_t virtual_stages = 1;  // of a stage
  std::uint32_t micro_batches = 1;
  std::uint32_t gpus = 0;                  // 0: the file does not say
  std::optional<DataSize> stage_size;      // what a stage sends to the next one
  std::vector<std::uint32_t> checkpoints;  // layers whose forward pass can be repeated from
  std::vector<std::uint32_t> recomputed;   // layers before which it is repeated
  std::vector<SimaiLayer> layers;
};

[[nodiscard]] Result<SimaiWorkload> read_simai_workload(std::string_view text,
                                                        const std::string& name);
[[nodiscard]] Result<Trace> read_simai(std::string_view text, const std::string& name,
                                       const Parameters& parameters);

}  // namespace ebb::trace
