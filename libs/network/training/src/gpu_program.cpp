// SPDX-License-Identifier: Apache-2.0
#include "gpu_program.hpp"

#include "ebb/core/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ebb::training {
namespace {

using program::Operation;

constexpr DataSize kNorm = bytes(8);  // of all gradients, and whether one is not a number

// Tags of collective operations; those of passes follow.
enum Tag : std::uint32_t {
  kContext,
  kExpert,
  kReduce,
  kReduceExperts,
  kTied,
  kNormTag,
  kGather,
  kGatherExperts,
  kPasses
};

// How many times slower than others the GPU computes.
Ratio slowness_of(const Step& step, std::uint32_t gpu) {
  constexpr std::int64_t kSteps = 1 << 20;
  Ratio factor(1, 1);
  if (step.spread > Ratio(0, 1)) {
    RandomStream draw(step.seed, fmt::format("training/gpu/{}", gpu));
    const auto share = static_cast<std::int64_t>(draw.below(kSteps + 1));
    factor =
        Ratio(step.spread.den() * kSteps + step.spread.num() * share, step.spread.den() * kSteps);
  }
  return gpu == step.slow_gpu ? std::max(factor, step.slow_factor) : factor;
}

}  // namespace

GpuProgram::GpuProgram(const Step& step, std::span<const Chunk> chunks,
                       std::span<const std::uint32_t> world, std::uint32_t rank)
    : GpuOperations(step, step.scale_up, rank),
      step_(step),
      chunks_(chunks),
      world_(world),
      context_(group(groups_.context(place_))),
      expert_(group(groups_.expert(place_))),
      replicas_(group(groups_.replicas(place_))),
      expert_replicas_(group(groups_.expert_replicas(place_))),
      slowness_(1, 1),
      gathered_(step.gradient_buckets) {
  const std::uint32_t first = step.one_rail ? rank * step.tensor : rank - place_.tensor;
  for (std::uint32_t i = 0; i < step.tensor; ++i)
    slowness_ = std::max(slowness_, slowness_of(step, first + i));
}

program::RankBuilder GpuProgram::build() && {
  const Pipeline pipeline{step_.stages, step_.virtual_stages, step_.micro_batches()};
  const std::vector<Pass> passes = passes_of(pipeline, place_.stage);
  for (std::uint32_t i = 0; i < step_.iterations; ++i) {
    for (const Pass& pass : passes) run(pass);
    update();
  }
  return std::move(built_);
}

std::uint32_t GpuProgram::global_chunk(const Pass& pass) const {
  return pass.chunk * step_.stages + place_.stage;
}

const Chunk& GpuProgram::chunk_of(const Pass& pass) const { return chunks_[global_chunk(pass)]; }

GpuProgram::After GpuProgram::source_of(const Pass& pass) const {
  if (pass.is_forward ? chunk_of(pass).has_embedding : chunk_of(pass).has_output) return {};
  Place other = place_;
  other.stage = (place_.stage + (pass.is_forward ? step_.stages - 1 : 1)) % step_.stages;
  return groups_.rank_of(other);
}

GpuProgram::After GpuProgram::destination_of(const Pass& pass) const {
  if (pass.is_forward ? chunk_of(pass).has_output : chunk_of(pass).has_embedding) return {};
  Place other = place_;
  other.stage = (place_.stage + (pass.is_forward ? 1 : step_.stages - 1)) % step_.stages;
  return groups_.rank_of(other);
}

// Of what enters a pass.
std::uint32_t GpuProgram::tag_of(bool is_forward, std::uint32_t chunk,
                                 std::uint32_t micro_batch) const {
  return kPasses + 2 * (chunk * step_.micro_batches() + micro_batch) + (is_forward ? 0 : 1);
}

std::uint32_t GpuProgram::bucket_of(std::uint32_t chunk) const {
  // The last chunk makes its last backward pass first.
  return (step_.virtual_stages - 1 - chunk) * step_.gradient_buckets / step_.virtual_stages;
}

Duration GpuProgram::slowed(Duration time) const {
  const Int128 product = Int128{time.count()} * slowness_.num();
  const Int128 divisor = Int128{slowness_.den()} * 1000;
  return std::chrono::nanoseconds(static_cast<std::int64_t>((product + divisor - 1) / divisor));
}

Duration GpuProgram::pass_time(const Pass& pass) const {
  const Chunk& chunk = chunk_of(pass);
  const std::int64_t flops =
      pass.is_forward ? forward_flops(step_, chunk) : backward_flops(step_, chunk);
  const After next = destination_of(pass);
  Duration inside = serialization_time(tensor_data(step_, chunk, pass.is_forward), step_.scale_up) +
                    inside_time(Kind::all_gather, context_, context_share(step_, chunk)) +
                    inside_time(Kind::all_to_all, expert_, expert_message(step_, chunk));
  if (next && is_inside(*next)) inside += serialization_time(stage_message(step_), step_.scale_up);
  return slowed(compute_time(step_, flops)) + inside;
}

