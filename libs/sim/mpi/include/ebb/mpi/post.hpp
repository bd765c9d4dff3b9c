// SPDX-License-Identifier: Apache-2.0
//
// Letters from one rank to another, at any time: for work that is handed out. They do not disturb
// what all ranks do together.
#pragma once

#include "ebb/core/bytes.hpp"
#include "ebb/mpi/ranks.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace ebb::mpi {

struct Letter {
  std::uint32_t from = 0;
  Bytes bytes;
};

// Used by one thread of a rank.
class Post {
 public:
  Post() = default;
  Post(const Post&) = delete;
  Post& operator=(const Post&) = delete;
  virtual ~Post() = default;

  // A long letter waits until the other rank looks.
  virtual void send(std::uint32_t to, const Bytes& bytes) = 0;
  // The next letter, if there is one. Those of one sender come in their order.
  [[nodiscard]] virtual std::optional<Letter> look() = 0;
};

// A process alone gets no letters, and has nobody to send one to.
[[nodiscard]] std::unique_ptr<Post> open_post(Ranks& ranks);

}  // namespace ebb::mpi
