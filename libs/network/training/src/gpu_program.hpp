// SPDX-License-Identifier: Apache-2.0
//
// What one GPU does in the iterations of a training.
//
//   forward    the activations of the stage before, [gather keys and values], compute, [exchange
//              with experts], activations to the next stage
//   backward   the gradients of the stage behind, compute, [exchange with experts], [scatter
//              gradients of keys and values], gradients to the stage before
//   update     gradients of a bucket of chunks are reduced when the last of these has made its
//              backward pass; when all are, their norm is reduced over all GPUs; then weights are
//              gathered, and the next forward pass of a chunk waits for those of its bucket
//
// A receive of the next pass is posted when the pass before it begins to compute.
#pragma once

#include "gpu_operations.hpp"

#include "ebb/training/chunk.hpp"
#include "ebb/training/schedule.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ebb::training {

class GpuProgram : private GpuOperations {
 public:
  // `world` are all ranks; they and the chunks must outlive it.
  GpuProgram(const Step& step, std::span<const Chunk> chunks, std::span<const std::uint32_t> world,
             std::uint32_t rank);

  [[nodiscard]] program::RankBuilder build() &&;

 private:
  [[nodiscard]] const Chunk& chunk_of(const Pass& pass) const;
  [[nodiscard]] std::uint32_t global_chunk(const Pass& pass) const;
  // The GPU that activations or gradients of a pass come from, and the one that they go to.
  [[nodiscard]] After source_of(const Pass& pass) const;
  [[nodiscard]] After destination_of(const Pass& pass) const;
  [[nodiscard]] std::uint32_t tag_of(bool is_forward, std::uint32_t chunk,
                                     std::uint32_t micro_batch) const;
  [[nodiscard]] std::uint32_t bucket_of(std::uint32_t chunk) const;
  // Gradients or weights of the chunks of a bucket.
  using BytesOfChunk = Replicated(const Step&, const Chunk&);
  [[nodiscard]] Replicated bytes_of_bucket(std::uint32_t bucket, BytesOfChunk* of) const;

  [[nodiscard]] Duration slowed(Duration time) const;
  [[nodiscard]] Duration pass_time(const Pass& pass) const;

  void run(const Pass& pass);
  void update();
  void reduce(std::uint32_t bucket);
  void gather(std::uint32_t bucket);
  void sync_tied();

  // A collective operation of data groups, after the one before it. Bytes of the whole buffer.
  void beside(Kind kind, const Group& group, std::int64_t size, std::uint32_t tag, After after);

  const Step& step_;
  std::span<const Chunk> chunks_;
  std::span<const std::uint32_t> world_;
  Group context_;
  Group expert_;
  Group replicas_;
  Group expert_replicas_;
  Ratio slowness_;  // of the slowest GPU of the tensor group

  After last_;                   // the end of the pass before
  After computed_;               // its computation
  After beside_;                 // the last operation of data groups
  std::vector<After> gathered_;  // the weights of a bucket
};

}  // namespace ebb::training