void GpuProgram::run(const Pass& pass) {
  const Chunk& chunk = chunk_of(pass);
  const std::uint32_t global = global_chunk(pass);
  After came;
  if (const After source = source_of(pass)) {
    came = message(Operation::Kind::receive, *source,
                   tag_of(pass.is_forward, global, pass.micro_batch), stage_message(step_));
    if (computed_) built_.wait_for_start(*came, *computed_);
  }
  const bool is_first = pass.is_forward && pass.micro_batch == 0;
  After weights = is_first ? gathered_[bucket_of(pass.chunk)] : After();
  After begin = last_;
  const bool gathers = pass.is_forward && context_.ranks.size() > 1 && !context_.is_inside;
  if (gathers && chunk.layers > 0) {
    begin = compute({}, {last_, came, std::exchange(weights, {})});
    came.reset();
    begin = collective(Kind::all_gather, context_, context_share(step_, chunk), kContext, begin);
  }
  computed_ = compute(pass_time(pass), {begin, came, weights});
  last_ = collective(Kind::all_to_all, expert_, expert_message(step_, chunk), kExpert, computed_);
  if (!pass.is_forward && chunk.layers > 0) {
    last_ =
        collective(Kind::reduce_scatter, context_, context_share(step_, chunk), kContext, last_);
  }
  if (const After destination = destination_of(pass)) {
    const std::uint32_t next = pass.is_forward ? global + 1 : global - 1;
    const auto sent =
        message(Operation::Kind::send, *destination,
                tag_of(pass.is_forward, next, pass.micro_batch), stage_message(step_));
    built_.wait_for_end(sent, *last_);
  }
  const bool is_last = !pass.is_forward && pass.micro_batch + 1 == step_.micro_batches();
  const bool ends_bucket = pass.chunk == 0 || bucket_of(pass.chunk - 1) != bucket_of(pass.chunk);
  if (step_.overlaps_gradients && is_last && ends_bucket) reduce(bucket_of(pass.chunk));
}

void GpuProgram::beside(Kind kind, const Group& group, std::int64_t size, std::uint32_t tag,
                        After after) {
  if (group.ranks.size() < 2 || size == 0) return;
  const DataSize buffer =
      bytes(kind == Kind::all_reduce ? size : part_of(size, group.ranks.size()));
  const After begin = compute(inside_time(kind, group, buffer), {beside_, after});
  beside_ = collective(kind, group, buffer, tag, begin);
}

Replicated GpuProgram::bytes_of_bucket(std::uint32_t bucket, BytesOfChunk* of) const {
  Replicated all;
  for (std::uint32_t chunk = 0; chunk < step_.virtual_stages; ++chunk) {
    if (bucket_of(chunk) != bucket) continue;
    const Replicated more = of(step_, chunks_[chunk * step_.stages + place_.stage]);
    all.common += more.common;
    all.routed += more.routed;
  }
  return all;
}

void GpuProgram::reduce(std::uint32_t bucket) {
  const Replicated gradients = bytes_of_bucket(bucket, gradients_of);
  const Kind kind = step_.shards_optimizer ? Kind::reduce_scatter : Kind::all_reduce;
  beside(kind, replicas_, gradients.common, kReduce, last_);
  beside(kind, expert_replicas_, gradients.routed, kReduceExperts, last_);
}

// The first and the last stage add the gradients of the matrix that both have.
void GpuProgram::sync_tied() {
  const DataSize size = tied_gradients(step_);
  if (size == DataSize() || (place_.stage != 0 && place_.stage + 1 != step_.stages)) return;
  Place first = place_;
  Place last = place_;
  first.stage = 0;
  last.stage = step_.stages - 1;
  const Group both = group({groups_.rank_of(first), groups_.rank_of(last)});
  beside(Kind::all_reduce, both, size.count() / 8, kTied, last_);
}

void GpuProgram::gather(std::uint32_t bucket) {
  const Replicated weights = bytes_of_bucket(bucket, weights_of);
  beside(Kind::all_gather, replicas_, weights.common, kGather, last_);
  beside(Kind::all_gather, expert_replicas_, weights.routed, kGatherExperts, last_);
  gathered_[bucket] = beside_;
}

void GpuProgram::update() {
  if (!step_.overlaps_gradients) {
    for (std::uint32_t bucket = 0; bucket < step_.gradient_buckets; ++bucket) reduce(bucket);
  }
  sync_tied();
  last_ = compute({}, {last_, beside_});
  if (world_.size() > 1) {
    last_ = append(built_,
                   {.kind = Kind::all_reduce,
                    .ranks = world_,
                    .me = rank_,
                    .size = kNorm,
                    .tag = kNormTag,
                    .algorithm = "recursive-doubling"},
                   last_);
  }
  beside_ = last_;
  if (!step_.shards_optimizer) return;
  // The first chunk is needed first.
  for (std::uint32_t bucket = step_.gradient_buckets; bucket-- > 0;) gather(bucket);
  if (!step_.overlaps_gradients) last_ = compute({}, {last_, beside_});
}

}  // namespace ebb::training
