// SPDX-License-Identifier: Apache-2.0
//
// How a model is divided among GPUs. A rank is a GPU with a network port of its own. Its place in
// the tensor group (t), the context group (c), the pipeline (s) and the data group (d) gives its
// number, as in "The Llama 3 Herd of Models": rank = t + T (c + C (s + P d)). So tensor groups are
// neighbours, in one server.
#pragma once

#include <cstdint>

namespace ebb::training {

struct Division {
  std::uint32_t tensor = 1;   // tp
  std::uint32_t context = 1;  // cp: GPUs that share the tokens of a pass
  std::uint32_t stages = 1;   // pp
  std::uint32_t data = 1;     // dp
  std::uint32_t expert = 1;   // ep, a part of the data group
  std::uint32_t server_gpus = 8;

  // Only the first GPU of each tensor group is a rank: a rail, the network of all GPUs with the
  // same place in their servers. Other rails do the same.
  bool one_rail = false;

  [[nodiscard]] std::uint32_t gpus() const { return tensor * context * stages * data; }
  [[nodiscard]] std::uint32_t ranks() const { return one_rail ? gpus() / tensor : gpus(); }
  [[nodiscard]] std::uint32_t server_ranks() const {
    return one_rail ? server_gpus / tensor : server_gpus;
  }
};

}  // namespace ebb::training
