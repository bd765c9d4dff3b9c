// SPDX-License-Identifier: Apache-2.0
#include "gpu_program.hpp"

#include "ebb/program/builder.hpp"
#include "ebb/training/step.hpp"

#include <fmt/format.h>

#include <bit>
#include <numeric>
#include <utility>

namespace ebb::training {
namespace {

// Of one GPU, at most: in each round of an operation a message there and one here.
std::uint64_t operations_of(const Step& step) {
  const auto exchange = [](std::uint64_t gpus) { return gpus > 1 ? 2 * (gpus - 1) + 2 : 0; };
  const std::uint64_t passes = std::uint64_t{2} * step.micro_batches() * step.virtual_stages;
  const std::uint64_t of_pass = 3 + exchange(step.context) + exchange(step.expert);
  const std::uint64_t replicas = std::uint64_t{step.data} * step.context;
  std::uint64_t of_bucket = 2 * exchange(replicas);
  if (step.expert > 1) of_bucket += 2 * exchange(replicas / step.expert);
  const std::uint64_t norm = 4 * std::uint64_t(std::bit_width(step.gpus())) + 8;
  return step.iterations * (passes * of_pass + step.gradient_buckets * of_bucket + norm);
}

}  // namespace

Result<program::Program> make_program(const Step& step, const std::string& name) {
  const std::uint64_t each = operations_of(step);
  if (each > kMostMadeOperations / step.ranks()) {
    return fail(
        fmt::format("{} ranks with up to {} operations each, and at most {} are made in all: "
                    "lower iterations, virtual_stages, gradient_buckets or global_batch",
                    step.ranks(), each, kMostMadeOperations),
        {name});
  }
  const std::vector<Chunk> chunks = chunks_of(step);
  std::vector<std::uint32_t> world(step.ranks());
  std::iota(world.begin(), world.end(), 0U);
  program::ProgramBuilder program(step.ranks());
  for (const std::uint32_t rank : world) program.add(GpuProgram(step, chunks, world, rank).build());
  return std::move(program).build(name);
}

}  // namespace ebb::training
