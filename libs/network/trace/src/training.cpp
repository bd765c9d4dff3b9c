// SPDX-License-Identifier: Apache-2.0
//
// Training files: no traces, but the parameters of which `training` makes a program. They are a
// format so that everything that takes a trace takes them, too.
#include "formats.hpp"

#include "ebb/training/step.hpp"

#include <utility>

namespace ebb::trace {
namespace {

bool recognizes_training(const Input& input) { return training::is_step(input.file->text()); }

Result<Trace> read_training(const Input& input, const Parameters& /*parameters*/) {
  const auto step = training::read_step(input.file->text(), input.path);
  if (!step) return fail(step.error());
  auto program = training::make_program(*step, input.path);
  if (!program) return fail(program.error());
  Contents contents = {
      {"parameters", static_cast<std::uint64_t>(training::parameter_count(step->model))},
      {"micro-batches", step->micro_batches()},
      {"iterations", step->iterations}};
  return Trace{*std::move(program), {}, {}, std::move(contents)};
}

}  // namespace

Format training_format() {
  return {"training",
          "training files: steps of the training of a language model",
          {},
          recognizes_training,
          read_training};
}

}  // namespace ebb::trace
