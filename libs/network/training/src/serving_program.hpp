// SPDX-License-Identifier: Apache-2.0
//
// What one GPU of a replica does in the iterations of its plan, and what the front end does.
//
//   requests   the front end sends the tokens of a prompt to the first GPU of a replica, its
//              leader, when the request arrives; the leader tells the others of the first stage
//   iteration  [requests], [tokens of the iteration before], [keys and values], or the activations
//              of the stage before; compute, with collective operations between halves of layers
//              where a group uses the network; activations to the next stage
//   tokens     from the last stage to the first, for the next iteration of the batch, and to the
//              front end
//   keys       where prefill and decode are apart: from each GPU that has prefilled a request to
//              the GPU with the same place in the replica that decodes it, whose first stage also
//              gets the first token from the last stage
//
// A receive of an iteration is posted when the one before begins to compute; those of requests and
// of keys and values are posted from the beginning.
#pragma once

#include "gpu_operations.hpp"

#include "ebb/training/iteration.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ebb::training {

class ServingGpu : private GpuOperations {
 public:
  // All must outlive it.
  ServingGpu(const Inference& inference, const IterationCosts& costs,
             std::span<const ReplicaPlan> plans, std::uint32_t rank);

  [[nodiscard]] program::RankBuilder build() &&;

 private:
  using Role = ReplicaPlan::Role;
  using MessageKind = program::Operation::Kind;

  [[nodiscard]] bool is_first() const { return place_.stage == 0; }
  [[nodiscard]] bool is_last() const { return place_.stage + 1 == division_.stages; }
  [[nodiscard]] bool is_leader() const { return place_.tensor == 0 && place_.context == 0; }
  // The GPU with the same place in another stage, or another replica.
  [[nodiscard]] std::uint32_t in_stage(std::uint32_t stage) const;
  [[nodiscard]] std::uint32_t in_replica(std::uint32_t replica, std::uint32_t stage) const;

  void run(std::uint32_t number);
  // What an iteration waits for besides the one before.
  [[nodiscard]] std::vector<After> enter(std::uint32_t number);
  void receive_requests(std::uint32_t number, std::vector<After>& after);
  After take(std::uint32_t peer, std::uint32_t tag, DataSize size);
  void pass(const Iteration& iteration, const std::vector<After>& after);
  void pass_layers(const Iteration& iteration, const std::vector<After>& after);
  void leave(std::uint32_t number);
  void send(std::uint32_t peer, std::uint32_t tag, DataSize size, After after);
  // Not inside of a server, whatever its number.
  std::uint32_t front_end_message(MessageKind kind, std::uint32_t tag, DataSize size);

  const Inference& inference_;
  const IterationCosts& costs_;
  const ReplicaPlan& plan_;
  const Chunk& chunk_;
  Group stage_;  // all GPUs of the stage
  Group tensor_;
  Group expert_;
  After last_;      // the end of the iteration before
  After computed_;  // its computation, the first
};

// The last rank.
[[nodiscard]] program::RankBuilder front_end_operations(const Inference& inference,
                                                        std::span<const ReplicaPlan> plans);

// Of one GPU in an iteration, at most, without those of requests.
[[nodiscard]] std::uint64_t iteration_operations(const Inference& inference);

}  // namespace ebb::training
