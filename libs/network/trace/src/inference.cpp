// SPDX-License-Identifier: Apache-2.0
//
// Inference files: requests to a language model, of which `training` makes a program. They are a
// format for the same reason as training files.
#include "formats.hpp"

#include "ebb/training/iteration.hpp"

#include <utility>

namespace ebb::trace {
namespace {

bool recognizes_inference(const Input& input) { return training::is_inference(input.file->text()); }

Result<Trace> read_inference_file(const Input& input, const Parameters& /*parameters*/) {
  const auto inference = training::read_inference(input.file->text(), input.path);
  if (!inference) return fail(inference.error());
  const training::IterationCosts costs(*inference);
  const auto plans = training::plan_replicas(*inference, costs);
  if (!plans) return fail(plans.error().front().message, {input.path});
  auto program = training::make_program(*inference, *plans, costs, input.path);
  if (!program) return fail(program.error());
  std::uint64_t iterations = 0;
  for (const training::ReplicaPlan& plan : *plans) iterations += plan.iterations.size();
  std::uint64_t prompts = 0;
  std::uint64_t outputs = 0;
  for (const training::Request& request : inference->requests) {
    prompts += static_cast<std::uint64_t>(request.prompt);
    outputs += static_cast<std::uint64_t>(request.output);
  }
  Contents contents = {
      {"parameters", static_cast<std::uint64_t>(training::parameter_count(inference->model))},
      {"requests", inference->requests.size()},
      {"prompt tokens", prompts},
      {"output tokens", outputs},
      {"iterations", iterations}};
  return Trace{*std::move(program), {}, {}, std::move(contents)};
}

}  // namespace

Format inference_format() {
  return {"inference",
          "inference files: requests to a language model",
          {},
          recognizes_inference,
          read_inference_file};
}

}  // namespace ebb::trace
