// SPDX-License-Identifier: Apache-2.0
//
// How requests to a language model are served: how the model is divided among GPUs, how many
// replicas of it there are, the largest batch, and what a GPU does in a second.
//
//   const Inference inference = read_inference(text, "chat.yaml").value();
//   const program::Program program = make_program(inference, "chat.yaml").value();
//
// A replica has tp x ep x pp GPUs, and ranks are numbered as those of a training: the expert group
// stands where a training has its context group, because its GPUs share the tokens of an iteration,
// and replicas stand where a training has its data group. The last rank is the front end, a host
// that gets requests from users and hands their tokens back.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/program/program.hpp"
#include "ebb/training/division.hpp"
#include "ebb/training/model.hpp"
#include "ebb/training/request.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/parameters.hpp"
#include "ebb/units/quantity.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::training {

struct Inference {
  Model model;
  Division division;  // context: the expert group; data: all replicas
  // Replicas that prefill alone, the first ones; the others get the keys and values from them and
  // decode alone. 0: every replica does both.
  std::uint32_t prefill_replicas = 0;
  std::uint32_t max_batch = 1;      // requests of an iteration
  std::int64_t max_tokens = 1;      // prompts that join an iteration, unless one alone is longer
  std::uint32_t folded_layers = 1;  // layers that are one group of operations

  Ratio peak{1, 1};  // TFLOP/s of a GPU
  Ratio mfu{1, 1};   // of its computation
  DataRate memory{};
  DataRate scale_up{};  // of a GPU, in each direction, to the others of its server
  std::int64_t dispatch_bytes = 2;

  std::vector<Request> requests;  // in order of arrival

  [[nodiscard]] bool is_disaggregated() const { return prefill_replicas > 0; }
  [[nodiscard]] std::uint32_t replica_ranks() const { return division.ranks() / division.data; }
  [[nodiscard]] std::uint32_t front_end() const { return division.ranks(); }
  // Whether a tensor group, or an expert group, uses the network.
  [[nodiscard]] bool tensor_leaves_server() const { return division.tensor > division.server_gpus; }
  [[nodiscard]] bool experts_leave_server() const {
    return division.context > 1 && division.tensor * division.context > division.server_gpus;
  }
};

struct Disaggregated {
  std::uint32_t prefill = 1;
  std::uint32_t decode = 1;
};

// Without the model, the requests and whether it is disaggregated.
[[nodiscard]] std::vector<Parameter> inference_parameters();
// All that does not fit together is reported; the path of an error is the name of a parameter.
[[nodiscard]] Result<Inference> make_inference(Model model, std::vector<Request> requests,
                                               std::optional<Disaggregated> roles,
                                               const Parameters& given);

// An inference file (docs/programs/inference.md).
[[nodiscard]] Result<Inference> read_inference(std::string_view text, const std::string& name);
// Whether a text is an inference file: its first line that is no comment says so.
[[nodiscard]] bool is_inference(std::string_view text);

// The program of all requests. Fails when it would have too many operations.
[[nodiscard]] Result<program::Program> make_program(const Inference& inference,
                                                    const std::string& name);

}  // namespace ebb::training
