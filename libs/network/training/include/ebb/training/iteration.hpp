// SPDX-License-Identifier: Apache-2.0
//
// An iteration: one pass of a batch of requests through a replica, and what it costs a GPU: time,
// and bytes of each operation between GPUs. Requests join and leave a batch between iterations
// (continuous batching): an iteration holds the prompts of those that join and one token of each
// other.
//
// Below, n is the number of tokens of an iteration, q that of its requests, h the hidden size, w =
// 2 the bytes of an element (BF16), and t, e, p the sizes of the tensor group, the expert group and
// the pipeline. GPUs of an expert group have n / e tokens each.
#pragma once

#include "ebb/training/chunk.hpp"
#include "ebb/training/inference.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ebb::training {

inline constexpr std::int64_t kTokenBytes = 4;  // of a token of a vocabulary, between hosts

struct Iteration {
  static constexpr std::uint32_t kNone = 0xffff'ffff;

  std::uint32_t first_join = 0;  // those that join, in the queue of the replica
  std::uint32_t joins = 0;
  std::uint32_t requests = 0;      // of the batch, those that join included
  std::int64_t prompt_tokens = 0;  // of those that join, if they are prefilled here
  std::int64_t tokens = 0;
  std::int64_t context = 0;  // tokens whose keys and values are read or written
  std::int64_t pairs = 0;    // of tokens of which one looks at the other
  // Of the same batch, whose last tokens an iteration needs.
  std::uint32_t previous = kNone;
  bool has_next = false;

  bool operator==(const Iteration&) const = default;
};

class IterationCosts {
 public:
  // The inference must outlive it.
  explicit IterationCosts(const Inference& inference);

  [[nodiscard]] const Chunk& chunk(std::uint32_t stage) const { return chunks_[stage]; }

  // FLOPs of one GPU: (2 N n + 2 V h q + A pairs L) / (e t), with the N parameters of the layers of
  // the stage that multiply a token, the words V of the last stage, and A FLOPs of attention for a
  // pair in each of L layers.
  [[nodiscard]] std::int64_t flops(const Iteration& iteration, std::uint32_t stage) const;
  // What one GPU reads from its memory: its weights, of routed experts those that n tokens may go
  // to, and keys and values of the context.
  [[nodiscard]] DataSize memory_data(const Iteration& iteration, std::uint32_t stage) const;
  // The longer of FLOPs / (peak MFU) and bytes / bandwidth, and the time of what is sent inside of
  // the server, in whole nanoseconds.
  [[nodiscard]] Duration stage_time(const Iteration& iteration, std::uint32_t stage,
                                    std::uint32_t replica) const;

  // The buffer of an all-reduce of a tensor group over so many layers: n h w / e for each.
  [[nodiscard]] DataSize reduced(const Iteration& iteration, std::int64_t layers) const;
  // From each GPU of an expert group to each over so many layers of experts: n k h w / (e^2 t) with
  // k experts for a token; on the way there an element has `dispatch_bytes`.
  [[nodiscard]] DataSize dispatched(const Iteration& iteration, std::int64_t layers) const;
  [[nodiscard]] DataSize combined(const Iteration& iteration, std::int64_t layers) const;
  // From a stage to the next: n h w / (e t).
  [[nodiscard]] DataSize stage_message(const Iteration& iteration) const;
  // Keys and values of some tokens that a GPU of the stage has: 2 L k d w / (e min(t, k)) for each.
  [[nodiscard]] DataSize key_values(std::int64_t tokens, std::uint32_t stage) const;

 private:
  [[nodiscard]] DataSize exchanged(const Iteration& iteration, std::int64_t layers,
                                   std::int64_t element_bytes) const;
  [[nodiscard]] Duration inside_time(const Iteration& iteration, std::uint32_t stage,
                                     std::uint32_t replica) const;

  const Inference& inference_;
  std::vector<Chunk> chunks_;
  std::vector<ParameterCount> layers_;  // of a chunk, without embedding and output
};

// What a replica does, by times of its GPUs alone: communication between servers delays it.
struct ReplicaPlan {
  enum class Role : std::uint8_t { both, prefill, decode };
  // When a request is there: it arrived, or was prefilled.
  struct Queued {
    Duration ready{};
    std::uint32_t request = 0;
  };

  Role role = Role::both;
  std::vector<Queued> queue;          // in order
  std::vector<Iteration> iterations;  // in the order in which every stage makes them
  Duration end{};                     // of the last one
};

// By replica. Requests go to replicas in turns. Fails when there are too many iterations, with
// their number as far as they were counted.
[[nodiscard]] Result<std::vector<ReplicaPlan>> plan_replicas(const Inference& inference,
                                                             const IterationCosts& costs);

// As make_program of an inference, from plans that were made before.
[[nodiscard]] Result<program::Program> make_program(const Inference& inference,
                                                    std::span<const ReplicaPlan> plans,
                                                    const IterationCosts& costs,
                                                    const std::string& name);

}  // namespace ebb::training
